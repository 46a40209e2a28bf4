import test from 'ava';
import { leaf } from '../../../../src/sqon/ast.ts';
import { noSwitches } from '../../../../src/introspection/fields/catalogue-config.ts';
import { serverVersion } from '../../../../src/lib/runtime/server-version.ts';
import { bookConfig } from '../../../local/catalogue-fixture.ts';
import { missing, read, runApp } from '../running-app.ts';

test('GET /introspection of one catalogue: single layout, without a prefix', async (t) => {
  const app = await runApp(t, { catalogues: [bookConfig({ description: 'All books' })] });
  t.deepEqual(await read(app.get('/introspection')), {
    status: 200,
    body: {
      catalogCount: 1,
      mode: 'single',
      status: 'healthy',
      sqonSchemaPath: '/introspection/sqon',
      version: serverVersion().replace('Tributary ', ''),
      capabilities: {
        batching: false,
        downloads: true,
        filters: true,
        graphqlIntrospection: true,
        network: false,
        playground: true,
        portal: false,
        sets: false,
      },
      catalogs: {
        library: {
          description: 'All books',
          documentType: 'book',
          paths: {
            fields: '/introspection/fields',
            graphql: '/graphql',
            introspection: '/introspection/library',
          },
          status: 'available',
        },
      },
    },
  });
});

test('what some catalogue does not offer is not a capability of the server', async (t) => {
  const switches = { ...noSwitches, disableDownloads: true, enableSets: true };
  const catalogues = [bookConfig({ switches }), bookConfig({ catalogueId: 'other' })];
  const { body } = await read((await runApp(t, { catalogues })).get('/introspection'));
  t.like(body['capabilities'], { downloads: false, sets: false, filters: true });
});

for (const path of [
  '/introspection',
  '/introspection/library',
  '/introspection/fields',
  '/introspection/sqon',
])
  test(`${path} has an ETag, by which clients need not read it again`, async (t) => {
    const app = await runApp(t);
    const first = await app.get(path);
    const etag = first.headers.get('etag')!;
    t.regex(etag, /^"[\w-]{22}"$/);
    t.is(first.headers.get('cache-control'), 'private, no-cache');
    // fetch would send no-cache of itself, which asks for the whole
    const requested = { 'cache-control': 'max-age=0' };
    const again = await app.get(path, { ...requested, 'if-none-match': etag });
    t.is(again.status, 304);
    t.is(await again.text(), '');
    t.is((await app.get(path, { ...requested, 'if-none-match': '"other"' })).status, 200);
  });

test('GET /introspection of several: a failed one stays listed with its error', async (t) => {
  const app = await runApp(t, { catalogues: [bookConfig(), missing()] });
  const { body } = await read(app.get('/introspection'));
  t.like(body, { catalogCount: 2, mode: 'multiple', status: 'degraded' });
  t.deepEqual(body['catalogs'], {
    library: {
      documentType: 'book',
      paths: { graphql: '/library/graphql', introspection: '/introspection/library' },
      status: 'available',
    },
    lost: {
      documentType: 'scroll',
      paths: { graphql: '/lost/graphql', introspection: '/introspection/lost' },
      status: 'failed',
      error: { code: 'index_not_found', message: 'the configured search index does not exist' },
    },
  });
});

for (const path of [
  '/introspection/library',
  '/introspection/LIBRARY',
  '/introspection/book',
  '/library/introspection',
])
  test(`the catalogue at ${path}`, async (t) => {
    const app = await runApp(t, { catalogues: [bookConfig(), missing()] });
    const { status, body } = await read(app.get(path));
    t.is(status, 200);
    t.like(body, { catalogId: 'library', documentType: 'book', meta: { authFiltered: false } });
    t.like((body['fields'] as Record<string, unknown>)['publisher.name'], { type: 'keyword' });
    t.true((body['operators'] as Record<string, string[]>)['integer']!.includes('between'));
    t.false(Number.isNaN(Date.parse(body['generatedAt'] as string)));
    t.false('description' in body);
  });

test('GET /introspection/fields is the only catalogue, and a name like any other with several', async (t) => {
  const single = await runApp(t);
  t.is((await read(single.get('/introspection/fields'))).body['catalogId'], 'library');
  const multi = await runApp(t, { catalogues: [bookConfig(), missing()] });
  t.deepEqual(await read(multi.get('/introspection/fields')), {
    status: 404,
    body: { error: 'Catalogue "fields" was not found.' },
  });
});

test('meta.authFiltered reports when a server-side filter narrows the catalogue', async (t) => {
  const app = await runApp(t, { accessFilter: () => leaf('in', 'title', ['Atlas']) });
  t.deepEqual((await read(app.get('/introspection/library'))).body['meta'], { authFiltered: true });
});

test('a failed catalogue answers its introspection with 200, spelt catalogueId', async (t) => {
  const app = await runApp(t, { catalogues: [bookConfig(), missing({ description: 'Gone' })] });
  t.deepEqual(await read(app.get('/introspection/lost')), {
    status: 200,
    body: {
      catalogueId: 'lost',
      description: 'Gone',
      documentType: 'scroll',
      error: { code: 'index_not_found', message: 'the configured search index does not exist' },
      status: 'failed',
    },
  });
});

test('a document type of two catalogues is ambiguous', async (t) => {
  const app = await runApp(t, { catalogues: [bookConfig(), missing({ documentType: 'book' })] });
  for (const path of ['/introspection/book', '/book/graphql']) {
    const { status, body } = await read(app.get(path));
    t.is(status, 409);
    t.like(body, { documentType: 'book', matchingCatalogueIds: ['library', 'lost'] });
    t.like(body['error'], { code: 'ambiguous_document_type' });
  }
});

test('GET /introspection/sqon', async (t) => {
  const app = await runApp(t);
  const { status, body } = await read(app.get('/introspection/sqon'));
  t.is(status, 200);
  t.like(body['aliases'], { '=': 'in', filter: 'wildcard' });
  t.truthy(body['schema']);
});
