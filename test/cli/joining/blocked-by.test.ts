import { once } from 'node:events';
import { createServer } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { WebSocket } from 'ws';
import { blockedBy, unusableBy } from '../../../src/cli/joining/blocked-by.ts';
import { answerGreeting, type Membership } from '../../../src/capabilities/joining/handshake.ts';
import { dialPath } from '../../../src/federation/remote/node-statements.ts';
import { introduce } from '../../../src/capabilities/joining/member.ts';
import { closedBy } from '../../../src/capabilities/joining/web-socket.ts';
import { bookConfig } from '../../local/catalogue-fixture.ts';
import { freePort, listening } from '../../listening.ts';
import { certificateOf, during, openFront, openProxy } from '../../capabilities/joining/proxies.ts';
import { newIdentity, openHub, type OpenHub } from '../../capabilities/joining/tunnels.ts';

type Environment = Readonly<Record<string, string>>;

/** What stands in the way of a dial, in words; fails where nothing does. */
const wayTo = async (audience: string, env: Environment = {}, changed: Partial<Membership> = {}) => {
  const membership = { nodeId: 'oslo', audience, hubKey: 'k'.repeat(43), ...changed };
  try {
    await introduce({ membership, identity: newIdentity(), env });
  } catch (error) {
    return blockedBy(error, audience, env);
  }
  throw new Error('the hub was reached');
};

/** A hub that has accepted a member, and what stands in the way of that. */
const wayToHub = async (t: ExecutionContext, dial: (hub: OpenHub) => Partial<Membership>) => {
  const hub = await openHub(t);
  hub.known.set('oslo', { key: newIdentity().thumbprint, secretHashed: null });
  return wayTo(hub.url, {}, { hubKey: hub.identity.thumbprint, ...dial(hub) });
};

test('a name that does not resolve', async (t) => {
  t.is(
    await wayTo('https://hub.invalid'),
    'name not resolved: hub.invalid; ask for DNS, or set HTTPS_PROXY to the proxy of your network',
  );
});

test('the name of the proxy does not resolve', async (t) => {
  const way = await wayTo('https://hub.example.org', { HTTPS_PROXY: 'proxy.invalid:3128' });
  t.regex(way, /^name not resolved: proxy\.invalid; /);
});

test('nothing listens at the hub, or at the proxy', async (t) => {
  const port = await freePort();
  const way = await wayTo(`http://127.0.0.1:${port}`);
  t.regex(way, new RegExp(`^connection refused: 127.0.0.1 port ${port}; nothing listens at 127.0.0.1 port`));
  const proxied = await wayTo('https://hub.example.org', { https_proxy: `http://127.0.0.1:${port}` });
  t.regex(
    proxied,
    new RegExp(`^connection refused: hub.example.org port 443 through the proxy 127.0.0.1:${port}`),
  );
});

for (const status of [403, 502, 503, 404])
  test(`a proxy refuses CONNECT with ${status}`, async (t) => {
    const { port } = await during(t, openProxy({ status }));
    t.is(
      await wayTo('https://hub.example.org', { HTTPS_PROXY: `http://127.0.0.1:${port}` }),
      `hub.example.org port 443 through the proxy 127.0.0.1:${port}: the proxy refused CONNECT (HTTP ${status}): ask for CONNECT to this host and port`,
    );
  });

test('a proxy wants a name and password, or others', async (t) => {
  const { port } = await during(t, openProxy({ credentials: 'ola:correct horse' }));
  const through = (credentials: string) =>
    wayTo('https://hub.example.org', { HTTPS_PROXY: `http://${credentials}127.0.0.1:${port}` });
  t.regex(await through(''), /: the proxy wants a name and password \(HTTP 407\): HTTPS_PROXY=/);
  const wrong = await through('ola:secret@');
  t.regex(wrong, /: the proxy refuses the name and password of HTTPS_PROXY \(HTTP 407\)$/);
  t.notRegex(wrong, /secret/);
});

test('a proxy that inspects TLS is named by the issuer of its certificate', async (t) => {
  const certificate = await certificateOf('Hospital Inspection');
  const inspecting = await during(t, openFront(1, { certificate }));
  const { port } = await during(t, openProxy({ port: inspecting.port }));
  const way = await wayTo('https://hub.example.org', { HTTPS_PROXY: `http://127.0.0.1:${port}` });
  t.regex(
    way,
    /^certificate not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\): it is issued by "Hospital Inspection"; .* NODE_EXTRA_CA_CERTS/,
  );
});

