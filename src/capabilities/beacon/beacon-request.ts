import { z } from 'zod';
import { badUserInput, type TributaryError } from '../../lib/errors/errors.ts';
import { withoutNulls } from '../../lib/json/json.ts';
import { objectOf } from '../../lib/text/unknown-keys.ts';

/** A filter as a client wrote it. */
export interface BeaconFilter {
  readonly id: string;
  readonly operator?: string | undefined;
  readonly value?: string | number | boolean | undefined;
  readonly scope?: string | undefined;
  readonly includeDescendantTerms?: boolean | undefined;
  readonly similarity?: string | undefined;
}

export const granularities = ['boolean', 'count', 'record'] as const;
export type Granularity = (typeof granularities)[number];

/** A query to a beacon. */
export interface BeaconRequest {
  readonly apiVersion: string;
  readonly requestedSchemas: readonly unknown[];
  readonly filters: readonly BeaconFilter[];
  readonly granularity: Granularity;
  readonly include: 'ALL' | 'HIT' | 'MISS' | 'NONE';
  /** Pages to skip. */
  readonly skip: number;
  /** Rows of a page; 0 for the maximum. */
  readonly limit: number;
  readonly testMode: boolean;
  /** The names of other parameters that narrow the query, such as the position of a variant. */
  readonly parameters: readonly string[];
}

/** Any client may send filters, even a thousand of them: names are compared with those of fields. */
const shortText = z.string().max(1_000);

const filter = z.union(
  [
    shortText.transform((id): BeaconFilter => writtenFilter(id)),
    objectOf({
      id: shortText,
      operator: shortText.optional(),
      value: z.union([shortText, z.number(), z.boolean()]).optional(),
      scope: shortText.optional(),
      includeDescendantTerms: z.boolean().optional(),
      similarity: shortText.optional(),
      // what people read of a term
      label: z.unknown().optional(),
      type: z.unknown().optional(),
    }),
  ],
  {
    error:
      'a term, or an object with id and perhaps operator and value, each of at most 1000 characters, expected',
  },
);

const wholeNumber = z.coerce.number({ error: 'a number expected' }).int().min(0);

const query = z.looseObject({
  filters: z
    .preprocess(
      (sent) => (typeof sent === 'string' ? writtenFilters(sent) : sent),
      z.array(filter, { error: 'a list of filters expected' }).max(1_000),
    )
    .default([]),
  // more than a count must be requested explicitly
  requestedGranularity: z
    .enum(granularities, { error: '"boolean", "count" or "record" expected' })
    .default('count'),
  includeResultsetResponses: z
    .enum(['ALL', 'HIT', 'MISS', 'NONE'], { error: '"ALL", "HIT", "MISS" or "NONE" expected' })
    .default('HIT'),
  pagination: z.object({ skip: wholeNumber.default(0), limit: wholeNumber.default(10) }).prefault({}),
  testMode: z.union([z.boolean(), z.stringbool()]).default(false),
  requestParameters: z.record(z.string(), z.unknown()).default({}),
});

const body = z.looseObject({
  meta: z
    .object({ apiVersion: z.string().default('v2.1.1'), requestedSchemas: z.array(z.unknown()).default([]) })
    .prefault({}),
  query: query.prefault({}),
});

/** The query in the body of a POST. @throws TributaryError BAD_USER_INPUT naming the key */
export const fromBody = (content: unknown): BeaconRequest => {
  const parsed = body.safeParse(withoutNulls(content) ?? {});
  if (!parsed.success) throw invalid(parsed.error);
  const { meta, query: sent } = parsed.data;
  const others = [...keysBeside(body, parsed.data), ...keysBeside(query, sent)];
  return {
    apiVersion: meta.apiVersion,
    requestedSchemas: meta.requestedSchemas,
    filters: sent.filters,
    granularity: sent.requestedGranularity,
    include: sent.includeResultsetResponses,
    ...sent.pagination,
    testMode: sent.testMode,
    parameters: [...others, ...Object.keys(sent.requestParameters)].filter((name) => name !== '$schema'),
  };
};

/** The keys that the standard does not have: a filter under another name must not widen the query. */
const keysBeside = ({ shape }: z.ZodObject, sent: object): readonly string[] =>
  Object.keys(sent).filter((key) => !Object.hasOwn(shape, key));

/** Parameters of a GET that do not narrow the query. */
const known: ReadonlySet<string> = new Set([
  ...['filters', 'requestedGranularity', 'includeResultsetResponses', 'skip', 'limit', 'testMode'],
  ...['apiVersion', 'requestedSchema', 'requestedSchemas'],
]);

/** Filters in one text, separated by commas; a comma of a value has a backslash before it. */
const writtenFilters = (list: string): readonly string[] =>
  list
    .split(/(?<!\\),/)
    .map((id) => id.replaceAll('\\,', ',').trim())
    .filter((id) => id !== '');

/** The query in the URL of a GET: `filters` separated by commas. @throws TributaryError BAD_USER_INPUT */
export const fromAddress = (search: URLSearchParams): BeaconRequest => {
  const filters = search.getAll('filters').flatMap(writtenFilters);
  // forms send the names of empty inputs
  const one = (name: string): string | undefined => search.get(name) || undefined;
  const request = fromBody({
    meta: {
      apiVersion: one('apiVersion'),
      requestedSchemas: search.getAll('requestedSchema').map((schema) => ({ schema })),
    },
    query: {
      filters,
      requestedGranularity: one('requestedGranularity'),
      includeResultsetResponses: one('includeResultsetResponses'),
      pagination: { skip: one('skip'), limit: one('limit') },
      testMode: one('testMode'),
    },
  });
  return { ...request, parameters: [...new Set(search.keys())].filter((name) => !known.has(name)) };
};

/** A filter as one text: a term, or a field, an operator and a value: `age>=70`. */
const writtenFilter = (text: string): BeaconFilter => {
  const [, id, operator, value] = /^([^<>=!]+)([<>=!]=|[<>=!])\s*(.+)$/.exec(text) ?? [];
  return id === undefined ? { id: text } : { id: id.trimEnd(), operator, value };
};

const invalid = ({ issues: [issue] }: z.ZodError): TributaryError =>
  badUserInput(`${issue!.path.join('.') || 'the body'}: ${issue!.message}`);
