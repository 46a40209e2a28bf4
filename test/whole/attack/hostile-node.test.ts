import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';
import { fieldsOf, searchOf } from '../../federation/collection.ts';
import { serveCatalogue, type Fault } from '../../federation/remote-server.ts';
import { answersPing, startVictim } from './victim.ts';
import { containerBytes, inContainer, peakBytes } from './container.ts';

const mebibyte = 1024 * 1024;
const json = { 'content-type': 'application/json' };
const fields = fieldsOf({ id: 'keyword', title: 'keyword' });

type Answering = Parameters<Fault>[1];

/** Writes a part again and again, for as long as it is taken. */
const endless = (response: Answering, part: Buffer): void => {
  const more = (): void => {
    while (!response.destroyed && response.write(part));
  };
  response.on('drain', more);
  more();
};

const bomb = gzipSync(Buffer.alloc(512 * mebibyte, '{"data":{"book":'));
const buckets = (count: number): string =>
  Array.from({ length: count }, (_, at) => `{"key":"k${at}","doc_count":${count - at}}`).join();
const answerOf = (hits: string, all: string): string =>
  `{"data":{"book":{"hits":${hits},"aggregations":{"title":{"bucket_count":3,"buckets":[${all}]}}}}}`;
const tooManyBuckets = answerOf('{"total":3,"edges":[]}', buckets(1_200_000));

/** What the node does with a question, and how the answer shows it; null where what it says is taken for what it is. */
const attacks: readonly (readonly [string, (response: Answering) => void, state: RegExp])[] = [
  [
    'answers without end',
    (response) => endless(response.writeHead(200, json), Buffer.alloc(mebibyte, ' ')),
    /badResponse|timeout/,
  ],
  [
    'drips',
    (response) => {
      response.writeHead(200, json);
      const drops = setInterval(() => void response.write(' '), 50);
      response.on('close', () => clearInterval(drops));
    },
    /timeout/,
  ],
  ['says nothing', () => undefined, /timeout/],
  [
    'sends what unpacks to half a gigabyte',
    (response) => void response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(bomb),
    /badResponse/,
  ],
  [
    'nests without end',
    (response) => void response.writeHead(200, json).end(`{"data":${'['.repeat(20 * mebibyte)}`),
    /badResponse/,
  ],
  [
    'gives a million values',
    (response) => void response.writeHead(200, json).end(tooManyBuckets),
    /ok|badResponse|timeout/,
  ],
  [
    'counts what cannot be',
    (response) =>
      void response
        .writeHead(200, json)
        .end(answerOf('{"total":1e300,"edges":[]}', '{"key":"a","doc_count":-5}')),
    /badResponse/,
  ],
  [
    'sends elsewhere',
    (response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
    /badResponse/,
  ],
  [
    'breaks off',
    (response) => {
      response.writeHead(200, { ...json, 'content-length': 1_000 }).write('{"data":');
      setTimeout(() => response.destroy(), 20);
    },
    /unreachable/,
  ],
];

test('whatever a node does, its portal answers for the others and stays small', async (t) => {
  t.timeout(240_000);
  const remote = await serveCatalogue('book', fields, searchOf([{ id: 'r1', title: 'Remote' }]));
  t.teardown(remote.close);
  const folder = temporaryFolder(t, {
    'nodes.json': {
      network: { displayName: 'Two', documentType: 'book' },
      defaults: { timeoutMs: 10_000 },
      nodes: [
        { nodeId: 'here', displayName: 'Here', catalogue: 'books', timeoutMs: 100_000 },
        { nodeId: 'there', displayName: 'There', graphqlUrl: remote.url },
      ],
    },
  });
  const victim = await startVictim(t, {
    settings: { NODES_PATH: join(folder, 'nodes.json'), ...inContainer },
  });
  const send = async (query: string): Promise<Record<string, unknown>> => {
    const response = await fetch(`${victim.url}/graphql`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ query }),
    });
    return (await response.json()) as Record<string, unknown>;
  };
  const network =
    '{ network { hits(first: 2) { edges { node { id } } } aggregations { title { buckets { key doc_count } } } nodes { nodeId state } } }';
  for (const [what, attack, state] of attacks) {
    remote.fault = ({ query }, response) => {
      if (!query.startsWith('query nodeQuery')) return false;
      response.on('error', () => undefined);
      attack(response);
      return true;
    };
    const answers = Array.from({ length: 3 }, () => send(network));
    t.true(await answersPing(victim), what);
    t.deepEqual(await send('{ book { hits { total } } }'), { data: { book: { hits: { total: 1 } } } }, what);
    for (const answer of await Promise.all(answers)) {
      const { nodes } = (answer as { data: { network: { nodes: { nodeId: string; state: string }[] } } }).data
        .network;
      t.is(nodes.find(({ nodeId }) => nodeId === 'here')!.state, 'ok', what);
      t.regex(nodes.find(({ nodeId }) => nodeId === 'there')!.state, state, what);
    }
    // what comes in time closes the circuit again
    remote.fault = () => false;
    await send(network);
  }
  const peak = peakBytes(victim.pid);
  t.log(`${Math.round(peak / mebibyte)} MiB`);
  t.true(peak < containerBytes, `${Math.round(peak / mebibyte)} MiB`);
});
