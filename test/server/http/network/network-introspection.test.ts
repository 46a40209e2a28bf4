import type { ExecutionContext } from 'ava';
import test from 'ava';
import { TributaryError } from '../../../../src/lib/errors/errors.ts';
import { readNetworkJson } from '../../../../src/federation/config/network-json.ts';
import { openNetwork } from '../../../../src/federation/network.ts';
import { fieldsOf, searchOf } from '../../../federation/collection.ts';
import { catalogueOf } from '../../../federation/remote-server.ts';
import { buildHierarchy } from '../../../../src/introspection/hierarchies/build-hierarchy.ts';
import type { Hierarchy } from '../../../../src/introspection/hierarchies/hierarchy.ts';
import { bookConfig } from '../../../local/catalogue-fixture.ts';
import { read, runApp } from '../running-app.ts';
import { available, testNetwork } from '../../../builders.ts';

const fields = {
  east: fieldsOf({ id: 'keyword', genus: 'keyword', height: 'long' }),
  west: fieldsOf({ id: 'keyword', genus: 'keyword', bark: 'keyword' }),
};

const openTrees = (
  t: ExecutionContext,
  network: object = { documentType: 'tree' },
  hierarchies: ReadonlyMap<string, Hierarchy> = new Map(),
) =>
  testNetwork(
    t,
    (['east', 'west'] as const).map((nodeId) => ({
      nodeId,
      catalogue: catalogueOf(nodeId, fields[nodeId], searchOf([{ id: `${nodeId}1` }])),
    })),
    { network: { displayName: 'Trees', ...network }, hierarchies },
  );

test('a network lists itself as the only catalogue, and the server never lists it', async (t) => {
  const app = await runApp(t, { network: await openTrees(t) });
  const { status, body } = await read(app.get('/network/introspection'));
  t.is(status, 200);
  t.like(body['capabilities'], { network: true, downloads: true, sets: false });
  const added = { version: body['version'], capabilities: body['capabilities'] };
  t.deepEqual(body, {
    ...added,
    catalogId: 'network',
    documentType: 'tree',
    catalogCount: 1,
    mode: 'single',
    status: 'healthy',
    sqonSchemaPath: '/network/introspection/sqon',
    catalogs: {
      network: {
        description: 'Trees',
        documentType: 'tree',
        paths: {
          fields: '/network/introspection/fields',
          graphql: '/network/graphql',
          introspection: '/network/introspection/network',
        },
        status: 'available',
      },
    },
  });
  const { catalogs } = (await read(app.get('/introspection'))).body as { catalogs: object };
  t.deepEqual(Object.keys(catalogs), [bookConfig().catalogueId]);
});

test('its fields, its operators and the filter language are described as those of a catalogue', async (t) => {
  const app = await runApp(t, { network: await openTrees(t) });
  for (const part of ['network', 'fields']) {
    const { body } = await read(app.get(`/network/introspection/${part}`));
    t.like(body, { catalogId: 'network', documentType: 'tree', meta: { authFiltered: false } });
    t.deepEqual(Object.keys(body['fields'] as object).sort(), ['bark', 'genus', 'height']);
    t.deepEqual(Object.keys(body['operators'] as object).sort(), ['keyword', 'long']);
  }
  t.deepEqual(
    (await read(app.get('/network/introspection/sqon'))).body,
    (await read(app.get('/introspection/sqon'))).body,
  );
});

test('without a network there is nothing, and without a common document type neither', async (t) => {
  const none = await runApp(t);
  const nameless = await runApp(t, { network: await openTrees(t, {}) });
  for (const app of [none, nameless])
    for (const path of [
      '/network/introspection',
      '/network/introspection/network',
      '/network/introspection/fields',
    ])
      t.like(await read(app.get(path)), { status: 404, body: { error: { code: 'NOT_FOUND' } } }, path);
});

