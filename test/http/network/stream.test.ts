import type { ExecutionContext } from 'ava';
import test from 'ava';
import { TributaryError } from '../../../src/errors/errors.ts';
import { readNodes } from '../../../src/federation/config/read-nodes.ts';
import { openNetwork } from '../../../src/federation/network.ts';
import type { SearchFn } from '../../../src/search/query.ts';
import { fieldsOf, searchOf } from '../../federation/collection.ts';
import { catalogueOf } from '../../federation/remote-server.ts';
import { runApp } from '../running-app.ts';

const fields = fieldsOf({ id: 'keyword', genus: 'keyword' });
const two = searchOf([
  { id: 'a', genus: 'Acer' },
  { id: 'b', genus: 'Tilia' },
]);

/** A node that answers once it is released, and counts its queries. */
const slowNode = () => {
  const released = Promise.withResolvers<undefined>();
  const node = { queries: 0, left: 0, answer: () => released.resolve(undefined) };
  const search: SearchFn = async (query, context) => {
    node.queries += 1;
    context.signal?.addEventListener('abort', () => (node.left += 1));
    await released.promise;
    return two(query, context);
  };
  return { node, search };
};

const openApp = async (t: ExecutionContext, searches: Readonly<Record<string, SearchFn>>) => {
  const nodes = Object.keys(searches).map((nodeId) => ({ nodeId, catalogue: nodeId, timeoutMs: 60_000 }));
  const network = openNetwork(readNodes({ network: { documentType: 'tree' }, nodes }, 'nodes.json'), (id) => {
    const catalogue = catalogueOf('tree', fields, searches[id]!);
    return { status: 'available', config: catalogue.config, catalogue };
  });
  t.teardown(() => network.close());
  await network.ready;
  return runApp(t, { network });
};

const query = `{ tree { hits(first: 0) { total partial nodes { nodeId state errors hits } }
  aggregations { genus { buckets { key doc_count } coverage { nodeId state } } } } }`;
const answerOf = (total: number, west: object) => ({
  tree: {
    hits: {
      total,
      partial: total < 4,
      nodes: [
        { nodeId: 'east', state: 'ok', errors: '', hits: 2 },
        { nodeId: 'west', ...west },
      ],
    },
    aggregations: {
      genus: {
        buckets: [
          { key: 'Acer', doc_count: total / 2 },
          { key: 'Tilia', doc_count: total / 2 },
        ],
        coverage: [
          { nodeId: 'east', state: 'answered' },
          { nodeId: 'west', state: total < 4 ? 'failed' : 'answered' },
        ],
      },
    },
  },
});
const pending = { state: 'pending', errors: 'has not answered yet', hits: 0 };

const eventsIn = (text: string) =>
  text
    .split('\n\n')
    .filter((part) => part.startsWith('event:'))
    .map((part) => {
      const [, event, data] = /^event: (\w+)\ndata: (.*)$/s.exec(part)!;
      return { event, ...(JSON.parse(data!) as { data: unknown; errors?: unknown }) };
    });

test('an answer grows as its nodes answer: each event is complete, and no node is queried twice', async (t) => {
  const { node, search } = slowNode();
  const app = await openApp(t, { east: two, west: search });
  const response = await fetch(`${app.url}/network/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  t.is(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body!) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (eventsIn(text).some(({ data }) => JSON.stringify(data) === JSON.stringify(answerOf(2, pending))))
      node.answer();
  }
  const events = eventsIn(text);
  t.deepEqual(events.at(-1), { event: 'done', data: answerOf(4, { state: 'ok', errors: '', hits: 2 }) });
  t.true(events.slice(0, -1).every(({ event }) => event === 'answer'));
  t.is(node.queries, 1);
});

test('a facet that a node cannot compute is not covered there in any event, and nothing else changes', async (t) => {
  const error = new TributaryError('BAD_USER_INPUT', 'its values are not counted');
  const unable: SearchFn = async (requested, context) => {
    const answer = await two(requested, context);
    return { ...answer, facets: answer.facets.map(() => ({ kind: 'failed', error }) as const) };
  };
  const { node, search } = slowNode();
  const app = await openApp(t, { east: unable, west: search });
  const response = await fetch(`${app.url}/network/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body!) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (/"total":2/.test(text)) node.answer();
  }
  const events = eventsIn(text) as unknown as readonly {
    readonly data: {
      readonly tree: { readonly hits: unknown; readonly aggregations: { readonly genus: unknown } };
    };
  }[];
  const interim = events.find(({ data }) => JSON.stringify(data.tree.hits).includes('"total":2'))!;
  t.like(interim.data.tree.hits, { total: 2, partial: true });
  const last = events.at(-1)!;
  t.like(last.data.tree.hits, { total: 4, partial: false });
  t.deepEqual(last.data.tree.aggregations.genus, {
    buckets: [
      { key: 'Acer', doc_count: 1 },
      { key: 'Tilia', doc_count: 1 },
    ],
    coverage: [
      { nodeId: 'east', state: 'notCovered' },
      { nodeId: 'west', state: 'answered' },
    ],
  });
  for (const event of events) {
    const genus = JSON.stringify(event.data.tree.aggregations.genus);
    t.false(genus.includes('"nodeId":"east","state":"answered"'), genus);
  }
});

