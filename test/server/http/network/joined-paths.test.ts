import type { ExecutionContext } from 'ava';
import test from 'ava';
import { z } from 'zod';
import { fieldsOf, searchOf } from '../../../federation/collection.ts';
import { catalogueOf } from '../../../federation/remote-server.ts';
import { read, runApp } from '../running-app.ts';
import { testNetwork } from '../../../builders.ts';

// Servers of the Model Context Protocol, through which language models search a catalogue, know one address: they ask
// for what a server lists there, and put the paths of the list behind that address.

const trees = {
  east: [
    { id: 'e1', genus: 'Acer', height: 20 },
    { id: 'e2', genus: 'Tilia', height: 31 },
  ],
  west: [
    { id: 'w1', genus: 'Acer', height: 12 },
    { id: 'w2', genus: 'Betula' },
  ],
};
const fields = fieldsOf({ id: 'keyword', genus: 'keyword', height: 'long' });

const network = (t: ExecutionContext) =>
  testNetwork(
    t,
    Object.entries(trees).map(([nodeId, rows]) => ({
      nodeId,
      catalogue: catalogueOf(nodeId, fields, searchOf(rows)),
    })),
    { network: { displayName: 'Trees', documentType: 'tree' } },
  );

/** What such a client reads of the lists; whatever else is there, it ignores. */
const listed = z.object({
  catalogs: z.record(
    z.string(),
    z.object({
      description: z.string().optional(),
      documentType: z.string(),
      paths: z.object({ fields: z.string().optional(), graphql: z.string(), introspection: z.string() }),
    }),
  ),
});
const described = z.object({
  documentType: z.string(),
  description: z.string().optional(),
  generatedAt: z.string(),
  meta: z.object({ authFiltered: z.boolean() }),
  operators: z.record(z.string(), z.array(z.string())),
  fields: z.record(
    z.string(),
    z.object({ displayName: z.string(), type: z.string(), unit: z.string().nullable().optional() }),
  ),
});
const operator = z.object({
  op: z.string(),
  valueType: z.string(),
  applicableTo: z.union([z.literal('all'), z.array(z.string())]),
});
const sqonDescribed = z.object({
  $schema: z.string(),
  title: z.string(),
  description: z.string(),
  version: z.string(),
  aliases: z.record(z.string(), z.string()),
  operators: z.object({ combination: z.array(z.string()), field: z.array(operator) }),
  schema: z.record(z.string(), z.unknown()),
});

const question = `query Ask($filters: JSON, $first: Int, $offset: Int, $sort: [Sort], $missing: Boolean, $themselves: Boolean) {
  tree {
    hits(filters: $filters, first: $first, offset: $offset, sort: $sort) { total edges { node { id genus height } } }
    aggregations(filters: $filters, include_missing: $missing, aggregations_filter_themselves: $themselves) {
      genus { bucket_count buckets { key key_as_string doc_count } }
      height { stats { min max avg sum count } }
    }
  }
}`;

test('a network is found and queried by its address alone, with the listed paths behind it', async (t) => {
  const app = await runApp(t, { network: await network(t) });
  const get = async (path: string) => (await read(app.get(`/network${path}`))).body;
  const { catalogs } = listed.parse(await get('/introspection'));
  t.deepEqual(Object.keys(catalogs), ['network']);
  const { paths, documentType } = catalogs['network']!;
  t.is(documentType, 'tree');
  sqonDescribed.parse(await get('/introspection/sqon'));
  const detail = described.parse(await get('/introspection/network'));
  t.deepEqual(detail, described.parse(await get(paths.introspection)));
  t.deepEqual(detail, described.parse(await get(paths.fields!)));
  t.like(detail.fields, { genus: { type: 'keyword' }, height: { type: 'long' } });
  t.true(detail.operators['keyword']!.includes('in'));
  const variables = {
    filters: {
      op: 'and',
      content: [{ op: 'in', content: { fieldName: 'genus', value: ['Acer', 'Betula'] } }],
    },
    ...{ first: 2, offset: 0, sort: [{ fieldName: 'height', order: 'desc', missing: 'last' }] },
    ...{ missing: true, themselves: true },
  };
  const { status, body } = await read(app.query(`/network${paths.graphql}`, question, variables));
  t.is(status, 200);
  t.deepEqual(body, {
    data: {
      tree: {
        hits: {
          total: 3,
          edges: [
            { node: { id: 'e1', genus: 'Acer', height: 20 } },
            { node: { id: 'w1', genus: 'Acer', height: 12 } },
          ],
        },
        aggregations: {
          genus: {
            bucket_count: 2,
            buckets: [
              { key: 'Acer', key_as_string: null, doc_count: 2 },
              { key: 'Betula', key_as_string: null, doc_count: 1 },
            ],
          },
          height: { stats: { min: 12, max: 20, avg: 16, sum: 32, count: 2 } },
        },
      },
    },
  });
});

test('the base of one network behind that of another is nothing', async (t) => {
  const app = await runApp(t, { network: await network(t) });
  for (const path of ['/a/network/b/network/graphql', '/a/network/b/network/introspection'])
    t.is((await read(app.get(path))).status, 404, path);
});
