import type { ExecutionContext } from 'ava';
import test from 'ava';
import { graphql } from 'graphql';
import { openNetwork } from '../../src/federation/network.ts';
import { readNodes } from '../../src/federation/config/read-nodes.ts';
import type { CatalogueState } from '../../src/search/catalogue.ts';
import { fieldsOf, searchOf } from './collection.ts';
import { contextOf } from './node-fixtures.ts';
import { catalogueOf, serveSchema } from './remote-server.ts';

/** What a network has: catalogues by the field that they have besides `id`, and networks that are served. */
interface Level {
  readonly catalogues: Readonly<Record<string, string>>;
  readonly networks?: Readonly<Record<string, { readonly url: string; readonly fields?: object }>>;
}

const openLevel = async (t: ExecutionContext, { catalogues, networks = {} }: Level) => {
  const states = new Map(
    Object.entries(catalogues).map(([id, field]): [string, CatalogueState] => {
      const fields = fieldsOf({ id: 'keyword', [field]: 'keyword' });
      const catalogue = catalogueOf(id, fields, searchOf([{ id: `${id}1`, [field]: 'Acer' }]));
      return [id, { status: 'available', config: catalogue.config, catalogue }];
    }),
  );
  const nodes = [
    ...Object.keys(catalogues).map((nodeId) => ({ nodeId, catalogue: nodeId })),
    ...Object.entries(networks).map(([nodeId, { url, fields }]) => ({
      nodeId,
      graphqlUrl: url,
      timeoutMs: 60_000,
      discoveryTimeoutMs: 60_000,
      ...(fields && { fields }),
    })),
  ];
  const config = readNodes({ network: { documentType: 'tree' }, nodes }, 'nodes.json');
  const network = openNetwork(config, (id) => states.get(id), { readyWaitMs: 60_000 });
  t.teardown(network.close);
  await network.ready;
  return network;
};

const serveLevel = async (t: ExecutionContext, level: Level) => {
  const served = await serveSchema((await openLevel(t, level)).ownSchema());
  t.teardown(served.close);
  return { url: served.url };
};

const askIn = async (t: ExecutionContext, level: Level) => {
  const network = await openLevel(t, level);
  return async (source: string): Promise<unknown> => {
    const { data, errors } = await graphql({
      schema: network.ownSchema(),
      source,
      contextValue: contextOf([]),
    });
    if (errors) throw errors[0]!;
    return JSON.parse(JSON.stringify(data));
  };
};

const covered = (nodeId: string) => ({ nodeId, state: 'answered', docs: 1 });
const lacking = (nodeId: string) => ({ nodeId, state: 'notCovered', docs: null });

test('coverage says which catalogues of networks have a field, whatever else is selected', async (t) => {
  const lake = await serveLevel(t, { catalogues: { a: 'genus', b: 'phylum' } });
  const land = await serveLevel(t, { catalogues: { c: 'phylum' } });
  const world = await serveLevel(t, { catalogues: { d: 'genus' }, networks: { lake, land } });
  const sea = await serveLevel(t, { catalogues: { e: 'phylum' } });
  const runQuery = await askIn(t, { catalogues: { f: 'phylum' }, networks: { sea, world } });
  const coverage = [
    lacking('f'),
    lacking('sea/e'),
    covered('world/d'),
    covered('world/lake/a'),
    lacking('world/lake/b'),
    lacking('world/land/c'),
  ];
  const selections = ['', 'buckets { key }', 'bucket_count'].flatMap((measure) =>
    ['', 'phylum { bucket_count }'].map(
      (beside) => `aggregations { genus { ${measure} coverage { nodeId state docs } } ${beside} }`,
    ),
  );
  for (const selection of selections)
    for (const field of ['network', 'tree'])
      t.like(
        await runQuery(`{ ${field} { ${selection} } }`),
        { [field]: { aggregations: { genus: { coverage } } } },
        `${field}: ${selection}`,
      );
});

test('coverage alone takes the names that a network has, and goes with hits and other lists', async (t) => {
  const lake = await serveLevel(t, { catalogues: { a: 'genus', b: 'phylum' } });
  const runQuery = await askIn(t, {
    catalogues: {},
    networks: { lake: { ...lake, fields: { taxon: 'genus' } } },
  });
  const coverage = [covered('lake/a'), lacking('lake/b')];
  t.deepEqual(
    await runQuery(`{ tree { hits { total } one: aggregations { taxon { coverage { nodeId state docs } } }
      two: aggregations { phylum { buckets { key } } } three: aggregations(include_missing: false) { taxon { coverage { nodeId state docs } } } } }`),
    {
      tree: {
        hits: { total: 2 },
        one: { taxon: { coverage } },
        two: { phylum: { buckets: [{ key: 'Acer' }] } },
        three: { taxon: { coverage } },
      },
    },
  );
});
