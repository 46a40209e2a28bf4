import test, { type ExecutionContext } from 'ava';
import { createAppRouter, type AppParts } from '../../src/http/app.ts';
import type { PortalSettings } from '../../src/http/koa/portal-settings.ts';
import { openMetrics } from '../../src/http/ops/metrics.ts';
import { openLinksStore } from '../../src/http/portal/links-store.ts';
import { buildCatalogueSchema } from '../../src/local/schema/schema.ts';
import { temporaryFolder } from '../config/temporary-folder.ts';
import { defaultSettings } from '../http/running-app.ts';
import { cohort } from './cohort.ts';
import { folderWithRelease, serveRelease, throwingEngine } from './served-release.ts';

/** What a door answers a guarded caller. `refused`: NOT_DISCLOSED; `open`: something that follows no record. */
type Expected = 'refused' | 'open';

interface Door {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  readonly expected: Expected;
}

const graphql = (path: string, query: string, expected: Expected): Door => ({
  method: 'POST',
  path,
  body: { query },
  expected,
});
const get = (path: string, expected: Expected): Door => ({ method: 'GET', path, expected });
const columns = [{ fieldName: 'surname', show: true }];
const download = (path: string, expected: Expected = 'refused'): Door => ({
  method: 'POST',
  path,
  body: { params: { files: [{ fileName: 'all', fileType: 'tsv', columns, sqon: null, sort: [] }] } },
  expected,
});

const records = '{ donor { hits(first: 1) { edges { node { id } } } } }';

/** Every route of the server: one that is not here is a door that nobody thought of. */
const doors: Readonly<Record<string, readonly Door[]>> = {
  '/ping': [get('/ping', 'open')],
  '/ready': [get('/ready', 'open')],
  '/service-info': [get('/service-info', 'open')],
  '/metrics': [get('/metrics', 'open')],
  '/': [get('/', 'open')],
  '/explore': [get('/explore', 'open')],
  '/record': [get('/record', 'open')],
  '/docs': [get('/docs', 'open')],
  '/portal/config.json': [get('/portal/config.json', 'open')],
  '/portal/links': [
    { method: 'POST', path: '/portal/links', body: { view: { tab: 'charts' } }, expected: 'open' },
  ],
  '/portal/links/:id': [get('/portal/links/none', 'open')],
  '/portal/assets/:name': [get('/portal/assets/none.js', 'open')],
  '/introspection': [get('/introspection', 'open')],
  '/introspection/sqon': [get('/introspection/sqon', 'open')],
  '/introspection/fields': [get('/introspection/fields', 'open')],
  '/introspection/:catalogue': [get('/introspection/cohort', 'open')],
  '/:catalogue/introspection': [get('/cohort/introspection', 'open')],
  '/network': [get('/network', 'open')],
  '/network/graphql{/*tag}': [
    graphql('/network/graphql', '{ network { hits { edges { node { id } } } } }', 'open'),
    graphql('/network/graphql', '{ home { donor { hits(first: 1) { edges { node { id } } } } } }', 'refused'),
  ],
  '/graphql{/*tag}': [graphql('/graphql', records, 'refused')],
  '/:catalogue/graphql{/*tag}': [graphql('/cohort/graphql/tag', records, 'refused')],
  '/network/introspection': [get('/network/introspection', 'open')],
  '/network/introspection/sqon': [get('/network/introspection/sqon', 'open')],
  '/network/introspection/fields': [get('/network/introspection/fields', 'open')],
  '/network/introspection/network': [get('/network/introspection/network', 'open')],
  '/:catalogue/network/introspection': [get('/cohort/network/introspection', 'open')],
  '/:catalogue/network/introspection/sqon': [get('/cohort/network/introspection/sqon', 'open')],
  '/:catalogue/network/introspection/fields': [get('/cohort/network/introspection/fields', 'open')],
  '/:catalogue/network/introspection/network': [get('/cohort/network/introspection/network', 'open')],
  '/:catalogue/network/graphql{/*tag}': [
    graphql('/cohort/network/graphql', '{ network { hits { edges { node { id } } } } }', 'open'),
  ],
  '/:catalogue/network': [get('/cohort/network', 'open')],
  '/network/stream': [
    graphql('/network/stream', '{ network { hits { edges { node { id } } } } }', 'open'),
    graphql('/network/stream', '{ home { donor { hits(first: 1) { edges { node { id } } } } } }', 'open'),
  ],
  '/:catalogue/network/stream': [
    graphql('/cohort/network/stream', '{ network { hits { edges { node { id } } } } }', 'open'),
  ],
  '/network/download': [download('/network/download')],
  '/network/download/manifest/:id': [get('/network/download/manifest/none', 'open')],
  '/:catalogue/network/download': [download('/cohort/network/download', 'open')],
  '/:catalogue/network/download/manifest/:id': [get('/cohort/network/download/manifest/none', 'open')],
  '/download': [
    download('/download'),
    ...['tsv', 'csv', 'json', 'jsonl', 'xlsx', 'zip'].map((fileType) => ({
      ...download('/download', 'refused'),
      body: { params: { files: [{ fileName: 'all', fileType, columns, sqon: null, sort: [] }] } },
    })),
  ],
  '/:catalogue/download': [download('/cohort/download')],
};

