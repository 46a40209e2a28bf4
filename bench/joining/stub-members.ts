/**
 * A separate process: members that dial a hub, each with its own key, and answer as the stubs of
 * bench/federation/many-stubs.ts do. Their keys go to the parent, which then says where the hub is; afterwards the time of
 * each connection goes to it.
 *
 *   node bench/joining/stub-members.ts COUNT FIRST
 */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { graphql } from 'graphql';
import { identityOf } from '../../src/capabilities/joining/handshake.ts';
import { dialHub, type ServeTunnelled } from '../../src/capabilities/joining/member.ts';
import { manyBody, manyFields } from '../federation/many-answers.ts';
import { extendedAnswer, stubSchema } from '../federation/stub-schema.ts';

const schema = stubSchema(manyFields);
const extended = extendedAnswer(manyFields);

const answerTo = async (sent: string, index: number): Promise<string> => {
  if (sent.startsWith('{"query":"query nodeQuery')) return manyBody(index, sent.includes('key_as_string'));
  const { query } = JSON.parse(sent) as { readonly query: string };
  return query.includes('extended') ? extended : JSON.stringify(await graphql({ schema, source: query }));
};

const serve =
  (index: number): ServeTunnelled =>
  (request, response) =>
    void text(request)
      .then((sent) => answerTo(sent, index))
      .then((body) => {
        response.setHeader('content-type', 'application/json');
        response.end(body);
      })
      .catch(() => undefined);

const [count, first] = process.argv.slice(2).map(Number) as [number, number];
const members = Array.from({ length: count }, (_, at) => ({
  nodeId: `n${first + at}`,
  identity: identityOf(generateKeyPairSync('ed25519').privateKey),
}));
process.on('disconnect', () => process.exit());
process.send!(members.map(({ nodeId, identity }) => ({ nodeId, key: identity.thumbprint })));
const [{ url, hubKey }] = (await once(process, 'message')) as [{ url: string; hubKey: string }];
members.forEach(({ nodeId, identity }, at) =>
  dialHub({
    membership: { nodeId, audience: url, hubKey },
    ...{ identity, serve: serve(first + at + 1), maxResponseBytes: 64 * 1024 * 1024, env: {} },
    log: {
      info: () => void process.send!({ nodeId, atMs: Date.now() }),
      warn: () => undefined,
    },
  }),
);
