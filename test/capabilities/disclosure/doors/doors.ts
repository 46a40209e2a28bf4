import type { ExecutionContext } from 'ava';
import type { AppParts } from '../../../../src/server/http/app.ts';
import type { PortalSettings } from '../../../../src/server/http/koa/settings.ts';
import { openMetrics } from '../../../../src/server/http/ops/metrics.ts';
import { portal as portalPages } from '../../../../src/capabilities/portal/capability.ts';
import type { OpenCapability, ProcessParts } from '../../../../src/server/http/capability.ts';
import { temporaryFolder } from '../../../server/config/temporary-folder.ts';
import { defaultSettings } from '../../../server/http/running-app.ts';
import { cohort } from '../cohort.ts';

/** What a door answers a guarded caller. `refused`: NOT_DISCLOSED; `open`: something that follows no record. */
type Expected = 'refused' | 'open';

export interface Door {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  readonly expected: Expected;
}

export const graphql = (path: string, query: string, expected: Expected): Door => ({
  method: 'POST',
  path,
  body: { query },
  expected,
});
export const get = (path: string, expected: Expected): Door => ({ method: 'GET', path, expected });
const columns = [{ fieldName: 'surname', show: true }];
export const download = (path: string, expected: Expected = 'refused'): Door => ({
  method: 'POST',
  path,
  body: { params: { files: [{ fileName: 'all', fileType: 'tsv', columns, sqon: null, sort: [] }] } },
  expected,
});

export const records = '{ donor { hits(first: 1) { edges { node { id } } } } }';

/** The introspection of a network at a route, requested at each of its bases. */
const networkIntrospection = (
  route: string,
  bases: readonly string[],
): Readonly<Record<string, readonly Door[]>> =>
  Object.fromEntries(
    ['', '/sqon', '/fields', '/network'].map((part) => [
      `${route}/introspection${part}`,
      bases.map((base) => get(`${base}/introspection${part}`, 'open')),
    ]),
  );

const beacon = (base: string): readonly Door[] => [
  ...[
    '',
    '/info',
    '/service-info',
    '/configuration',
    '/map',
    '/entry_types',
    '/filtering_terms',
    '/datasets',
  ].map((path) => get(base + path, 'open')),
  get(`${base}/individuals?requestedGranularity=record&filters=sex:female`, 'open'),
  get(`${base}/individuals/D1`, 'open'),
  {
    method: 'POST',
    path: `${base}/individuals`,
    body: { query: { requestedGranularity: 'record', filters: [{ id: 'age', operator: '>', value: '30' }] } },
    expected: 'open',
  },
];

/** A call of a tool by the Model Context Protocol. */
const call = (name: string, sent: object) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name, arguments: sent },
});

export const mcp = (name: string, sent: object, expected: Expected): Door => ({
  method: 'POST',
  path: '/mcp',
  body: call(name, sent),
  expected,
});

