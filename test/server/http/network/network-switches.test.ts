import type { ExecutionContext } from 'ava';
import test from 'ava';
import { fieldsOf, searchOf } from '../../../federation/collection.ts';
import { catalogueOf } from '../../../federation/remote-server.ts';
import { noSwitches } from '../../../../src/introspection/fields/catalogue-config.ts';
import { defaultSettings, read, runApp } from '../running-app.ts';
import { testNetwork } from '../../../builders.ts';

/** A network of one node on a server with some switches. */
const openApp = async (
  t: ExecutionContext,
  switches: Partial<typeof noSwitches>,
  introspectionDisabled = false,
) => {
  const fields = fieldsOf({ id: 'keyword', genus: 'keyword' });
  const catalogue = catalogueOf('tree', fields, searchOf([{ id: 'a', genus: 'Acer' }]));
  const network = await testNetwork(t, [{ nodeId: 'east', catalogue }], {
    network: { documentType: 'tree' },
    switches: { ...noSwitches, ...switches },
  });
  const own = { ...defaultSettings.network, introspectionDisabled, switches: { ...noSwitches, ...switches } };
  return runApp(t, { network, settings: { network: own } });
};

const total = '{ tree { hits { total } } }';
const filtered =
  '{ tree { hits(filters: { op: "in", content: { fieldName: "genus", value: ["Acer"] } }) { total } } }';
const browser = { accept: 'text/html' };

test('a network without filters refuses those in a document and in variables, and answers the rest', async (t) => {
  const app = await openApp(t, { disableFilters: true });
  const refusal = { errors: [{ message: 'filters are disabled here', extensions: { code: 'FORBIDDEN' } }] };
  t.like((await read(app.query('/network/graphql', filtered))).body, refusal);
  const ofField = filtered.replace('tree { hits(', 'network(').replace('{ total } }', '{ total }');
  t.like((await read(app.query('/network/graphql', ofField))).body, refusal);
  const source = 'query($filters: JSON) { tree { hits(filters: $filters) { total } } }';
  const filters = { op: 'in', content: { fieldName: 'genus', value: ['Acer'] } };
  t.deepEqual(await read(app.query('/network/graphql/tag', source, { filters })), {
    status: 400,
    body: { error: 'Filters are disabled for this server.' },
  });
  t.deepEqual((await read(app.query('/network/graphql', total))).body, {
    data: { tree: { hits: { total: 1 } } },
  });
  const open = await openApp(t, {});
  t.deepEqual((await read(open.query('/network/graphql', filtered))).body, {
    data: { tree: { hits: { total: 1 } } },
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
    data: { tree: { hits: { total: 1 } } },
  });
});