const documents = cohort(400, 7);
/** Of the records only: names, values that are not released, keys, and how many there are. */
const secret = /Name \d|BRAF|MYC|"D\d+"|\b400\b|surname|volume/;

const metricsToken = 'of-the-operator';

const send = async (url: string, { method, path, body }: Door): Promise<Response> =>
  fetch(`${url}${path}`, {
    method,
    headers: {
      ...(path === '/metrics' && { authorization: `Bearer ${metricsToken}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

/** What only some servers have: metrics, and the portal with its links. */
const everyRoute = (t: ExecutionContext): Partial<AppParts> => {
  const links = openLinksStore(`${temporaryFolder(t, {})}/links.sqlite`, 100_000);
  t.teardown(() => links.close());
  const portal: PortalSettings = { look: {}, publicUrl: null, signIn: null };
  return { metrics: openMetrics(), links, settings: { ...defaultSettings, metricsToken, portal } };
};

test('every route is a door that is known here', async (t) => {
  const folder = await folderWithRelease(t, documents);
  const { parts } = await serveRelease(t, folder, throwingEngine(), everyRoute(t));
  const routes = createAppRouter(parts).stack.flatMap(({ path, methods }) =>
    methods.length > 0 ? [String(path)] : [],
  );
  t.deepEqual(
    [...new Set(routes)].filter((route) => !Object.hasOwn(doors, route)),
    [],
  );
});

test('no door puts a guarded question to the engine, nor shows anything of the records', async (t) => {
  const engine = throwingEngine(documents.length);
  const { url } = await serveRelease(t, await folderWithRelease(t, documents), engine);
  for (const door of Object.values(doors).flat()) {
    const response = await send(url, door);
    const text = await response.text();
    const headers = JSON.stringify(
      [...response.headers].filter(([name]) => !/^(date|x-request-id|content-length)$/.test(name)),
    );
    t.notRegex(text, secret, `${door.path}: ${text.slice(0, 500)}`);
    t.notRegex(headers, secret, door.path);
    if (door.expected === 'refused')
      t.regex(
        text,
        /NOT_DISCLOSED|not disclosed|counts are lower bounds here/,
        `${door.path}: ${text.slice(0, 500)}`,
      );
  }
  t.is(engine.asked(), 0);
});

test('how many records there are now leaves by no door', async (t) => {
  const live = 31_337;
  const { url } = await serveRelease(
    t,
    await folderWithRelease(t, documents),
    throwingEngine(live),
    everyRoute(t),
  );
  for (const door of Object.values(doors).flat()) {
    const response = await send(url, door);
    const shown = `${await response.text()} ${JSON.stringify([...response.headers])}`;
    t.notRegex(shown, /31[ ,.]?337/, door.path);
    t.not(response.status, 500, door.path);
  }
});

test('every root field of a guarded schema is known here', async (t) => {
  const { parts } = await serveRelease(t, await folderWithRelease(t, documents), throwingEngine());
  const state = parts.registry.byId('cohort');
  const { guarded } = state?.status === 'available' ? state.catalogue : {};
  const schema = buildCatalogueSchema(guarded!);
  t.deepEqual(Object.keys(schema.getQueryType()!.getFields()), [
    'node',
    'viewer',
    'query',
    'hasValidConfig',
    'donor',
    'sets',
  ]);
  t.deepEqual(Object.keys(schema.getMutationType()!.getFields()), ['saveSet']);
});

const rootFields: Readonly<Record<string, string>> = {
  node: '{ node(id: "D1") { id } }',
  viewer: '{ viewer { donor { hits(first: 2) { edges { node { id } } } } } }',
  query: '{ query { total } }',
  hasValidConfig: '{ hasValidConfig(documentType: "donor", index: "donors") }',
  sets: '{ sets { hits { total } } }',
  saveSet: 'mutation { saveSet(type: donor, userId: "a", path: "donor_id", sqon: {}) { setId } }',
  source: '{ donor { hits { edges { node { _source } } } } }',
  topHits: '{ donor { aggregations { sex { buckets { top_hits(_source: ["surname"], size: 1) } } } } }',
  stats: '{ donor { aggregations { age { stats { min max } } } } }',
  mapping: '{ donor { mapping } }',
  extended: '{ donor { configs { extended table { columns { fieldName } } } } }',
  unreleased: '{ donor { aggregations { surname { bucket_count } } } }',
  variables: '{ __type(name: "donorAggregations") { fields { name } } }',
};

for (const [name, query] of Object.entries(rootFields))
  test(`the root field ${name} tells nothing of the records`, async (t) => {
    const engine = throwingEngine(documents.length);
    const { url } = await serveRelease(t, await folderWithRelease(t, documents), engine);
    const text = await (await send(url, graphql('/graphql', query, 'open'))).text();
    t.notRegex(text.replaceAll('Cannot query field \\"surname\\"', ''), secret, text);
    t.false(/"hasValidConfig":true|"index"/.test(text));
    t.is(engine.asked(), 0);
  });

const questions = [
  '{ donor { hits { total } } }',
  records,
  '{ donor { aggregations { sex { buckets { key doc_count } } } } }',
  '{ donor { hits(filters: {op: "in", content: {fieldName: "surname", value: ["Name 1"]}}) { total } } }',
  '{ donor { hits(filters: {op: "in", content: {fieldName: "sex", value: ["female"]}}) { total } } }',
  '{ donor { hits(filters: {op: "between", content: {fieldName: "age", value: [20, 39]}}) { total } } }',
  '{ donor { configs { disclosure extended } mapping } }',
  '{ nothing }',
];

test('two servers over different records with one release answer alike, headers and errors included', async (t) => {
  const folder = await folderWithRelease(t, documents);
  const disclosure = { lowerBoundsToOldClients: true };
  const one = await serveRelease(t, folder, throwingEngine(400), { disclosure });
  const other = await serveRelease(t, folder, throwingEngine(90_000), { disclosure });
  const answer = async ({ url }: { readonly url: string }, door: Door) => {
    const response = await fetch(`${url}${door.path}`, {
      method: door.method,
      headers: { 'x-request-id': 'same', 'content-type': 'application/json', 'tributary-node': '1' },
      ...(door.body === undefined ? {} : { body: JSON.stringify(door.body) }),
    });
    const headers = [...response.headers].filter(([name]) => name !== 'date');
    return { status: response.status, headers, body: await response.text() };
  };
  for (const query of questions) {
    const door = graphql('/graphql', query, 'open');
    const first = await answer(one, door);
    t.deepEqual(await answer(other, door), first);
  }
  const introspection = get('/introspection/cohort', 'open');
  t.deepEqual(await answer(other, introspection), await answer(one, introspection));
});

test('clients that select upper_bound get intervals with an estimate, and what they are of', async (t) => {
  const { url } = await serveRelease(t, await folderWithRelease(t, documents), throwingEngine());
  const query = `{ donor { configs { disclosure } hits { total upper_bound exact estimate }
    aggregations { consent { buckets { key key_as_string doc_count upper_bound exact estimate } } } } }`;
  const { data, extensions } = (await (await send(url, graphql('/graphql', query, 'open'))).json()) as {
    readonly data: {
      readonly donor: {
        readonly hits: unknown;
        readonly configs: unknown;
        readonly aggregations: { readonly consent: { readonly buckets: readonly Record<string, unknown>[] } };
      };
    };
    readonly extensions: unknown;
  };
  const disclosure = { tier: 'counts', threshold: 10, counted: 'donor_id', date: '2026-11-01' };
  t.deepEqual(extensions, { disclosure });
  t.deepEqual(data.donor.configs, { disclosure });
  t.like(data.donor.hits, { total: 400, upper_bound: 409, exact: false });
  const { buckets } = data.donor.aggregations.consent;
  t.deepEqual(
    buckets.map(({ key, key_as_string: label }) => [key, label]),
    [
      ['0', 'false'],
      ['1', 'true'],
      ['__missing__', null],
    ],
  );
  for (const { doc_count: count, upper_bound: upper, estimate, exact } of buckets) {
    t.true(Number(upper) <= Number(count) + 9);
    t.true(Number(estimate) >= Number(count) && Number(estimate) <= Number(upper));
    t.false(exact);
  }
});

test('callers of different tiers who ask the same at once get what is theirs', async (t) => {
  const folder = await folderWithRelease(t, documents);
  const engine = {
    ...throwingEngine(),
    search: async () => ({ hits: { total: 417, hits: [] }, facets: [], tookMs: 1, warnings: [] }),
  };
  const { url } = await serveRelease(t, folder, engine, {
    disclosure: { lowerBoundsToOldClients: true },
    tierOf: ({ headers }) =>
      headers['x-tier'] === 'records' ? 'records' : headers['x-tier'] === 'boolean' ? 'boolean' : 'counts',
  });
  const total = async (tier: string): Promise<unknown> => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-tier': tier },
      body: JSON.stringify({ query: '{ donor { hits { total } } }' }),
    });
    const { data } = (await response.json()) as { data: { donor: { hits: { total: number } } } };
    return data.donor.hits.total;
  };
  const tiers = Array.from({ length: 30 }, (_, place) => ['records', 'counts', 'boolean'][place % 3]!);
  const expected: Readonly<Record<string, number>> = { records: 417, counts: 400, boolean: 10 };
  t.deepEqual(
    await Promise.all(tiers.map(total)),
    tiers.map((tier) => expected[tier]),
  );
});

test('a catalogue whose disclosure.json is gone stays closed to callers of a guarded tier', async (t) => {
  const { url } = await serveRelease(t, await folderWithRelease(t, documents), throwingEngine(), {
    disclosure: null,
    tierOf: () => 'counts',
  });
  for (const door of [
    graphql('/graphql', '{ donor { hits { total } } }', 'open'),
    get('/introspection/cohort', 'open'),
    download('/download'),
  ])
    t.regex(await (await send(url, door)).text(), /FORBIDDEN/);
});

test('tier none gets nothing, through any door', async (t) => {
  const { url } = await serveRelease(t, await folderWithRelease(t, documents), throwingEngine(), {
    tierOf: () => 'none',
  });
  for (const door of [
    graphql('/graphql', '{ donor { hits { total } } }', 'open'),
    get('/introspection/cohort', 'open'),
    download('/download'),
  ])
    t.regex(await (await send(url, door)).text(), /FORBIDDEN/);
});

test('without a release, and with a damaged one, guarded callers get no answer', async (t) => {
  const folder = await folderWithRelease(t, documents);
  const none = await serveRelease(t, `${folder}/elsewhere`, throwingEngine());
  const query = graphql('/graphql', '{ donor { hits { total } } }', 'open');
  t.regex(await (await send(none.url, query)).text(), /nothing has been released yet/);
  const { writeFileSync } = await import('node:fs');
  writeFileSync(`${folder}/releases/cohort/current`, 'broken');
  const damaged = await serveRelease(t, folder, throwingEngine());
  t.regex(
    await (await send(damaged.url, query)).text(),
    /NOT_READY.*|the release of catalogue cohort cannot be read/,
  );
});
