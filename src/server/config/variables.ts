import { z } from 'zod';
import { defaultDocumentLimits } from '../../introspection/fields/catalogue-config.ts';
import { key, maxShown } from '../../introspection/fields/key.ts';
import {
  door,
  engineHosts,
  flag,
  imageHosts,
  issuer,
  origins,
  port,
  proxies,
  routePath,
  wholeNumber,
} from './variable-forms.ts';

const text = z.string();
const mebibyte = 1024 * 1024;
/** Node.js timers with longer delays fire immediately. */
const maxTimerMs = 2 ** 31 - 1;

const address = {
  SERVER_PORT: key(port.default(5050), 'The port; 0 picks a free one.'),
  SERVER_HOST: key(text.optional(), 'The address it listens on.', { byDefault: 'all interfaces' }),
  PUBLIC_URL: key(
    z.url({ protocol: /^https?$/, error: 'an http or https URL expected' }).optional(),
    'Where browsers and members reach this server.',
    { form: 'URL', byDefault: "this machine's names" },
  ),
  TRUST_PROXY: key(proxies.default(0), "How many proxies in front report the caller's address.", {
    form: 'boolean or number',
  }),
  ALLOWED_CORS_ORIGINS: key(origins.default(null), 'Other origins get 403.', {
    form: 'origins, separated by commas',
    byDefault: 'all',
  }),
  CONFIGS_PATH: key(text.default('./configs'), 'A folder per catalogue, or the files of one.', {
    form: 'folder',
  }),
  DATA_PATH: key(text.default('./data'), "[The server's data](operations.md#what-is-in-the-data-folder).", {
    form: 'folder',
  }),
  NODES_PATH: key(text.optional(), 'The network; `off`: none.', {
    form: 'file',
    byDefault: '`./nodes.json`, if it exists',
  }),
  HUBS_PATH: key(text.optional(), 'The hubs that it dials; `off`: none.', {
    form: 'file',
    byDefault: '`./hubs.json`, if it exists',
  }),
  SERVER_KEY_PATH: key(
    text.optional(),
    "This server's private Ed25519 key (PEM); the same for all servers behind one address. To [change it](consortium.md#members-that-dial-in), put the former key below it.",
    { form: 'file', byDefault: '`@server.key` in `DATA_PATH`' },
  ),
  SHUTDOWN_MS: key(
    wholeNumber(0, maxTimerMs).default(10_000),
    'The time for requests to finish after SIGTERM, in milliseconds.',
  ),
  PING_PATH: key(routePath.default('/ping'), 'The liveness check.'),
  READY_PATH: key(routePath.default('/ready'), 'The [readiness check](operations.md#readiness).'),
  METRICS_TOKEN: key(
    text.optional(),
    'Serves [`/metrics`](operations.md#metrics) to callers with this bearer token.',
  ),
  LOG_LEVEL: key(
    z
      .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
        error: 'trace, debug, info, warn, error, fatal or silent expected',
      })
      .default('info'),
    'The lowest level that is logged.',
  ),
  NODE_ENV: key(text.optional(), '`production` disables GraphQL introspection.'),
};

const engine = {
  SEARCH_ENGINE: key(
    z
      .enum(['embedded', 'elasticsearch', 'opensearch'], {
        error: 'embedded, elasticsearch or opensearch expected',
      })
      .optional(),
    'Where the records are searched.',
    { byDefault: '`embedded`; with `ES_HOST`, what answers there' },
  ),
  ES_HOST: key(engineHosts.optional(), 'The search cluster.', {
    form: 'URLs, separated by commas',
    byDefault: '`http://127.0.0.1:9200` for a cluster',
  }),
  ES_USER: key(text.optional(), 'Its user.'),
  ES_PASS: key(text.optional(), 'Its password.'),
  ES_API_KEY: key(text.optional(), 'An API key instead.'),
  ES_CA: key(text.optional(), 'Its certificate authority.', {
    form: 'PEM file',
  }),
  ES_INDEX: key(text.optional(), 'The `esIndex` of a single catalogue.'),
  DOCUMENT_TYPE: key(text.optional(), 'The `documentType` of a single catalogue.'),
  ES_ARRANGER_SETS_INDEX: key(text.default('arranger-sets'), 'The index of saved sets.'),
  INDEXING_PORT: key(
    z.union([z.literal('off').transform(() => null), port]).optional(),
    'The port of the [indexing service](loading.md#repositories).',
    { form: '0 to 65535, or `off`', byDefault: '`11235`' },
  ),
  INDEXING_HOST: key(
    text.default('127.0.0.1'),
    'Its address; any but this machine requires `INDEXING_TOKEN`.',
  ),
  INDEXING_TOKEN: key(text.optional(), 'The bearer token it requires.'),
  REPOSITORIES_PATH: key(text.optional(), 'The [repositories](#the-repositories-file) to index.', {
    form: 'file',
  }),
};

