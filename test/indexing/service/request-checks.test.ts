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

test('names that cannot be read or sent on are refused before anything is submitted', async (t) => {
  const { send, jobs } = await runService(t);
  for (const [name, expected] of [
    ['100%', /percent encoding of "100%"/],
    ['%ff', /percent encoding/],
    ['%ED%A0%80', /percent encoding/],
    ['%2e%2E', /"\.\." in the path is not a name/],
    ['.', /"\." in the path is not a name/],
    ['a'.repeat(257), /longer than the 256 characters/],
  ] as const) {
    const { status, body } = await send('POST', `/index/repository/archive/organization/${name}`);
    t.is(status, 400, name);
    t.regex((body as { message: string }).message, expected);
  }
  t.deepEqual(jobs.submitted, []);
  t.is((await send('GET', '//a@#/x')).status, 400);
});

test('the longest names fit, whatever their characters', async (t) => {
  const { send, jobs } = await runService(t);
  const name = '\u{1F335}'.repeat(256);
  const part = encodeURIComponent(name);
  const { status } = await send('POST', `/index/repository/archive/organization/${part}/id/${part}`);
  t.is(status, 202);
  t.like(jobs.submitted[0], { organization: name, recordId: name });
});

test('with a token set, only requests that carry it are answered', async (t) => {
  const { send, jobs } = await runService(t, { token: 's3cret' });
  for (const [authorization, expected] of [
    ['Bearer s3cret', 202],
    ['bearer  s3cret', 202],
    ['Bearer s3cre', 401],
    ['Bearer s3cret2', 401],
    ['Bearer', 401],
    ['Basic czNjcmV0', 401],
    ['s3cret', 401],
    ['', 401],
  ] as const) {
    const { status, headers, body } = await send('POST', '/index/repository/archive', {
      headers: authorization === '' ? {} : { authorization },
    });
    t.is(status, expected, authorization);
    if (expected !== 401) continue;
    t.is(headers['www-authenticate'], 'Bearer realm="indexing"');
    t.false((body as { successful: boolean }).successful);
  }
  t.is(jobs.submitted.length, 2);
  t.is((await send('GET', '/nothing')).status, 401);
});

test('the description needs no token', async (t) => {
  const { send } = await runService(t, { token: 's3cret' });
  for (const path of ['/api-docs', '/api-docs/openapi.json', '/api-docs/show.js'])
    t.is((await send('GET', path)).status, 200, path);
});
