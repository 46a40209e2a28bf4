import { z } from 'zod';
import { mostAnswerBytes } from '../answer-limit.ts';

/** A switch: exactly `true`, `false`, `1` or `0`, so that a misspelt "off" never leaves something on. */
const flag = z
  .enum(['true', 'false', '1', '0'], { error: 'true, false, 1 or 0 expected' })
  .transform((text) => text === 'true' || text === '1');

const wholeNumber = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  z
    .string()
    .regex(/^\d+$/, { error: `a whole number of at least ${least} expected` })
    .transform(Number)
    .refine((value) => value >= least && value <= most, {
      error: most === Number.MAX_SAFE_INTEGER ? `at least ${least} expected` : `${least} to ${most} expected`,
    });

/** How many proxies, or whether there is one. */
const proxies = z
  .string()
  .regex(/^(true|false|\d{1,2})$/, { error: 'true, false or the number of proxies expected' })
  .transform((text) => (text === 'true' ? 1 : text === 'false' ? 0 : Number(text)));

const port = wholeNumber(0, 65_535);
const routePath = z.string().regex(/^\/[\w\-./]*$/, { error: 'a path that starts with / expected' });
const origin = z.string().regex(/^(\*|[a-z][a-z0-9+.-]*:\/\/[^/\s,]+|null)$/i, {
  error: 'origins such as https://portal.example.org expected, separated by commas',
});

const origins = z.string().transform((text, context) => {
  const list = text
    .split(',')
    .map((part) => part.trim().replace(/\/$/, ''))
    .filter((part) => part !== '');
  for (const part of list) {
    const checked = origin.safeParse(part);
    if (!checked.success) context.addIssue({ code: 'custom', message: checked.error.issues[0]!.message });
  }
  return list.includes('*') || list.length === 0 ? null : list.map((part) => part.toLowerCase());
});

const isHttpUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** One address, or several of one cluster separated by commas. */
const engineHosts = z.string().refine((text) => text.split(',').every((part) => isHttpUrl(part.trim())), {
  error: 'an http or https URL expected, or several separated by commas',
});

const mebibyte = 1024 * 1024;
/** A timer of Node.js that is set to more goes off at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Every variable this server reads, how its text is understood and what it is when unset. */
export const variables = z.object({
  SERVER_PORT: port.default(5050),
  SERVER_HOST: z.string().optional(),
  PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'an http or https URL expected' }).optional(),
  MAX_CONNECTIONS: wholeNumber(1).default(1_000),
  MAX_IDLE_CONNECTIONS: wholeNumber(1).default(500),
  SEND_TIMEOUT_MS: wholeNumber(1, longestTimerMs).default(30_000),
  INDEXING_PORT: z.union([z.literal('off').transform(() => null), port]).optional(),
  INDEXING_HOST: z.string().default('127.0.0.1'),
  INDEXING_TOKEN: z.string().optional(),
  CONFIGS_PATH: z.string().default('./configs'),
  DATA_PATH: z.string().default('./data'),
  NODES_PATH: z.string().optional(),
  REPOSITORIES_PATH: z.string().optional(),
  SEARCH_ENGINE: z
    .enum(['embedded', 'elasticsearch', 'opensearch'], {
      error: 'embedded, elasticsearch or opensearch expected',
    })
    .optional(),
  ES_HOST: engineHosts.optional(),
  ES_USER: z.string().optional(),
  ES_PASS: z.string().optional(),
  ES_API_KEY: z.string().optional(),
  ES_CA: z.string().optional(),
  ES_ARRANGER_SETS_INDEX: z.string().default('arranger-sets'),
  ES_INDEX: z.string().optional(),
  DOCUMENT_TYPE: z.string().optional(),
  ACCESS_FILTER_PATH: z.string().optional(),
  JWKS_URL: z.url({ protocol: /^https?$/, error: 'an http or https URL expected' }).optional(),
  JWT_PUBLIC_KEY_PATH: z.string().optional(),
  ALLOWED_CORS_ORIGINS: origins.default(null),
  MAX_RESULTS_WINDOW: wholeNumber(1).default(10_000),
  GRAPHQL_MAX_ALIASES: wholeNumber(0).default(15),
  GRAPHQL_MAX_DEPTH: wholeNumber(1).default(7),
  MAX_BODY_BYTES: wholeNumber(1).default(5 * mebibyte),
  MAX_RESPONSE_BYTES: wholeNumber(1_000, mostAnswerBytes).default(mostAnswerBytes),
  SEARCH_TIMEOUT_MS: wholeNumber(1, longestTimerMs).default(30_000),
  // microseconds of a processor, about and at most: src/engines/cost/prices.ts
  MAX_QUERY_COST: wholeNumber(0).default(2_000_000),
  QUERY_COST_PER_SECOND: wholeNumber(0).default(20_000_000),
  TRUST_PROXY: proxies.default(0),
  DISABLE_GRAPHQL_INTROSPECTION: flag.optional(),
  DISABLE_GRAPHQL_PLAYGROUND: flag.default(false),
  DISABLE_DOWNLOADS: flag.default(false),
  DISABLE_FILTERS: flag.default(false),
  ENABLE_SETS: flag.default(false),
  ENABLE_GRAPHQL_BATCHING: flag.default(false),
  ENABLE_ADMIN: flag.default(false),
  STRICT_FILTERS: flag.default(false),
  ROW_ID_FIELD_NAME: z.string().default('id'),
  // 0 is no cap, as in downloads.json
  DOWNLOAD_MAX_ROWS: wholeNumber(0).nullable().default(null),
  ALLOW_CUSTOM_DOWNLOAD_MAX_ROWS: flag.default(false),
  // what stands in memory at once; the embedded engine finds further pages ahead, so small ones cost it little
  DOWNLOAD_STREAM_BUFFER_SIZE: wholeNumber(1).default(200),
  PING_PATH: routePath.default('/ping'),
  READY_PATH: routePath.default('/ready'),
  METRICS_TOKEN: z.string().optional(),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'trace, debug, info, warn, error, fatal or silent expected',
    })
    .default('info'),
  NODE_ENV: z.string().optional(),
});

export type Variables = z.output<typeof variables>;

/** Old names and the ones that replaced them; accepted with a warning. */
export const renamed = { PORT: 'SERVER_PORT', SEARCH_CLIENT_TYPE: 'SEARCH_ENGINE' } as const;

/** Variables whose values never appear in a message. */
export const secrets: ReadonlySet<string> = new Set([
  'ES_PASS',
  'ES_API_KEY',
  'INDEXING_TOKEN',
  'METRICS_TOKEN',
  'ES_HOST',
]);