const limits = {
  SEARCH_TIMEOUT_MS: key(
    wholeNumber(1, maxTimerMs).default(30_000),
    'The time limit of a request, in milliseconds.',
  ),
  // see src/engines/cost/prices.ts for how costs are computed
  MAX_QUERY_COST: key(
    wholeNumber(0).optional(),
    'What a request [may cost](security.md#what-a-query-may-cost), in microseconds of CPU time; 0: no limit.',
    { byDefault: 'one processor for `SEARCH_TIMEOUT_MS`' },
  ),
  MEMORY_LIMIT: key(
    wholeNumber(64 * mebibyte).optional(),
    'The memory of this process, in bytes. Requests may hold a quarter of it; beyond, they get 503.',
    { byDefault: "the container's or the machine's" },
  ),
  MAX_BODY_BYTES: key(wholeNumber(1).default(5 * mebibyte), 'The largest request body, in bytes.'),
  MAX_RESULTS_WINDOW: key(
    wholeNumber(1, maxShown).default(10_000),
    'The upper limit of `first` + `offset`; beyond, use cursors.',
  ),
  GRAPHQL_MAX_ALIASES: key(
    wholeNumber(0).default(defaultDocumentLimits.maxAliases),
    'The most aliases in a query.',
  ),
  GRAPHQL_MAX_DEPTH: key(
    wholeNumber(1).default(defaultDocumentLimits.maxDepth),
    'The most levels of a query.',
  ),
  DOWNLOAD_MAX_ROWS: key(
    wholeNumber(0, maxShown).nullable().default(null),
    'The most rows in any file; 0: no limit.',
    {
      byDefault: 'no limit',
    },
  ),
  ALLOW_CUSTOM_DOWNLOAD_MAX_ROWS: key(
    flag.default(false),
    'Requests may name `maxRows`, up to `DOWNLOAD_MAX_ROWS`.',
  ),
  DOWNLOAD_STREAM_BUFFER_SIZE: key(
    // the rows held in memory at once; the embedded engine prefetches pages, so small ones cost it little
    wholeNumber(1).default(200),
    'Documents that a download holds in memory.',
  ),
};

const offers = {
  PORTAL_PATH: key(text.optional(), '[The portal file](#the-portal-file). `off`: no pages.', {
    form: 'file',
    byDefault: '`./portal.json`, if it exists',
  }),
  PORTAL_OIDC_ISSUER: key(issuer.optional(), 'The OpenID Connect provider where people sign in.', {
    form: 'https URL; http on this machine',
  }),
  PORTAL_OIDC_CLIENT_ID: key(
    text.optional(),
    "The portal's client id (public client, authorization code flow with PKCE).",
  ),
  PORTAL_OIDC_SCOPE: key(
    text
      .regex(/^openid( \S+)*$|^(\S+ )+openid( \S+)*$/, { error: 'words of which one is openid expected' })
      .default('openid'),
    'What the portal requests; with `offline_access` it renews tokens.',
    { form: 'words, `openid` among them' },
  ),
  IMAGE_HOSTS: key(
    imageHosts.default([]),
    'Hosts from which browsers load [pictures](portal.md#pictures-and-links).',
    {
      form: 'host names, `*.example.org` too, separated by commas',
      byDefault: 'none',
    },
  ),
  BEACON: door('Catalogues and networks answer as [beacons](beacon.md).'),
  MCP: door('Serves [agents](agents.md).'),
  FDP: door('The server is a [FAIR Data Point](fair.md).'),
  ENABLE_SETS: key(flag.optional(), 'Enables saved sets of ids.', { byDefault: '`false`' }),
  ENABLE_GRAPHQL_BATCHING: key(flag.optional(), 'Allows up to 10 operations in one request.', {
    byDefault: '`false`',
  }),
  DISABLE_GRAPHQL_INTROSPECTION: key(
    flag.optional(),
    'Disables `__schema` and `__type`, by which other nodes discover this one.',
    { byDefault: '`true` in production' },
  ),
  DISABLE_GRAPHQL_PLAYGROUND: key(flag.default(false), 'Disables the GraphiQL page.'),
  DISABLE_DOWNLOADS: key(flag.default(false), 'Removes the download route.'),
  DISABLE_FILTERS: key(flag.default(false), 'Refuses every filter.'),
  STRICT_FILTERS: key(flag.default(false), 'Filters on unknown fields are errors.'),
  ROW_ID_FIELD_NAME: key(text.default('id'), 'The field that identifies a row.'),
};

const access = {
  ACCESS_FILTER_PATH: key(text.optional(), '[Who may see which records](#the-access-file).', {
    form: 'file',
  }),
  ENABLE_ACCESS_CONTROL: key(
    flag.optional(),
    '`true`: no start without access rules. `false`: open on purpose.',
    { byDefault: '`true` with `ACCESS_FILTER_PATH`' },
  ),
  JWKS_URL: key(
    z.url({ protocol: /^(https?|file)$/, error: 'an http, https or file URL expected' }).optional(),
    'The keys that verify tokens, or a PEM file: `file:///etc/tributary/key.pem`.',
    { form: 'http, https or file URL' },
  ),
  AUDIT: key(
    z.enum(['on', 'off', 'required'], { error: 'on, off or required expected' }).optional(),
    'Writes [who queried what](operations.md#who-queried-what). `required`: no answer without it.',
    { byDefault: '`on` with an access file or a `disclosure.json`' },
  ),
  AUDIT_DAYS: key(wholeNumber(1, 36_500).default(3_650), 'Days that the audit trail is kept.'),
};

