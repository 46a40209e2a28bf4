import test from 'ava';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hubOf } from '../../../src/server/http/koa/http-context.ts';
import { serveHub } from '../../../src/capabilities/joining/open-tunnels.ts';

const entry = {
  name: 'Nordic',
  url: 'https://hub.example.org',
  nodeId: 'oslo',
  key: 'k'.repeat(43),
  catalogue: 'my patients',
  fields: {},
  values: {},
};

/** Sends one request as a hub would; what the application is called with, or the refusal. */
const through = async (method: string, path: string, headers: Readonly<Record<string, string>> = {}) => {
  let seen: unknown = null;
  // the tunnel's requests are those of HTTP/2, which have these parts in common with others
  const serve = serveHub(entry, (request, response) => {
    seen = { url: request.url, hub: hubOf({ req: request }), headers: request.headers };
    response.end();
  });
  const server = createServer((request, response) => serve(request as never, response as never));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const { status } = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers });
    return { status, seen };
  } finally {
    server.closeAllConnections();
    server.close();
  }
};

test('a hub reaches the catalogue that joined it, under its name', async (t) => {
  const { status, seen } = await through('POST', '/graphql', {
    'x-forwarded-for': '1.2.3.4',
    authorization: 'Bearer x',
  });
  t.is(status, 200);
  t.like(seen as object, { url: '/my%20patients/graphql', hub: 'Nordic' });
  const { headers } = seen as { headers: Record<string, string> };
  t.is(headers['x-forwarded-for'], undefined);
  t.is(headers['authorization'], 'Bearer x');
});

for (const [method, path] of [
  ['GET', '/graphql'],
  ['POST', '/other/graphql'],
  ['POST', '/graphql?query=x'],
  ['POST', '//graphql'],
  ['POST', '/graphql/../download'],
  ['POST', '/download'],
  ['GET', '/metrics'],
  ['GET', '/network'],
  ['POST', '/network/graphql'],
  ['DELETE', '/graphql'],
  ['GET', '/images/one/thumbnail/0'],
] as const)
  test(`a hub may not ${method} ${path}`, async (t) => {
    const { status, seen } = await through(method, path);
    t.is(status, 403);
    t.is(seen, null);
  });