test('the certificate of a hub reached directly, and that of the proxy itself', async (t) => {
  const front = await during(t, openFront(1, { certificate: await certificateOf('Own Authority') }));
  t.regex(
    await wayTo(`https://localhost:${front.port}`),
    /^certificate not trusted .* issued by "Own Authority"/,
  );
  const proxy = await during(t, openProxy({ certificate: await certificateOf('Proxy Authority') }));
  t.regex(
    await wayTo('https://hub.example.org', { HTTPS_PROXY: `https://localhost:${proxy.port}` }),
    /^certificate of the proxy not trusted .* issued by "Proxy Authority"/,
  );
});

test('what stands before the hub takes the Upgrade header away', async (t) => {
  const { port } = await during(t, openProxy());
  // as the server of the product answers it
  const hub = await listening(
    t,
    createServer((_, response) => response.writeHead(426).end()),
  );
  const front = await during(t, openFront(hub.port, { stripsUpgrade: true }));
  for (const env of [{}, { HTTP_PROXY: `http://127.0.0.1:${port}` }] as readonly Environment[])
    t.regex(await wayTo(front.url, env), /: the request arrives without its Upgrade header \(HTTP 426\)/);
});

test('what answers there is another server than a hub', async (t) => {
  const server = await listening(
    t,
    createServer((_, response) => response.writeHead(404).end()),
  );
  t.regex(await wayTo(server.url), /: no hub answers there \(HTTP 404\)/);
  const login = createServer((_, response) => response.writeHead(302, { location: '/login' }).end());
  t.regex(await wayTo((await listening(t, login)).url), /answered HTTP 302 instead of opening a WebSocket/);
  const cutting = createServer((request) => request.socket.destroy());
  t.regex(await wayTo((await listening(t, cutting)).url), /^connection cut: 127\.0\.0\.1 port /);
  t.regex(await wayTo((await listening(t, createServer())).url.replace('http', 'https')), /^no TLS: /);
});

test('the hub has another key than that of the invitation', async (t) => {
  const way = await wayToHub(t, () => ({ hubKey: newIdentity().thumbprint }));
  t.regex(way, /is reached, but: the hub has another key than the one that invited this server/);
});

test('the key of this server is not accepted', async (t) => {
  t.regex(await wayToHub(t, () => ({})), /is reached, but: this key is not accepted here; /);
});

test('the hub has no such node', async (t) => {
  const way = await wayToHub(t, () => ({ nodeId: 'bergen' }));
  t.regex(way, /is reached, but: this hub has no such node that dials in; .* tributary invite/);
});

test('the hub is dialled by another address than its own', async (t) => {
  const way = await wayToHub(t, ({ url }) => ({ audience: url.replace('127.0.0.1', 'localhost') }));
  t.regex(way, /is reached, but: this hub is http:\/\/127\.0\.0\.1:\d+, and was dialled by another address/);
});

test('the clocks differ', async (t) => {
  const hub = await openHub(t);
  const membership = { nodeId: 'oslo', audience: hub.url, hubKey: hub.identity.thumbprint };
  const socket = new WebSocket(hub.url.replace('http', 'ws') + dialPath);
  const [greeting] = (await once(socket, 'message')) as [Buffer];
  const late = Date.now() - 90_000;
  socket.send((await answerGreeting(greeting.toString(), membership, newIdentity(), late)).statement);
  const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
  const way = await blockedBy(closedBy(code, reason.toString()), hub.url, {});
  t.regex(way, /is reached, but: the clocks differ by \d+ s: at most 60 s expected; .* by NTP$/);
});

test('a variable that names no proxy, without the password it may have', async (t) => {
  for (const proxy of ['socks5://ola:secret@127.0.0.1:1080', 'http://ola:secret@:::'])
    t.is(
      await wayTo('https://hub.example.org', { HTTPS_PROXY: proxy }),
      'HTTPS_PROXY is not the address of an HTTP proxy: http://name:password@host:port expected',
    );
});

test('a catalogue that the hub could not use', (t) => {
  const books = bookConfig({ catalogueId: 'books' });
  t.is(unusableBy('books', [books]), null);
  t.regex(
    String(unusableBy('books', [{ ...books, disableGraphQLIntrospection: true }])),
    /introspection is off for the catalogue books: .* DISABLE_GRAPHQL_INTROSPECTION=false/,
  );
  t.regex(String(unusableBy('films', [books])), /no catalogue films here/);
});
