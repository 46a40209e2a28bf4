import type { ExecutionContext } from 'ava';
import test from 'ava';
import { fieldsOf, searchOf } from '../../../federation/collection.ts';
import { catalogueOf, serveSchema } from '../../../federation/remote-server.ts';
import { noSwitches } from '../../../../src/introspection/fields/catalogue-config.ts';
import { defaultSettings, read, runApp } from '../running-app.ts';
import { buildCatalogueSchema } from '../../../../src/local/schema/schema.ts';
import { testNetwork } from '../../../builders.ts';

/** A network of a catalogue and a remote node on a server with some switches. */
const openApp = async (
  t: ExecutionContext,
  switches: Partial<typeof noSwitches>,
  introspectionDisabled = false,
) => {
  const fields = fieldsOf({ id: 'keyword', genus: 'keyword' });
  const catalogue = catalogueOf('tree', fields, searchOf([{ id: 'a', genus: 'Acer' }]));
  const remote = await serveSchema(buildCatalogueSchema(catalogue));
  const network = await testNetwork(
    t,
    [
      { nodeId: 'east', catalogue },
      { nodeId: 'far', remote, documentType: 'tree' },
    ],
    { network: { documentType: 'tree' } },
  );
  const own = { ...defaultSettings.network, introspectionDisabled, switches: { ...noSwitches, ...switches } };
  return runApp(t, { network, settings: { network: own } });
};

const total = '{ tree { hits { total } } }';
const filtered =
  '{ tree { hits(filters: { op: "in", content: { fieldName: "genus", value: ["Acer"] } }) { total } } }';
const browser = { accept: 'text/html' };

test('a network without filters refuses those in a document and in variables, and answers the rest', async (t) => {
  const app = await openApp(t, { disableFilters: true });
  const refusal = { status: 400, body: { error: 'Filters are disabled for this server.' } };
  t.deepEqual(await read(app.query('/network/graphql', filtered)), refusal);
  const source = 'query($sqon: JSON) { tree { hits(filters: $sqon) { total } } }';
  const sqon = { op: 'in', content: { fieldName: 'genus', value: ['Acer'] } };
  t.deepEqual(await read(app.query('/network/graphql/tag', source, { sqon })), refusal);
  t.deepEqual((await read(app.query('/network/graphql', total))).body, {
    data: { tree: { hits: { total: 2 } } },
  });
  const open = await openApp(t, {});
  t.deepEqual((await read(open.query('/network/graphql', filtered))).body, {
    data: { tree: { hits: { total: 2 } } },
  });
});

test("a network without filters refuses those of a node's root field and of the field network", async (t) => {
  const app = await openApp(t, { disableFilters: true });
  const leaf = '{ op: "in", content: { fieldName: "genus", value: ["Acer"] } }';
  const filter = { op: 'in', content: { fieldName: 'genus', value: ['Acer'] } };
  for (const [query, variables] of [
    [`{ far { tree { hits(filters: ${leaf}) { total } } } }`],
    ['query($f: JSON) { far { tree { hits(filters: $f) { total } } } }', { f: filter }],
    [`query($f: JSON = ${leaf}) { far { tree { hits(filters: $f) { total } } } }`],
    [
      `{ far { ...F } } fragment F on far_Query { tree { aggregations(filters: ${leaf}) { genus { bucket_count } } } }`,
    ],
    [`{ far { tree { aggregations { genus { buckets { filter_by_term(filter: ${leaf}) } } } } } }`],
    [`{ network(filters: ${leaf}) { total } }`],
  ] as const) {
    const answer = await read(app.query('/network/graphql', query, variables));
    t.deepEqual(answer, { status: 400, body: { error: 'Filters are disabled for this server.' } }, query);
  }
  t.deepEqual((await read(app.query('/network/graphql', '{ far { tree { hits { total } } } }'))).body, {
    data: { far: { tree: { hits: { total: 1 } } } },
  });
});

test('a network without downloads has no such route', async (t) => {
  const path = '/network/download?params=%7B%7D';
  t.like(await read((await openApp(t, { disableDownloads: true })).get(path)), {
    status: 404,
    body: { error: { code: 'NOT_FOUND' } },
  });
  t.is((await (await openApp(t, {})).get(path)).status, 400);
});

test('a network without a page answers a browser as a client', async (t) => {
  t.is((await (await openApp(t, { disablePlayground: true })).get('/network/graphql', browser)).status, 400);
  t.is((await (await openApp(t, {})).get('/network/graphql', browser)).status, 200);
});

test('a network without GraphQL introspection refuses it, and describes its fields by REST', async (t) => {
  const app = await openApp(t, {}, true);
  const { status, body } = await read(app.query('/network/graphql', '{ __schema { queryType { name } } }'));
  t.is(status, 400);
  t.truthy(body['errors']);
  t.is((await app.get('/network/introspection/network')).status, 200);
  t.deepEqual((await read(app.query('/network/graphql', total))).body, {
    data: { tree: { hits: { total: 2 } } },
  });
});