/** Every route of the server: one that is not here is a door that nobody thought of. */
export const doors: Readonly<Record<string, readonly Door[]>> = {
  '/ping': [get('/ping', 'open')],
  '/ready': [get('/ready', 'open')],
  '/service-info': [get('/service-info', 'open')],
  '/metrics': [get('/metrics', 'open')],
  '/.well-known/oauth-protected-resource{/*rest}': [
    get('/.well-known/oauth-protected-resource', 'open'),
    get('/.well-known/oauth-protected-resource/mcp', 'open'),
  ],
  '/': [get('/', 'open')],
  '/explore': [get('/explore', 'open')],
  '/record': [get('/record', 'open')],
  '/docs': [get('/docs', 'open')],
  '/portal/config.json': [get('/portal/config.json', 'open')],
  '/portal/logo': [get('/portal/logo', 'open')],
  '/portal/synonyms.json': [get('/portal/synonyms.json', 'open')],
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
  '/introspection/:catalogue/hierarchies/:name': [get('/introspection/cohort/hierarchies/none', 'open')],
  '/network{/:again/network}/introspection{/network}/hierarchies/:name': [
    get('/network/introspection/hierarchies/none', 'open'),
  ],
  '/:catalogue/network{/:again/network}/introspection{/network}/hierarchies/:name': [
    get('/cohort/network/introspection/hierarchies/none', 'open'),
  ],
  '/network': [get('/network', 'open'), get('/network?node=home', 'open')],
  '/network{/:again/network}/graphql{/*tag}': [
    graphql('/network/graphql', '{ network { hits { edges { node { id } } } } }', 'open'),
    graphql('/network/graphql', '{ home { donor { hits(first: 1) { edges { node { id } } } } } }', 'refused'),
    graphql('/network/network/graphql', '{ network { hits { edges { node { id } } } } }', 'open'),
  ],
  '/graphql{/*tag}': [graphql('/graphql', records, 'refused')],
  '/:catalogue/graphql{/*tag}': [graphql('/cohort/graphql/tag', records, 'refused')],
  ...networkIntrospection('/network{/:again/network}', ['/network', '/network/network']),
  ...networkIntrospection('/:catalogue/network{/:again/network}', [
    '/cohort/network',
    '/cohort/network/cohort/network',
  ]),
  '/:catalogue/network{/:again/network}/graphql{/*tag}': [
    '/cohort/network',
    '/cohort/network/cohort/network',
  ].map((base) => graphql(`${base}/graphql`, '{ network { hits { edges { node { id } } } } }', 'open')),
  '/:catalogue/network': [get('/cohort/network', 'open')],
  '/network{/:again/network}/download': [
    download('/network/download'),
    download('/network/download?manifest'),
  ],
  '/:catalogue/network{/:again/network}/download': [download('/cohort/network/download', 'open')],
  '/download': [
    download('/download'),
    ...['tsv', 'csv', 'json', 'jsonl', 'xlsx', 'zip'].map((fileType) => ({
      ...download('/download', 'refused'),
      body: { params: { files: [{ fileName: 'all', fileType, columns, sqon: null, sort: [] }] } },
    })),
  ],
  '/:catalogue/download': [download('/cohort/download')],
  '/fdp{/*rest}': [
    '',
    '/catalog',
    '/catalog/all',
    '/dataset/cohort',
    '/distribution/cohort',
    '/nothing',
  ].flatMap((path) => [
    get(`/fdp${path}`, 'open'),
    { ...get(`/fdp${path}`, 'open'), method: 'POST' } as const,
  ]),
  '/mcp{/*rest}': [
    mcp('describe', { catalogue: 'cohort' }, 'open'),
    mcp(
      'summarise',
      { catalogue: 'cohort', facets: ['site', 'age'], where: [{ field: 'sex', value: 'female' }] },
      'open',
    ),
    mcp('search', { catalogue: 'cohort', fields: ['sex'] }, 'refused'),
    mcp(
      'search',
      { catalogue: 'network', fields: ['sex'], where: [{ field: 'sex', value: 'female' }] },
      'open',
    ),
    mcp('get_record', { catalogue: 'cohort', id: 'X' }, 'refused'),
  ],
  '/beacon{/*rest}': beacon('/beacon'),
  '/:catalogue/beacon{/*rest}': [...beacon('/cohort/beacon'), ...beacon('/network/beacon')],
  '/:catalogue/network/beacon{/*rest}': beacon('/cohort/network/beacon'),
};

/** Not a multiple of the threshold: how many there are is in no answer. */
export const documents = cohort(407, 7);
/** What only the records have: names, values that are not released, keys, and how many there are. */
export const secret = /Name \d|BRAF|MYC|"D\d+"|\b407\b|surname|volume/;

export const metricsToken = 'of-the-operator';

export const send = async (
  url: string,
  { method, path, body }: Door,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(`${url}${path}`, {
    method,
    headers: {
      ...headers,
      ...(path === '/metrics' && { authorization: `Bearer ${metricsToken}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(path === '/' && { accept: 'text/html' }),
      ...(path === '/mcp' && { accept: 'application/json, text/event-stream' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

/** What only some servers have: metrics, and the portal with its links. */
export const everyRoute = (t: ExecutionContext): Partial<AppParts> => {
  const links = { file: `${temporaryFolder(t, {})}/links.sqlite`, maxBytes: 100_000 };
  const portal: PortalSettings = { look: {}, publicUrl: null, signIn: null, imageHosts: [], links };
  const settings = { ...defaultSettings, metricsToken, portal };
  const parts = { config: { http: settings } } as ProcessParts;
  const { routes, close } = portalPages.open!(parts) as OpenCapability;
  t.teardown(() => close?.());
  return { metrics: openMetrics(), routes: [routes!], settings };
};
