import type { ExecutionContext } from 'ava';
import test from 'ava';
import type { SearchFn } from '../../../../src/search/query.ts';
import { fieldsOf, searchOf } from '../../../federation/collection.ts';
import { catalogueOf, serveCatalogue } from '../../../federation/remote-server.ts';
import { runApp } from '../running-app.ts';
import { testNetwork } from '../../../builders.ts';

const fields = fieldsOf({ id: 'keyword', genus: 'keyword' });
const two = searchOf([
  { id: 'a', genus: 'Acer' },
  { id: 'b', genus: 'Tilia' },
]);

/** A node that answers once it is released. */
const slowNode = () => {
  const released = Promise.withResolvers<undefined>();
  const search: SearchFn = async (query, context) => {
    await released.promise;
    return two(query, context);
  };
  return { answer: () => released.resolve(undefined), search };
};

const openApp = async (t: ExecutionContext, searches: Readonly<Record<string, SearchFn>>) => {
  const nodes = Object.entries(searches).map(([nodeId, search]) => ({
    nodeId,
    catalogue: catalogueOf('tree', fields, search),
  }));
  const network = await testNetwork(t, nodes, { network: { documentType: 'tree' } });
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

test('waitFor returns without the nodes that have not answered by then', async (t) => {
  const { answer, search } = slowNode();
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
  setTimeout(answer, 300);
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

/** A network of remote nodes, of which west answers queries once it is released. */
const openRemotes = async (t: ExecutionContext) => {
  const slow = slowNode();
  let isDiscovered = false;
  const slowOnceDiscovered: SearchFn = (...asked) => (isDiscovered ? slow.search : two)(...asked);
  const servers = await Promise.all(
    [two, slowOnceDiscovered].map((search) => serveCatalogue('tree', fields, search)),
  );
  const [east, west] = servers as [(typeof servers)[0], (typeof servers)[0]];
  const documentType = 'tree';
  const nodes = Object.entries({ east, west }).map(([nodeId, remote]) => ({ nodeId, remote, documentType }));
  const network = await testNetwork(t, nodes, { network: { documentType } });
  t.teardown(slow.answer);
  isDiscovered = true;
  const app = await runApp(t, { network });
  const send = async (text: string, signal?: AbortSignal): Promise<unknown> => {
    const response = await fetch(`${app.url}/network/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: text }),
      signal: signal ?? null,
    });
    return ((await response.json()) as { data: unknown }).data;
  };
  return { west, answer: slow.answer, send };
};

const hurried = query.replace('tree', 'tree(waitFor: { share: 0.5, ms: 200 })');
const whole = answerOf(4, { state: 'ok', errors: '', hits: 2 });

test('a question sent with waitFor and without, together, asks a node once: first a part, then the whole', async (t) => {
  const { west, answer, send } = await openRemotes(t);
  const [first, second] = [send(hurried), send(query)];
  t.deepEqual(await first, answerOf(2, pending));
  // the request that ended at waitFor has left the shared one
  await new Promise((resolve) => setTimeout(resolve, 100));
  answer();
  t.deepEqual(await second, whole);
  t.is(west.queries.length, 1);
});

test('whoever leaves or waits no longer makes no other answer partial, whoever came first', async (t) => {
  const { west, answer, send } = await openRemotes(t);
  const leaving = new AbortController();
  const left = t.throwsAsync(send(query, leaving.signal), { name: 'AbortError' });
  while (west.queries.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const patient = [send(query), send(query)];
  t.deepEqual(await send(hurried), answerOf(2, pending));
  leaving.abort();
  await left;
  await new Promise((resolve) => setTimeout(resolve, 100));
  answer();
  t.deepEqual(await Promise.all(patient), [whole, whole]);
  t.is(west.queries.length, 1);
});