/** Every variable this server reads, by what it concerns: how it is parsed, its default, and its meaning. */
export const variableGroups = {
  'Address and files': address,
  'Search engine and indexing': engine,
  Limits: limits,
  'What is offered': offers,
  'Access and audit': access,
};

export const variables = z.object({ ...address, ...engine, ...limits, ...offers, ...access });

export type Variables = z.output<typeof variables>;

/** Old names and the ones that replaced them; accepted with a warning. */
export const renamed = {
  PORT: 'SERVER_PORT',
  SEARCH_CLIENT_TYPE: 'SEARCH_ENGINE',
  CONFIG_PATH: 'CONFIGS_PATH',
  ALLOW_CUSTOM_MAX_DOWNLOAD_ROWS: 'ALLOW_CUSTOM_DOWNLOAD_MAX_ROWS',
  ES_ARRANGER_SET_INDEX: 'ES_ARRANGER_SETS_INDEX',
} as const satisfies Readonly<Record<string, keyof Variables>>;

/** Old variables by their values, and the setting that each value is today; null: the default. Accepted with a warning. */
export const rewritten: Readonly<Record<string, Readonly<Record<string, Rewritten | null>>>> = {
  DISABLE_SETS: switchFor(['ENABLE_SETS', 'false']),
  AUDIT_REQUIRED: switchFor(['AUDIT', 'required']),
  PORTAL: { off: ['PORTAL_PATH', 'off'], on: null },
};

type Rewritten = readonly [name: keyof Variables, value: string];

function switchFor(setting: Rewritten) {
  return { true: setting, 1: setting, false: null, 0: null };
}

const readBySdk =
  'load an OpenTelemetry SDK with `--import`: it reads OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS';

const inKeyFile =
  'SERVER_KEY_PATH names a file with the key that servers behind one address share, and below it the former one';

/** Variables that have no meaning here, most of them of the established server, and what to use instead. */
export const withoutMeaning = {
  ENABLE_ADMIN: 'remove it',
  OPEN: 'ENABLE_ACCESS_CONTROL=false says that the server is open on purpose',
  ENABLE_DEBUG: 'LOG_LEVEL sets what is logged',
  ENABLE_LOGS: 'LOG_LEVEL sets what is logged',
  ENABLE_NETWORK_AGGREGATION: "name the nodes in nodes.json or in a catalogue's network.json",
  NETWORK_AGGREGATIONS: "name the nodes in nodes.json or in a catalogue's network.json",
  MAX_DOWNLOAD_ROWS: 'DOWNLOAD_MAX_ROWS limits the rows of a file',
  CURSOR_KEY: inKeyFile,
  CURSOR_KEY_FILE: inKeyFile,
  LOG_REQUESTS: 'LOG_LEVEL sets what is logged',
  MAX_SETS: 'remove it',
  MAX_SET_BYTES: 'remove it',
  MAX_SETS_PER_USER: 'remove it',
  MAX_SET_BYTES_PER_USER: 'remove it',
  MAX_CONNECTIONS: 'remove it',
  MAX_IDLE_CONNECTIONS: 'remove it',
  SEND_TIMEOUT_MS: 'remove it',
  MAX_RESPONSE_BYTES: 'remove it',
  DOWNLOAD_SPOOL_MAX_BYTES: 'remove it',
  READY_WAIT_MS: 'remove it',
  MAX_LIVE_VERSIONS: 'remove it',
  PING_MS: 'remove it',
  ES_LOG: 'remove it',
  ES_ARRANGER_SETS_TYPE: 'remove it',
  ES_ARRANGER_SET_TYPE: 'remove it',
  MCP_TOOLS: 'remove it',
  QUERY_COST_PER_SECOND: 'remove it',
  IMAGE_CACHE_MAX_BYTES: 'remove it',
  AUDIT_QUERIES: 'remove it',
  FORMER_SERVER_KEY_PATH: inKeyFile,
  JWT_PUBLIC_KEY_PATH: 'JWKS_URL names the key file, as a file URL',
  PORTAL_OIDC_RESOURCE: 'remove it',
  SHUTDOWN_DELAY_MS: 'let the orchestrator wait before it sends SIGTERM, as preStop does',
  OTEL_EXPORTER_OTLP_ENDPOINT: readBySdk,
  OTEL_EXPORTER_OTLP_HEADERS_FILE: readBySdk,
} as const;

/** Variables whose values never appear in a message, and may be in a file that NAME_FILE names. */
export const secrets: ReadonlySet<string> = new Set([
  'ES_PASS',
  'ES_API_KEY',
  'INDEXING_TOKEN',
  'METRICS_TOKEN',
  'ES_HOST',
]);
