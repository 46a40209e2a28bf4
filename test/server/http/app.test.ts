import test from 'ava';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { read, runApp } from './running-app.ts';

test('a path that is not there is a JSON error', async (t) => {
  const app = await runApp(t);
  const { status, body } = await read(app.get('/favicon.ico'));
  t.is(status, 404);
  t.like(body['error'], { code: 'NOT_FOUND' });
});

test('a path that cannot be decoded names nothing', async (t) => {
  const app = await runApp(t);
  const { status, body } = await read(app.get('/introspection/%E0%A4%A'));
  t.is(status, 404);
  t.regex(String(body['error']), /not found/);
});

test('a harmless request id is kept, another replaced, and the response always has it', async (t) => {
  const app = await runApp(t);
  const id = async (sent: string) =>
    (await app.get('/ping', { 'x-request-id': sent })).headers.get('x-request-id')!;
  t.is(await id('abc-1.2:3_4'), 'abc-1.2:3_4');
  for (const odd of ['has space', '<script>', 'x'.repeat(129)]) t.regex(await id(odd), /^[0-9a-f-]{36}$/);
});

test('a defect is logged with the request id and answered without any detail', async (t) => {
  const app = await runApp(t, {
    accessFilter: () => {
      throw new Error('secret at http://engine:9200');
    },
  });
  const { status, body } = await read(app.get('/introspection/library', { 'x-request-id': 'request-7' }));
  t.is(status, 500);
  t.deepEqual(body, { error: { code: 'INTERNAL_SERVER_ERROR', message: 'internal error' } });
  t.regex(app.log(), /request-7.*secret/);
});

test('an error of ours has the status of its code', async (t) => {
  const app = await runApp(t, {
    accessFilter: () => {
      throw new TributaryError('UNAUTHENTICATED', 'a token is needed', { details: { scheme: 'bearer' } });
    },
  });
  t.deepEqual(await read(app.get('/introspection/library')), {
    status: 401,
    body: { error: { code: 'UNAUTHENTICATED', message: 'a token is needed', details: { scheme: 'bearer' } } },
  });
});

test('the root says what this is and where to go, as JSON or text', async (t) => {
  for (const portal of [null, { publicUrl: null, signIn: null, imageHosts: [], look: {} }]) {
    const app = await runApp(t, { settings: { portal } });
    const json = await app.get('/');
    t.is(json.status, 200);
    const { server, links } = (await json.json()) as { server: string; links: readonly { url: string }[] };
    t.regex(server, /^Tributary \d/);
    for (const { url } of links) t.is((await fetch(url)).status, url.endsWith('/graphql') ? 400 : 200, url);
    const text = await app.get('/', { accept: 'text/plain' });
    t.is(text.headers.get('content-type'), 'text/plain; charset=utf-8');
    t.true((await text.text()).includes(`  ${app.url}/introspection   what can be searched\n`));
    t.is((await fetch(app.url, { method: 'POST' })).status, 404);
  }
});
