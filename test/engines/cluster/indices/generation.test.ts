import test from 'ava';
import type { ClusterClient } from '../../../../src/engines/cluster/client/client.ts';
import type { ClusterAnswer, ClusterRequest } from '../../../../src/engines/cluster/client/transport.ts';
import { indexGenerations } from '../../../../src/engines/cluster/indices/generation.ts';

const copy = (node: string, written: number, refreshed: number) => ({
  routing: { node },
  seq_no: { max_seq_no: written },
  refresh: { total: 4, external_total: refreshed },
});

const statistics = (...copies: readonly object[]): ClusterAnswer => ({
  status: 200,
  body: { indices: { trees: { uuid: 'u1', shards: { 0: copies } } } } as never,
});

const openGenerations = (first: ClusterAnswer | Error) => {
  const defined: ClusterAnswer = { status: 200, body: {} };
  const server = { answer: first, defined, nowMs: 0, asked: [] as ClusterRequest[] };
  const client: ClusterClient = {
    send: async (request) => {
      server.asked.push(request);
      if (server.answer instanceof Error) throw server.answer;
      return request.path.includes('_stats') ? server.answer : server.defined;
    },
    close: async () => undefined,
  };
  return { server, generation: indexGenerations(async () => client, () => server.nowMs) }; // prettier-ignore
};

test('a generation changes with what is written, and when it becomes visible', async (t) => {
  const { server, generation } = openGenerations(statistics(copy('a', 1, 1), copy('b', 1, 1)));
  const names = new Set<string | null>();
  for (const answer of [
    server.answer,
    statistics(copy('a', 2, 1), copy('b', 1, 1)),
    statistics(copy('a', 2, 1), copy('b', 2, 1)),
    statistics(copy('a', 2, 2), copy('b', 2, 1)),
    statistics(copy('a', 2, 2), copy('b', 2, 2)),
    statistics(copy('a', 2, 2), copy('c', 2, 2)),
  ]) {
    server.answer = answer;
    server.nowMs += 1_000;
    names.add(await generation('trees'));
  }
  t.is(names.size, 6);
  t.false(names.has(null));
  server.answer = statistics(copy('c', 2, 2), copy('a', 2, 2));
  server.nowMs += 1_000;
  t.true(names.has(await generation('trees')), 'copies in another order are the same');
});

test('a generation changes with the filter of an alias, and with computed fields', async (t) => {
  const { server, generation } = openGenerations(statistics(copy('a', 1, 1)));
  const filter = (...consents: readonly string[]) => ({ filter: { terms: { consent: consents } } });
  const after = async (aliases: object, mappings: object = {}): Promise<string | null> => {
    server.defined = { status: 200, body: { trees_1: { aliases, mappings } } as never };
    server.nowMs += 1_000;
    return generation('trees');
  };
  const first = await after({ trees: filter('yes', 'part') });
  const names = [
    first,
    await after({ trees: filter('yes') }),
    await after({ trees: {} }),
    await after({ trees: { index_routing: '1', search_routing: '1' } }),
    await after({ trees: {} }, { runtime: { age: { type: 'long' } } }),
    await after({ trees: {} }, { derived: { age: { type: 'long' } } }),
    await after({ trees: {} }, { runtime: { age: { type: 'double' } } }),
  ];
  t.is(new Set(names).size, names.length);
  t.false(names.includes(null));
  t.is(await after({ trees: filter('yes', 'part') }), first);
  server.defined = { status: 403, body: {} };
  server.nowMs += 1_000;
  t.is(await generation('trees'), null);
});

test('the server is asked at most once a second for each index, by all at once', async (t) => {
  const { server, generation } = openGenerations(statistics(copy('a', 1, 1)));
  await Promise.all([generation('trees'), generation('trees'), generation('shrubs')]);
  server.nowMs = 999;
  await generation('trees');
  t.deepEqual(server.asked.map(({ path }) => path).sort(), [
    '/shrubs',
    '/shrubs/_stats/refresh',
    '/trees',
    '/trees/_stats/refresh',
  ]);
  server.nowMs = 1_000;
  await generation('trees');
  t.is(server.asked.length, 6);
});

for (const [what, answer] of [
  ['refuses', { status: 403, body: {} }],
  ['does not answer', new Error('connection lost')],
  ['knows no such index', statistics()],
  ['does not tell sequence numbers', statistics({ routing: {}, refresh: { total: 1 } })],
  ['does not tell refreshes', statistics({ routing: {}, seq_no: { max_seq_no: 1 } })],
] as const)
  test(`a server that ${what} has no generation, and is left alone for a minute`, async (t) => {
    const { server, generation } = openGenerations(answer);
    t.is(await generation('trees'), null);
    server.answer = statistics(copy('a', 1, 1));
    server.nowMs = 59_999;
    t.is(await generation('trees'), null);
    server.nowMs = 60_000;
    t.regex((await generation('trees'))!, /^[0-9a-f]{32}$/);
  });
