import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import test from 'ava';
import { read, runApp } from '../running-app.ts';

const listed = { settings: { allowedOrigins: ['https://a.example', 'https://b.example'] } };
const paths = ['/ping', '/introspection', '/graphql?query={__typename}', '/nowhere'];

test('without a list every origin may read every answer, errors too', async (t) => {
  const app = await runApp(t);
  for (const path of paths) {
    const response = await app.get(path, { origin: 'https://x.example' });
    t.is(response.headers.get('access-control-allow-origin'), '*', path);
    t.not(response.status, 403);
  }
});

test('with a list its origins are echoed', async (t) => {
  const app = await runApp(t, listed);
  for (const origin of listed.settings.allowedOrigins) {
    const response = await app.get('/introspection', { origin });
    t.is(response.status, 200);
    t.is(response.headers.get('access-control-allow-origin'), origin);
    t.regex(response.headers.get('vary')!, /origin/i);
  }
});

test('with a list other origins are refused on every route', async (t) => {
  const app = await runApp(t, listed);
  for (const path of paths)
    for (const origin of ['https://evil.example', 'https://a.example.evil.example', 'null']) {
      const response = await app.get(path, { origin });
      t.is(response.headers.get('access-control-allow-origin'), null);
      t.like(await read(Promise.resolve(response)), { status: 403, body: { error: { code: 'FORBIDDEN' } } });
    }
});

test('a request without an origin, and one from a page of this server, is from no other origin', async (t) => {
  const app = await runApp(t, listed);
  t.is((await app.get('/ping')).status, 200);
  t.is((await app.get('/ping', { origin: app.url })).status, 200);
});

/** A request whose headers fetch would not let through. */
const statusOf = async (url: string, headers: Record<string, string>): Promise<number> => {
  const [answer] = (await once(request(`${url}/ping`, { headers }).end(), 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode!;
};

test('a page is not of this server merely because its origin is the host of its request', async (t) => {
  const app = await runApp(t, listed);
  const { port } = new URL(app.url);
  t.is(await statusOf(app.url, { host: 'evil.example', origin: 'http://evil.example' }), 403);
  t.is(await statusOf(app.url, { host: `evil.example:${port}`, origin: `http://evil.example:${port}` }), 403);
});

test('without a public address this machine is meant by its own names, at the port of the server', async (t) => {
  const app = await runApp(t, listed);
  const { port } = new URL(app.url);
  const status = (origin: string) => statusOf(app.url, { origin });
  for (const host of ['localhost', 'LOCALHOST', '127.0.0.1', '[::1]'])
    t.is(await status(`http://${host}:${port}`), 200, host);
  for (const origin of [
    'http://localhost',
    `http://localhost:${Number(port) - 1}`,
    `https://localhost:${port}`,
    `http://localhost.:${port}`,
    `http://127.0.0.2:${port}`,
    `http://localhost:${port}.evil.example`,
    `http://localhost:${port}@evil.example`,
  ])
    t.is(await status(origin), 403, origin);
});

test('the public address is allowed always, and then this machine is not', async (t) => {
  const publicOrigin = 'https://search.example';
  const app = await runApp(t, { settings: { ...listed.settings, publicOrigin } });
  const response = await app.get('/ping', { origin: publicOrigin });
  t.is(response.status, 200);
  t.is(response.headers.get('access-control-allow-origin'), publicOrigin);
  t.is((await app.get('/ping', { origin: app.url })).status, 403);
});

test('a preflight is answered for origins that may, and refused for others', async (t) => {
  const app = await runApp(t, listed);
  const preflight = (origin: string) =>
    fetch(`${app.url}/graphql`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
  const allowed = await preflight('https://a.example');
  t.is(allowed.status, 204);
  t.is(allowed.headers.get('access-control-allow-origin'), 'https://a.example');
  t.is(allowed.headers.get('access-control-allow-headers'), 'content-type');
  t.regex(allowed.headers.get('access-control-allow-methods')!, /POST/);
  t.is((await preflight('https://evil.example')).status, 403);
});
