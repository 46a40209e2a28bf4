import test from 'ava';
import { openRegistry } from '../../../src/local/registry.ts';
import { noSwitches } from '../../../src/introspection/fields/catalogue-config.ts';
import { bookConfig } from '../../local/catalogue-fixture.ts';
import { libraryEngine, read, runApp } from './running-app.ts';
import { testNetwork } from '../../builders.ts';

const open = bookConfig({ catalogueId: 'open', switches: { ...noSwitches, enableGraphQLBatching: true } });
const closed = bookConfig({
  catalogueId: 'closed',
  switches: { ...noSwitches, disableDownloads: true, disableFilters: true, disablePlayground: true },
});
const catalogues = [open, closed];

const total = '{ book { hits { total } } }';
const browser = { accept: 'text/html' };
const filters = { op: 'in', content: { fieldName: 'title', value: ['Atlas'] } };
const filtered = 'query($any: JSON) { book { hits(filters: $any) { total } } }';

test('the page is there for one catalogue and not for another', async (t) => {
  const app = await runApp(t, { catalogues });
  t.is((await app.get('/open/graphql', browser)).status, 200);
  for (const path of ['/closed/graphql', '/closed/graphql/tag', '/Closed/graphql'])
    t.is((await app.get(path, browser)).status, 400, path);
});

test('filters are refused by one catalogue and answered by another', async (t) => {
  const app = await runApp(t, { catalogues });
  t.is((await read(app.query('/open/graphql', filtered, { any: filters }))).status, 200);
  t.deepEqual(await read(app.query('/closed/graphql', filtered, { any: filters })), {
    status: 400,
    body: { error: 'Filters are disabled for this server.' },
  });
  t.is((await read(app.query('/closed/graphql', total))).status, 200);
});

test('downloads are there for one catalogue, and no route of another', async (t) => {
  const app = await runApp(t, { catalogues });
  const params = encodeURIComponent(JSON.stringify({ files: [{ columns: [{ fieldName: 'title' }] }] }));
  t.is((await app.get(`/open/download?params=${params}`)).status, 200);
  t.deepEqual(await read(app.get(`/closed/download?params=${params}`)), {
    status: 404,
    body: {
      error: {
        code: 'NOT_FOUND',
        message: 'there is nothing at /closed/download: GET /introspection lists what is here',
      },
    },
  });
  t.like((await read(app.get('/download'))).body['error'], { details: { downloads: ['/open/download'] } });
});

test('several operations in one request are taken by one catalogue and not by another', async (t) => {
  const app = await runApp(t, { catalogues });
  const send = (id: string) =>
    fetch(`${app.url}/${id}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([{ query: total }, { query: total }]),
    });
  t.is((await send('open')).status, 200);
  t.is((await send('closed')).status, 400);
});

test('a catalogue that refuses filters does so as a node of a network too; the others answer', async (t) => {
  const engine = libraryEngine();
  const registry = await openRegistry(catalogues, engine, {});
  t.teardown(() => registry.close());
  const nodes = ['open', 'closed'].map((nodeId) => ({ nodeId, catalogue: nodeId }));
  const network = await testNetwork(t, nodes, { byId: registry.byId });
  const app = await runApp(t, { catalogues, network });
  const query = 'query($any: JSON) { network(filters: $any) { nodes { nodeId status hits errors } } }';
  t.deepEqual((await read(app.query('/network/graphql', query, { any: filters }))).body['data'], {
    network: {
      nodes: [
        { nodeId: 'closed', status: 'ERROR', hits: 0, errors: 'filters are disabled here' },
        { nodeId: 'open', status: 'OK', hits: 3, errors: '' },
      ],
    },
  });
});
