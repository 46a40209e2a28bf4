import { createServer } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { graphql } from 'graphql';
import { servePlots } from '../server/http/plots.ts';
import { listening } from '../listening.ts';
import { contextOf } from './node-fixtures.ts';
import { testNetwork } from '../builders.ts';

const query = `query($filters: JSON) { network(filters: $filters) { total nodes { nodeId state errors }
  aggregations { crop { buckets { key doc_count } } } hits(first: 5, sort: [{ fieldName: "id" }]) { edges { node { id } } } } }`;

const openPlots = async (t: ExecutionContext, graphqlUrl: string) => {
  const node = {
    nodeId: 'clubs',
    documentType: 'plot',
    graphqlUrl,
    headers: ['x-club', 'x-tier', 'x-request-id'],
  };
  const network = await testNetwork(t, [node]);
  let requests = 0;
  return async (headers: Record<string, string> = {}, filters: object | null = null) => {
    const contextValue = contextOf([], { ...headers, 'x-request-id': `r${(requests += 1)}` });
    const { data, errors } = await graphql({
      schema: network.ownSchema(),
      source: query,
      variableValues: { filters },
      contextValue,
    });
    if (errors) throw errors[0]!;
    return JSON.stringify(data!['network']);
  };
};

const ids = (answer: string): readonly string[] =>
  (JSON.parse(answer) as { hits: { edges: { node: { id: string } }[] } }).hits.edges.map(
    ({ node }) => node.id,
  );

test('a repeated query is answered with what was written in between', async (t) => {
  const plots = await servePlots(t);
  const runQuery = await openPlots(t, plots.url);
  const first = await runQuery();
  t.is(await runQuery(), first);
  await plots.write('p4', 'chard');
  t.deepEqual(ids(await runQuery()), ['p1', 'p2', 'p3', 'p4']);
});

test('callers with other rights are never answered with what others were', async (t) => {
  const plots = await servePlots(t);
  const runQuery = await openPlots(t, plots.url);
  const seen: Readonly<Record<string, readonly string[]>> = {
    '': ['p1', 'p2', 'p3'],
    north: ['p1', 'p2'],
    south: ['p3'],
    west: [],
  };
  const clubs = Object.keys(seen);
  for (let round = 0; round < 20; round += 1) {
    // each round in another order, all at once
    const order = clubs.map((_, at) => clubs[(at * 3 + round) % clubs.length]!);
    const answers = await Promise.all(order.map((club) => runQuery(club === '' ? {} : { 'x-club': club })));
    t.deepEqual(
      answers.map(ids),
      order.map((club) => seen[club]),
    );
  }
});

test('a caller of a guarded tier is answered anew each time, and not with the records', async (t) => {
  const plots = await servePlots(t);
  const runQuery = await openPlots(t, plots.url);
  const records = await runQuery();
  const guarded = await runQuery({ 'x-tier': 'counts' });
  t.deepEqual(ids(records), ['p1', 'p2', 'p3']);
  t.deepEqual(ids(guarded), []);
  t.is(await runQuery(), records);
  t.is(await runQuery({ 'x-tier': 'counts' }), guarded);
});

test('a node that says "not modified" to an unconditional request is out of order', async (t) => {
  const plots = await servePlots(t);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      if (body.includes('nodeQuery')) return void response.writeHead(304).end();
      void fetch(plots.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).then(
        async (answer) => response.setHeader('content-type', 'application/json').end(await answer.text()),
      );
    });
  });
  const { url } = await listening(t, server);
  const runQuery = await openPlots(t, `${url}/graphql`);
  const { nodes } = JSON.parse(await runQuery()) as { nodes: { state: string }[] };
  t.deepEqual(
    nodes.map(({ state }) => state),
    ['badResponse'],
  );
});

test('equal queries under way are sent to a node once, whatever their request ids', async (t) => {
  const plots = await servePlots(t);
  const held: (() => void)[] = [];
  let sent = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const relay = (): void =>
        void fetch(plots.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).then(
          async (answer) => response.setHeader('content-type', 'application/json').end(await answer.text()),
        );
      if (!body.includes('nodeQuery')) return relay();
      sent += 1;
      held.push(relay);
    });
  });
  const { url } = await listening(t, server);
  const runQuery = await openPlots(t, `${url}/graphql`);
  const answers = [...Array.from({ length: 20 }, () => runQuery()), runQuery({ 'x-club': 'south' })];
  while (held.length < 2) await new Promise(setImmediate);
  held.splice(0).forEach((relay) => relay());
  t.is(new Set((await Promise.all(answers)).slice(0, 20)).size, 1);
  t.is(sent, 2);
});
