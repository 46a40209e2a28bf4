import type { ExecutionContext } from 'ava';
import test from 'ava';
import { TributaryError } from '../../../../src/lib/errors/errors.ts';
import type { SearchFn } from '../../../../src/search/query.ts';
import { fieldsOf, searchOf } from '../../../federation/collection.ts';
import { catalogueOf } from '../../../federation/remote-server.ts';
import { read, runApp } from '../running-app.ts';
import { testNetwork } from '../../../builders.ts';

const fields = fieldsOf({ id: 'keyword', genus: 'keyword' });
const isDown: SearchFn = () => Promise.reject(new TributaryError('ENGINE_UNAVAILABLE', 'the engine is down'));

/** A network of catalogues of this process, on a server. */
const openApp = async (
  t: ExecutionContext,
  searches: Readonly<Record<string, SearchFn>>,
  documentType = 'tree',
) => {
  const nodes = Object.entries(searches).map(([nodeId, search]) => ({
    nodeId,
    catalogue: catalogueOf('tree', fields, search),
  }));
  const network = await testNetwork(t, nodes, { network: { documentType } });
  const app = await runApp(t, { network });
  return async (query: string) => (await read(app.query('/network/graphql', query))).body;
};

const two = searchOf([
  { id: 'a', genus: 'Acer' },
  { id: 'b', genus: 'Tilia' },
]);
const both =
  '{ tree { hits { total partial edges { nodeId } } aggregations { genus { buckets { key doc_count } } } } }';

test('a partial answer is reported in extensions, with the state of each node', async (t) => {
  const send = await openApp(t, { east: two, west: isDown });
  t.deepEqual(await send(both), {
    data: {
      tree: {
        hits: { total: 2, partial: true, edges: [{ nodeId: 'east' }, { nodeId: 'east' }] },
        aggregations: {
          genus: {
            buckets: [
              { key: 'Acer', doc_count: 1 },
              { key: 'Tilia', doc_count: 1 },
            ],
          },
        },
      },
    },
    extensions: {
      network: {
        partial: true,
        nodes: [
          { nodeId: 'east', state: 'ok', hits: 2 },
          { nodeId: 'west', state: 'unreachable', hits: 0 },
        ],
      },
    },
  });
});

test('a complete answer has no such extension, nor has one that excludes nodes by request', async (t) => {
  const send = await openApp(t, { east: two, west: two });
  t.is((await send(both))['extensions'], undefined);
  const one = await openApp(t, { east: two, west: isDown });
  const { data, extensions } = await one('{ tree(nodesFilter: ["east"]) { hits { total partial } } }');
  t.deepEqual([data, extensions], [{ tree: { hits: { total: 2, partial: false } } }, undefined]);
});

test('nodes that are not awaited any longer are pending, and no failure', async (t) => {
  const slow = Promise.withResolvers<Awaited<ReturnType<SearchFn>>>();
  const send = await openApp(t, { east: () => slow.promise });
  const { data, errors } = await send(
    '{ tree(waitFor: { share: 0, ms: 1 }) { hits { total partial nodes { nodeId state } } } }',
  );
  t.is(errors, undefined);
  t.like(data, { tree: { hits: { partial: true, nodes: [{ nodeId: 'east', state: 'pending' }] } } });
  slow.resolve({ total: 0, hits: [], facets: [], warnings: [] });
});

test('where no node answers, hits and facets are null with one error that names the nodes', async (t) => {
  const send = await openApp(t, { east: isDown, west: isDown });
  const { data, errors } = await send(both);
  t.deepEqual(data, { tree: { hits: null, aggregations: null } });
  t.is((errors as object[]).length, 1, JSON.stringify(errors));
  t.like(errors, [
    {
      message: 'no node of the network answered: "east" unreachable, "west" unreachable',
      path: ['tree', 'hits'],
      extensions: {
        code: 'ENGINE_UNAVAILABLE',
        details: {
          nodes: [
            { nodeId: 'east', state: 'unreachable' },
            { nodeId: 'west', state: 'unreachable' },
          ],
        },
      },
    },
  ]);
});

test('when no node answers, the field network still reports the state of each, without an error', async (t) => {
  const send = await openApp(t, { east: isDown, west: isDown });
  const body = await send('{ network { total partial nodes { nodeId state hits } hits { total } } }');
  t.is(body['errors'], undefined);
  t.like(body['data'], {
    network: {
      total: null,
      partial: true,
      nodes: [
        { nodeId: 'east', state: 'unreachable' },
        { nodeId: 'west', state: 'unreachable' },
      ],
    },
  });
});

for (const name of ['tree', 'sets', 'viewer', 'query', 'node'])
  test(`a node whose id is the root field ${name} has none of its own, and the network keeps its own`, async (t) => {
    const send = await openApp(t, { [name]: two, west: two });
    const plain = '{ tree { hits { total } } network { total } }';
    t.deepEqual(await send(plain), { data: { tree: { hits: { total: 4 } }, network: { total: 4 } } });
    // which needs the schema that also has the nodes
    const body = await send('{ tree { hits { total } } west { tree { hits { total } } } }');
    t.deepEqual(body, { data: { tree: { hits: { total: 4 } }, west: { tree: { hits: { total: 2 } } } } });
  });