test('a caller sees the fields that are open to it, and whether records are hidden from it', async (t) => {
  const app = await runApp(t, {
    network: await openTrees(t),
    catalogues: [
      bookConfig({ catalogueId: 'east', documentType: 'east' }),
      bookConfig({ catalogueId: 'west', documentType: 'west' }),
    ],
    accessFilter: (_context, catalogueId) => {
      if (catalogueId === 'west') throw new TributaryError('FORBIDDEN', 'west is closed');
      return null;
    },
  });
  const { body } = await read(app.get('/network/introspection/network'));
  t.deepEqual(Object.keys(body['fields'] as object).sort(), ['genus', 'height']);
  t.like(body, { meta: { authFiltered: true } });
});

test('the network of a catalogue has all of it below the catalogue, and at /network where there is only one', async (t) => {
  const config = bookConfig();
  const own = openNetwork(
    readNetworkJson({ network: { localNode: { nodeId: 'here' } } }, 'network.json', config.catalogueId),
    (id) => {
      const catalogue = catalogueOf(id, fields.east, searchOf([{ id: 'a' }]));
      const named = { ...catalogue.config, documentType: 'book' };
      return available({ ...catalogue, config: named });
    },
  );
  t.teardown(() => own.close());
  await own.ready;
  const app = await runApp(t, { catalogueNetworks: new Map([[config.catalogueId, own]]) });
  for (const base of ['/network', `/${config.catalogueId}/network`]) {
    const { body } = await read(app.get(`${base}/introspection`));
    const graphql = `/${config.catalogueId}/network/graphql`;
    t.like(body, { catalogs: { network: { documentType: 'book', paths: { graphql } } } });
    t.like(await read(app.get(`${base}/introspection/network`)), {
      status: 200,
      body: { catalogId: 'network' },
    });
    t.like(
      await read(
        app.query(`${base}/graphql/tag`, '{ book { hits { total edges { nodeId node { id } } } } }'),
      ),
      {
        status: 200,
        body: { data: { book: { hits: { total: 1, edges: [{ nodeId: 'here', node: { id: 'a' } }] } } } },
      },
    );
  }
});

test('access to the network is checked on every path, and for the field network', async (t) => {
  const app = await runApp(t, {
    network: await openTrees(t),
    networkAccess: (context) => {
      if (context.get('authorization') === '')
        throw new TributaryError('UNAUTHENTICATED', 'the network needs a bearer token');
    },
  });
  const total = '{ network { total } }';
  for (const path of ['/network', '/network/introspection/network', '/network/download?params={}'])
    t.is((await app.get(path)).status, 401, path);
  t.is((await app.query('/network/graphql', '{ tree { hits { total } } }')).status, 401);
  t.like(await read(app.query('/graphql', `{ viewer ${total} }`)), {
    body: { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] },
  });
  t.is((await app.query('/graphql', '{ book { hits { total } } }')).status, 200);
  const { status } = await app.get('/network/introspection/network', { authorization: 'Bearer x' });
  t.is(status, 200);
});

test('the terms of a hierarchy of the network are looked up below its paths', async (t) => {
  const plain = { label: '', synonyms: [], obsolete: false, replacedBy: null };
  const terms = [
    { ...plain, id: 'Fagaceae', parents: [] },
    { ...plain, id: 'Quercus', parents: ['Fagaceae'] },
  ];
  const genera = buildHierarchy('genera', terms, 'genera.csv');
  const network = await openTrees(t, { documentType: 'tree' }, new Map([['genus', genera]]));
  const app = await runApp(t, { network });
  for (const path of ['/network/introspection', '/network/introspection/network']) {
    const { status, body } = await read(app.get(`${path}/hierarchies/genera?search=quercus`));
    t.is(status, 200);
    t.like(body, { terms: 2, fields: ['genus'], found: [{ id: 'Quercus', path: [{ id: 'Fagaceae' }] }] });
  }
  t.is((await app.get('/network/introspection/hierarchies/other')).status, 404);
});
