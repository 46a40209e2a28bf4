import type { ExecutionContext } from 'ava';
import test from 'ava';
import { graphql } from 'graphql';
import { openNetwork } from '../../src/federation/network.ts';
import { readNodes } from '../../src/federation/nodes.ts';
import { fieldsOf, searchOf } from './collection.ts';
import { callerOf } from './node-fixtures.ts';
import { catalogueOf, deadUrl, serveCatalogue } from './remote-server.ts';

const fields = fieldsOf({ id: 'keyword', genus: 'keyword', fruits: 'nested', 'fruits.colour': 'keyword' });

const openBoth = async (t: ExecutionContext) => {
  const remote = await serveCatalogue('tree', fields, searchOf([{ id: 'c1', genus: 'Acer' }]));
  const catalogue = catalogueOf('tree', fields, searchOf([{ id: 'p1', genus: 'Tilia' }]));
  const config = readNodes(
    {
      network: { documentType: 'tree' },
      nodes: [
        { nodeId: 'park', catalogue: 'tree' },
        { nodeId: 'city-trees', graphqlUrl: remote.url, headers: ['x-team'] },
        { nodeId: 'gone', graphqlUrl: await deadUrl(), discoveryTimeoutMs: 100 },
      ],
    },
    'nodes.json',
  );
  const network = openNetwork(config, () => ({ status: 'available', config: catalogue.config, catalogue }));
  t.teardown(async () => {
    await network.close();
    await remote.close();
  });
  await network.ready;
  const ask = async (source: string) => {
    const contextValue = callerOf([], { 'x-team': 'green', cookie: 'secret' });
    return JSON.parse(JSON.stringify(await graphql({ schema: network.schema(), source, contextValue }))) as {
      data: Record<string, unknown> | null;
      errors?: readonly { message: string }[];
    };
  };
  return { network, remote, ask };
};

const trees = 'tree { __typename hits(first: 1) { total edges { node { id genus } } } }';

test('each healthy node has its own schema under its id, beside the merged field', async (t) => {
  const { ask, network } = await openBoth(t);
  t.deepEqual(Object.keys(network.schema().getQueryType()!.getFields()), ['network', 'park', 'city_trees']);
  const { data, errors } = await ask(
    `{ park { ${trees} } city_trees { alias: ${trees} } network { total } }`,
  );
  t.is(errors, undefined);
  const tree = (prefix: string, id: string, genus: string) => ({
    __typename: `${prefix}_tree`,
    hits: { total: 1, edges: [{ node: { id, genus } }] },
  });
  t.deepEqual(data, {
    park: { tree: tree('park', 'p1', 'Tilia') },
    city_trees: { alias: tree('city_trees', 'c1', 'Acer') },
    network: { total: 2 },
  });
});

test('a node that breaks down nulls its own part only, and its words stay there', async (t) => {
  const { ask, remote } = await openBoth(t);
  const seen: unknown[] = [];
  remote.fault = ({ headers }, response) => {
    seen.push(headers['x-team'], headers.cookie);
    response.end('{"data":null,"errors":[{"message":"at /srv/secret.ts:1:1"}]}');
    return true;
  };
  const { data, errors } = await ask(`{ park { ${trees} } city_trees { ${trees} } }`);
  t.like(data, { park: { tree: { hits: { total: 1 } } }, city_trees: { tree: null } });
  t.deepEqual(errors?.map(({ message }) => message), ['answered with GraphQL errors']); // prettier-ignore
  t.deepEqual(seen, ['green', undefined]);
});
