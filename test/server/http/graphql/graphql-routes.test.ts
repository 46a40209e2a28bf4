import test from 'ava';
import { TributaryError } from '../../../../src/lib/errors/errors.ts';
import type { CatalogueSwitches } from '../../../../src/introspection/fields/catalogue-config.ts';
import { noSwitches } from '../../../../src/introspection/fields/catalogue-config.ts';
import { bookConfig } from '../../../local/catalogue-fixture.ts';
import { libraryEngine, missing, read, runApp } from '../running-app.ts';

const withSwitches = (changes: Partial<CatalogueSwitches>) => ({
  catalogues: [bookConfig({ switches: { ...noSwitches, ...changes } })],
});

const total = '{ book { hits { total } } }';
const three = { status: 200, body: { data: { book: { hits: { total: 3 } } } } };

test('single layout: /graphql, with any tag behind it, and the id as a prefix too', async (t) => {
  const app = await runApp(t);
  for (const path of [
    '/graphql',
    '/graphql/',
    '/graphql/Table-Query',
    '/graphql/a/b',
    '/library/graphql',
    '/book/graphql',
  ])
    t.deepEqual(await read(app.query(path, total)), three, path);
});

test('multi layout: by id or document type, whatever the case; /graphql names what there is', async (t) => {
  const app = await runApp(t, { catalogues: [bookConfig(), missing()] });
  for (const path of ['/library/graphql', '/LIBRARY/graphql/tag', '/Book/graphql'])
    t.deepEqual(await read(app.query(path, total)), three, path);
  const { status, body } = await read(app.query('/graphql', total));
  t.is(status, 404);
  t.like(body['error'], { code: 'NOT_FOUND', details: { endpoints: ['/library/graphql'] } });
  t.is((await app.query('/nothing/graphql', total)).status, 404);
  t.is((await app.query('/network/graphql', total)).status, 404);
});

test('every path of a failed catalogue but its introspection is 404 and points to it', async (t) => {
  const app = await runApp(t, { catalogues: [bookConfig(), missing()] });
  for (const path of ['/lost/graphql', '/lost/download', '/lost']) {
    const { status, body } = await read(app.query(path, total));
    t.is(status, 404);
    t.like(body, { catalogueId: 'lost', status: 'failed', details: '/introspection/lost' });
  }
});

test('an engine that goes away is 503 until the next check, then the catalogue is 404, both with Retry-After', async (t) => {
  const engine = libraryEngine();
  const away = () => Promise.reject(new TributaryError('ENGINE_UNAVAILABLE', 'connection refused'));
  const app = await runApp(t, { engine });
  t.is((await app.query('/graphql', total)).status, 200);
  Object.assign(engine, { search: away, describe: away });
  const unreachable = await app.query('/graphql', total);
  t.is(unreachable.status, 503);
  t.is(unreachable.headers.get('retry-after'), '5');
  t.like(await unreachable.json(), {
    errors: [{ message: 'connection refused', extensions: { code: 'ENGINE_UNAVAILABLE' } }],
  });
  t.is((await app.get('/ready')).status, 503);
  const failed = await app.query('/graphql', total);
  t.is(failed.status, 404);
  t.is(failed.headers.get('retry-after'), '1');
  t.like(await failed.json(), { status: 'failed', error: { code: 'connection_error' } });
});

test('when the only catalogue failed, that goes for every path', async (t) => {
  const app = await runApp(t, { catalogues: [missing()] });
  for (const path of ['/graphql', '/anything', '/', '/network/graphql', '/other/graphql'])
    t.like(await read(app.get(path)), {
      status: 404,
      body: { catalogueId: 'lost', details: '/introspection/lost' },
    });
  t.is((await app.get('/ping')).status, 200);
});

test('queries come as JSON, as a form and in the address, with variables as JSON text', async (t) => {
  const app = await runApp(t);
  const query = 'query($n: Int) { book { hits(first: $n) { total edges { node { id } } } } }';
  const answer = { status: 200, body: { data: { book: { hits: { total: 3, edges: [] } } } } };
  const variables = JSON.stringify({ n: 1 });
  const form = fetch(`${app.url}/graphql`, {
    method: 'POST',
    body: new URLSearchParams({ query, variables }),
  });
  t.deepEqual(await read(form), answer);
  t.deepEqual(await read(app.get(`/graphql?${new URLSearchParams({ query, variables })}`)), answer);
  t.deepEqual(await read(app.query('/graphql', query, variables)), answer);
  t.deepEqual(
    app.engine.searches.map(({ hits }) => hits?.size),
    [1, 1, 1],
  );
});

const post = (url: string, body: string | undefined, headers: Record<string, string>) =>
  fetch(`${url}/graphql`, { method: 'POST', headers, ...(body === undefined ? {} : { body }) });

