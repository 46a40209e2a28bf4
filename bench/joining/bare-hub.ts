/**
 * A separate process: a hub without a network, which takes members in and sends each a request. At each message of the
 * parent it tells how many are connected and what it holds.
 *
 *   node --expose-gc bench/joining/bare-hub.ts PORT
 */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { identityOf } from '../../src/capabilities/joining/handshake.ts';
import { Hub } from '../../src/capabilities/joining/hub.ts';
import { sendHttp } from '../../src/federation/remote/send-http.ts';

const port = Number(process.argv[2]);
const identity = identityOf(generateKeyPairSync('ed25519').privateKey);
const silent = { info: () => undefined, warn: () => undefined };
process.on('disconnect', () => process.exit());
process.send!({ hubKey: identity.thumbprint });
const [keys] = (await once(process, 'message')) as [Readonly<Record<string, string>>];
const hub = new Hub({
  ...{ identity, audience: () => `http://127.0.0.1:${port}`, network: () => 'Bench' },
  memberOf: (nodeId) => (keys[nodeId] === undefined ? undefined : { key: keys[nodeId], secretHashed: null }),
  about: () => Promise.resolve({ displayName: 'Bench', documentType: null, fields: [] }),
  addressOf: () => '',
  ...{
    onInvited: () => undefined,
    onLeft: () => undefined,
    onOpened: () => undefined,
    maxResponseBytes: 64 * 1024 * 1024,
    log: silent,
  },
});
const server = createServer();
server.on('upgrade', (request, socket, head) => hub.upgrade(request, socket, head));
await once(server.listen(port, '127.0.0.1'), 'listening');

const nodes = Object.entries(keys).map(([nodeId, key]) => hub.node(nodeId, key));
const request = {
  ...{ headers: { 'content-type': 'application/json' }, body: '{"query":"query nodeQuery"}' },
  ...{ signal: new AbortController().signal, maxBytes: 1e9, isRead: () => true },
};
process.on('message', () => {
  const connected = nodes.filter((node) => node.isConnected());
  void Promise.all(
    connected.map(({ dispatcher }) => sendHttp(dispatcher, new URL('http://tunnel/graphql'), request)),
  ).then((answers) => {
    for (let round = 0; round < 3; round++) globalThis.gc!();
    const { rss, heapUsed, external } = process.memoryUsage();
    process.send!({ connected: answers.length, rss, held: heapUsed + external });
  });
});
process.send!('listening');