test('a client that leaves a growing answer ends the work', async (t) => {
  const { node, search } = slowNode();
  const app = await openApp(t, { east: two, west: search });
  const leaving = new AbortController();
  const response = await fetch(`${app.url}/network/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
    signal: leaving.signal,
  });
  await response.body!.getReader().read();
  leaving.abort();
  while (node.left === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  t.is(node.queries, 1);
});

test('invalid operations are refused as in GraphQL, and only POST is accepted', async (t) => {
  const app = await openApp(t, { east: two, west: two });
  const post = (body: object) =>
    fetch(`${app.url}/network/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const [refused] = eventsIn(await (await post({ query: '{ east { tree { hits { total } } } }' })).text());
  t.is(refused!.event, 'done');
  t.like((refused!.errors as object[])[0], { extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } });
  t.is((await fetch(`${app.url}/network/stream?query={tree{hits{total}}}`)).status, 405);
});

test('waitFor returns without the nodes that have not answered by then', async (t) => {
  const { node, search } = slowNode();
  const app = await openApp(t, { east: two, west: search });
  const send = async (text: string): Promise<unknown> =>
    (JSON.parse(await (await app.query('/network/graphql', text)).text()) as { data: unknown }).data;
  t.deepEqual(
    await send(query.replace('tree', 'tree(waitFor: { share: 0.5, ms: 1 })')),
    answerOf(2, pending),
  );
  t.deepEqual(
    await send(
      '{ network(waitFor: { share: 0, ms: 1 }, nodesFilter: ["west"]) { total partial nodes { nodeId state } } }',
    ),
    {
      network: {
        total: null,
        partial: true,
        nodes: [
          { nodeId: 'east', state: 'excluded' },
          { nodeId: 'west', state: 'pending' },
        ],
      },
    },
  );
  const required = send(
    '{ tree(waitFor: { share: 0, ms: 1 }, required: ["west"]) { hits(first: 0) { total partial } } }',
  );
  setTimeout(() => node.answer(), 300);
  t.deepEqual(await required, { tree: { hits: { total: 4, partial: false } } });
  t.like(
    JSON.parse(
      await (
        await app.query('/network/graphql', '{ tree(waitFor: { share: 2, ms: 1 }) { hits { total } } }')
      ).text(),
    ),
    {
      errors: [{ extensions: { code: 'BAD_USER_INPUT' } }],
    },
  );
});

test('aliases that differ in their page only get a page each', async (t) => {
  const many = searchOf(['a', 'b', 'c', 'd'].map((id) => ({ id, genus: 'Acer' })));
  const app = await openApp(t, { east: many });
  const page = (after: string): string =>
    `hits(first: 1, ${after} sort: [{ fieldName: "id" }]) { edges { searchAfter node { id } } }`;
  type Page = {
    readonly hits: { readonly edges: readonly { searchAfter: unknown; node: { id: string } }[] };
  };
  const send = async (source: string, variables: object): Promise<Record<string, Page>> => {
    const response = await fetch(`${app.url}/network/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: source, variables }),
    });
    return eventsIn(await response.text()).at(-1)!.data as Record<string, Page>;
  };
  const edgeAt = async (cursor: unknown) => {
    const { tree } = await send(`query($c: JSON) { tree { ${page('searchAfter: $c,')} } }`, { c: cursor });
    return tree!.hits.edges[0]!;
  };
  const first = await edgeAt(null);
  const second = await edgeAt(first.searchAfter);
  const { one, other } = await send(
    `query($c: JSON, $d: JSON) { one: tree { ${page('searchAfter: $c,')} } other: tree { ${page('searchAfter: $d,')} } }`,
    { c: first.searchAfter, d: second.searchAfter },
  );
  t.deepEqual(
    [one, other].map((found) => found!.hits.edges[0]!.node.id),
    ['b', 'c'],
  );
});