const json = { 'content-type': 'application/json' };
for (const [name, body, headers, status, code] of [
  ['no body', undefined, {}, 400, 'BAD_USER_INPUT'],
  ['broken JSON', '{"query": ', json, 400, 'BAD_USER_INPUT'],
  ['a JSON text', '"hello"', json, 400, 'BAD_USER_INPUT'],
  ['no query', '{"variables": {}}', json, 400, 'BAD_USER_INPUT'],
  ['variables that are a list', '{"query": "{__typename}", "variables": []}', json, 400, 'BAD_USER_INPUT'],
  ['a batch', '[{"query":"{__typename}"}]', json, 400, 'BAD_USER_INPUT'],
  ['plain text', '{"query":"{__typename}"}', { 'content-type': 'text/plain' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  [
    'a GraphQL body',
    '{__typename}',
    { 'content-type': 'application/graphql' },
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  [
    'too large a body',
    JSON.stringify({ query: `{__typename}${' '.repeat(2000)}` }),
    json,
    413,
    'PAYLOAD_TOO_LARGE',
  ],
  ['an unknown encoding', '{}', { ...json, 'content-encoding': 'zip' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  [
    'what is not compressed as its header claims',
    '{}',
    { ...json, 'content-encoding': 'gzip' },
    400,
    'BAD_USER_INPUT',
  ],
] as const)
  test(`a refusal is JSON in the form of GraphQL: ${name}`, async (t) => {
    const app = await runApp(t);
    const answer = await read(post(app.url, body, headers));
    t.is(answer.status, status);
    const [error] = answer.body['errors'] as { message: string; extensions: Record<string, unknown> }[];
    t.is(error!.extensions['code'], code);
    t.is(typeof error!.extensions['requestId'], 'string');
    t.regex(error!.message, /^[^.]+[^.]$/);
  });

test('a packed body that unpacks to more than the limit is refused', async (t) => {
  const app = await runApp(t);
  const { gzipSync } = await import('node:zlib');
  const pack = (query: string) => gzipSync(JSON.stringify({ query }));
  const send = (body: Buffer) =>
    fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { ...json, 'content-encoding': 'GZip' },
      body: new Uint8Array(body),
    });
  t.deepEqual(await read(send(pack(total))), three);
  t.is((await send(pack(`${total}${' '.repeat(100_000)}`))).status, 413);
});

test('other methods are 405, a batch is answered when batching is on', async (t) => {
  const app = await runApp(t, withSwitches({ enableGraphQLBatching: true }));
  const put = await fetch(`${app.url}/graphql`, { method: 'PUT', body: '{}' });
  t.is(put.status, 405);
  t.is(put.headers.get('allow'), 'GET, POST, OPTIONS');
  const batch = await post(app.url, JSON.stringify([{ query: total }, { query: '{ __typename }' }]), json);
  t.deepEqual(await batch.json(), [{ data: three.body.data }, { data: { __typename: 'Root' } }]);
});

test('a batch is refused with the reason that batching is off', async (t) => {
  const app = await runApp(t);
  const { status, body } = await read(
    post(app.url, JSON.stringify([{ query: total }, { query: total }]), json),
  );
  t.is(status, 400);
  t.regex((body as { errors: [{ message: string }] }).errors[0].message, /batching/);
});

test('disabled filters are refused, however they come', async (t) => {
  const app = await runApp(t, withSwitches({ disableFilters: true }));
  t.deepEqual(await read(app.query('/graphql', total)), three);
  const filters = { op: 'in', content: { fieldName: 'title', value: ['Atlas'] } };
  const refused = { status: 400, body: { error: 'Filters are disabled for this server.' } };
  const leaf = '{op: "in", content: {fieldName: "title", value: ["Atlas"]}}';
  for (const [query, variables] of [
    ['query($filters: JSON) { book { hits(filters: $filters) { total } } }', { filters }],
    [`{ book { hits(filters: ${leaf}) { total } } }`],
    ['query($f: JSON) { book { hits(filters: $f) { total } } }', { f: filters }],
    [`query($f: JSON = ${leaf}) { book { hits(filters: $f) { total } } }`],
    ['query($c: JSON) { book { hits(filters: {op: "in", content: $c}) { total } } }', { c: filters.content }],
    [`{ book { ...F } } fragment F on book { aggregations(filters: ${leaf}) { title { bucket_count } } }`],
    [`{ book { aggregations { title { buckets { filter_by_term(filter: ${leaf}) } } } } }`],
  ] as const)
    t.deepEqual(await read(app.query('/graphql', query, variables)), refused, query);
  t.is(app.engine.searches.length, 1);
});

test("a catalogue's own limits hold for it", async (t) => {
  const app = await runApp(t, {
    catalogues: [bookConfig({ maxDepth: 2, maxAliases: 0, disableGraphQLIntrospection: true })],
  });
  for (const query of [total, '{ a: __typename }', '{ __schema { queryType { name } } }']) {
    const { status, body } = await read(app.query('/graphql', query));
    t.is(status, 400, query);
    t.is(
      (body['errors'] as { extensions: { code: string } }[])[0]!.extensions.code,
      'GRAPHQL_VALIDATION_FAILED',
    );
  }
});

test('an unknown field in a filter is named in extensions.warnings', async (t) => {
  const app = await runApp(t);
  const query =
    '{ book { hits(filters: {op: "in", content: {fieldName: "titel", value: ["x"]}}) { total } } }';
  const { status, body } = await read(app.query('/graphql', query));
  t.is(status, 200);
  t.regex((body['extensions'] as { warnings: string[] }).warnings.join(), /titel/);
});

test('the schema names the version of the server', async (t) => {
  const app = await runApp(t);
  const { body } = await read(app.query('/graphql', '{ __schema { description } }'));
  const { description } = (body['data'] as { __schema: { description: string } }).__schema;
  t.regex(description, /^Tributary \d+\.\d+\.\d+/);
});
