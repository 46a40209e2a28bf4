import test from 'ava';
import type { ExecutionContext } from 'ava';
import { buildSchema } from 'graphql';
import { read, runApp } from '../../server/http/running-app.ts';
import { fieldsOf, searchOf } from '../collection.ts';
import { serveCatalogue, serveSchema } from '../remote-server.ts';
import { testNetwork } from '../../builders.ts';

const fields = fieldsOf({ id: 'keyword', genus: 'keyword' });
const rows = [
  { id: 'a', genus: 'Acer' },
  { id: 'b', genus: 'Acer' },
];

/** A node whose lists of values are keys and counts, and no more. */
const servePlain = async () => {
  const schema = buildSchema(`
    scalar JSON
    input Sort { fieldName: String, order: String }
    type Query { tree: Tree }
    type Tree {
      hits(filters: JSON, first: Int, offset: Int, sort: [Sort], searchAfter: JSON, trackTotalHits: Boolean): Hits
      aggregations(filters: JSON, aggregations_filter_themselves: Boolean, include_missing: Boolean): Facets
    }
    type Hits { total: Int edges: [Edge] }
    type Edge { searchAfter: JSON node: Node }
    type Node { id: ID genus: String }
    type Facets { genus: Facet }
    type Facet { bucket_count: Int cardinality: Int buckets(max: Int): [Bucket] }
    type Bucket { key: String key_as_string: String doc_count: Int }
  `);
  schema.getQueryType()!.getFields()['tree']!.resolve = () => ({
    hits: { total: 3, edges: [] },
    aggregations: { genus: { bucket_count: 1, cardinality: 1, buckets: [{ key: 'Acer', doc_count: 3 }] } },
  });
  const plain = await serveSchema(schema);
  return plain;
};

const openBoth = async (t: ExecutionContext) => {
  const [plain, whole] = [await servePlain(), await serveCatalogue('tree', fields, searchOf(rows))];
  const documentType = 'tree';
  const network = await testNetwork(
    t,
    Object.entries({ plain, whole }).map(([nodeId, remote]) => ({ nodeId, documentType, remote })),
    { network: { documentType } },
  );
  const app = await runApp(t, { network });
  return { plain, send: async (query: string) => (await read(app.query('/network/graphql', query))).body };
};

const query = '{ tree { aggregations { genus { buckets { key doc_count } coverage { nodeId state } } } } }';

test('a node that counts values is queried for them', async (t) => {
  const { plain, send } = await openBoth(t);
  t.like(await send(query), {
    data: {
      tree: {
        aggregations: {
          genus: {
            buckets: [{ key: 'Acer', doc_count: 5 }],
            coverage: [
              { nodeId: 'plain', state: 'answered' },
              { nodeId: 'whole', state: 'answered' },
            ],
          },
        },
      },
    },
  });
  t.is(plain.queries.length, 1);
});
