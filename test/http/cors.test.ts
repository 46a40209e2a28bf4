import test from 'ava';
import { read, runApp } from './running-app.ts';

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
