import test from 'ava';
import { runService } from './running-service.ts';

const path = '/index/repository/archive';

test('what pages of other sites send is refused; this service, programs and the address bar are not', async (t) => {
  const { send, port, jobs } = await runService(t);
  for (const [headers, expected] of [
    [{}, 202],
    [{ 'sec-fetch-site': 'same-origin', origin: `http://127.0.0.1:${port}` }, 202],
    [{ 'sec-fetch-site': 'none' }, 202],
    [{ origin: `http://127.0.0.1:${port}` }, 202],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' }, 403],
    [{ 'sec-fetch-site': 'anything' }, 403],
    [{ origin: 'https://portal.example.org' }, 403],
    [{ origin: `http://127.0.0.1:${port + 1}` }, 403],
    [{ origin: 'null' }, 403],
  ] as const) {
    const { status } = await send('POST', path, { headers });
    t.is(status, expected, JSON.stringify(headers));
  }
  t.is(jobs.submitted.length, 4);
});

test('without a token only names of this machine are answered, so that no other name can be pointed here', async (t) => {
  const { send, sendRaw, port } = await runService(t);
  for (const [host, expected] of [
    [`localhost:${port}`, 200],
    ['LOCALHOST', 200],
    [`[::1]:${port}`, 200],
    ['127.8.8.8', 200],
    ['rebound.example.org', 403],
    ['127.0.0.1.example.org', 403],
    ['localhost.example.org', 403],
  ] as const)
    t.is((await send('GET', '/jobs', { headers: { host } })).status, expected, host);
  t.regex(await sendRaw('GET /jobs HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /);
});

test('with a token any host is answered, as behind a proxy', async (t) => {
  const { send } = await runService(t, { token: 'secret' });
  const headers = { host: 'index.example.org', authorization: 'Bearer secret' };
  t.is((await send('GET', '/jobs', { headers })).status, 200);
  t.is(
    (await send('POST', path, { headers: { ...headers, origin: 'https://index.example.org' } })).status,
    202,
  );
  t.is((await send('POST', path, { headers: { ...headers, origin: 'https://example.org' } })).status, 403);
});

test('the description may be linked to from anywhere', async (t) => {
  const { send } = await runService(t);
  t.is((await send('GET', '/api-docs', { headers: { 'sec-fetch-site': 'cross-site' } })).status, 200);
});
