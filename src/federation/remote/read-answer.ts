import { z } from 'zod';
import type { FacetResult, TermsResult } from '../../engines/engine.ts';
import { maxHistogramBuckets } from '../../engines/semantics/histogram-size.ts';
import type { ErrorCode } from '../../errors.ts';
import { TributaryError, errorCodes } from '../../errors.ts';
import { isJsonObject } from '../../json.ts';
import type { CatalogueAnswer, CatalogueQuery, FacetMeasure } from '../../search/query.ts';
import { askedToWait } from './asked-to-wait.ts';
import { isCount, malformedAnswer } from './malformed-answer.ts';
import { badQuestion } from './bad-question.ts';
import type { PrintedQuery } from './print-query.ts';
import { readHits } from './read-hits.ts';
import { mostBuckets, readTerms } from './read-terms.ts';
import { remoteWarningsOf } from './remote-warnings.ts';
import type { GraphqlAnswer } from './transport.ts';

const count = z.custom<number>(isCount);
const number = z.number().nullish();
const keyed = <Key extends z.ZodType<string>>(key: Key, most: number) =>
  z.object({ buckets: z.array(z.object({ key, doc_count: count })).max(most) });
const numeral = z
  .string()
  .regex(/^-?\d+(\.\d+)?([eE][-+]?\d+)?$/)
  .refine((text) => Number.isFinite(Number(text)));

const measureSchemas = {
  stats: z.object({ count, min: number, max: number, sum: number, avg: number }),
  histogram: keyed(numeral, maxHistogramBuckets),
  range: keyed(z.string(), mostBuckets),
  cardinality: count,
};

/**
 * A remote node's GraphQL answer as a catalogue's answer. Nothing in it is trusted.
 * @throws TributaryError NODE_REFUSED or NODE_BAD_RESPONSE with a reason safe to show
 */
export const readAnswer = (
  answer: GraphqlAnswer,
  documentType: string,
  query: CatalogueQuery,
  printed: PrintedQuery,
): CatalogueAnswer => {
  const unshown = unshownColumns(answer, documentType, printed);
  if (unshown === null) assertNoErrors(answer);
  const document = objectAt(answer.data, documentType);
  const page = query.hits ? readHits(document['hits'], printed.columns) : { total: null, hits: [] };
  const aggregations = query.facets.length === 0 ? {} : objectAt(document, 'aggregations');
  return {
    ...page,
    facets: query.facets.map(({ measure }, index) => {
      const { field, key } = printed.facets[index]!;
      const facet = objectAt(aggregations, field);
      if (measure.kind === 'cardinality' && facet[key] === null)
        return uncounted(listBeside(query, printed, facet, index));
      return readFacet(measure, facet[key], field, query.includeMissing);
    }),
    warnings: [
      ...printed.unselectable.map(
        (path) =>
          `"${path}" is null: this node cannot give nested or deep values; it needs _source(paths:) on hits`,
      ),
      ...[...(unshown ?? [])].map(
        (path) =>
          `"${path}" is null in some hits: this node cannot show their values in the type it gives the field`,
      ),
      ...remoteWarningsOf(answer.extensions),
    ],
  };
};

/**
 * The columns whose values stand in errors of single hits, when there are errors and all are such: the established
 * server gives some numbers a type that holds 32 bits. Null when the errors are of another kind, or there are none.
 */
const unshownColumns = (
  { errors = [] }: GraphqlAnswer,
  documentType: string,
  { columns }: PrintedQuery,
): ReadonlySet<string> | null => {
  const above = JSON.stringify([documentType, 'hits', 'edges', 'node']);
  const paths = errors.map(({ path }) => {
    const names = Array.isArray(path) ? path.filter((step) => typeof step === 'string') : [];
    if (JSON.stringify(names.slice(0, 4)) !== above) return undefined;
    return columns.find((column) => JSON.stringify(column.names) === JSON.stringify(names.slice(4)))?.path;
  });
  const known = paths.filter((path) => path !== undefined);
  return errors.length > 0 && known.length === errors.length ? new Set(known) : null;
};

/**
 * GraphQL errors are a failed answer, whatever the HTTP status and the data beside them.
 * @throws TributaryError NODE_REFUSED, NODE_BAD_RESPONSE; BAD_USER_INPUT for a question that costs too much there,
 *   TOO_MANY_REQUESTS for one that comes too soon
 */
export const assertNoErrors = ({ errors }: GraphqlAnswer): void => {
  if (!errors?.length) return;
  const [error] = errors;
  throw (
    tooFineHistogram(error) ??
    tooDearQuestion(error) ??
    tooManyRequests(error) ??
    graphqlErrors(error?.extensions?.['code'])
  );
};

const tooFine = z.object({
  extensions: z.object({
    code: z.literal('BAD_USER_INPUT'),
    details: z.object({ smallestInterval: z.number().positive(), field: z.string().max(1_000).optional() }),
  }),
});

/** What our own nodes say of an interval with too many buckets: a number, and so safe to show. */
const tooFineHistogram = (error: unknown): TributaryError | null => {
  const parsed = tooFine.safeParse(error);
  if (!parsed.success) return null;
  const { smallestInterval, field } = parsed.data.extensions.details;
  return new TributaryError(
    'NODE_REFUSED',
    `refused the histogram: its interval must be at least ${smallestInterval} there`,
    { details: { smallestInterval, ...(field !== undefined && { field }) }, cause: badQuestion() },
  );
};

const tooDear = z.object({
  extensions: z.object({
    code: z.literal('BAD_USER_INPUT'),
    details: z.object({ cost: z.number().positive(), mostCost: z.number().positive() }),
  }),
});

/** The node judges its own part of a question; that it costs too much is no failure of the node. */
const tooDearQuestion = (error: unknown): TributaryError | null => {
  const parsed = tooDear.safeParse(error);
  if (!parsed.success) return null;
  const { cost, mostCost } = parsed.data.extensions.details;
  return new TributaryError(
    'BAD_USER_INPUT',
    `the query costs ${cost} there, more than the ${mostCost} allowed`,
    { details: { cost, mostCost } },
  );
};

const tooSoon = z.object({
  extensions: z.object({
    code: z.literal('TOO_MANY_REQUESTS'),
    details: z.object({ retryAfterSeconds: z.number().nonnegative() }).optional().catch(undefined),
  }),
});

/** As HTTP 429 is read: a gateway may answer 200 around it. */
const tooManyRequests = (error: unknown): TributaryError | null => {
  const parsed = tooSoon.safeParse(error);
  if (!parsed.success) return null;
  const { details } = parsed.data.extensions;
  return askedToWait(details === undefined ? null : details.retryAfterSeconds * 1000);
};

/** The remote's message stays out of it; its code is shown if it is one of ours. */
const graphqlErrors = (code: unknown): TributaryError => {
  const known = typeof code === 'string' && Object.hasOwn(errorCodes, code) ? code : null;
  const refusals = [
    'UNAUTHENTICATED',
    'FORBIDDEN',
    'BAD_USER_INPUT',
    'GRAPHQL_VALIDATION_FAILED',
    'RESPONSE_TOO_LARGE',
  ];
  const state: ErrorCode = known && refusals.includes(known) ? 'NODE_REFUSED' : 'NODE_BAD_RESPONSE';
  // what was asked came out of its own schema
  const why =
    known === 'GRAPHQL_VALIDATION_FAILED'
      ? '; its schema or limits may have changed since discovery, restart this server to discover it again'
      : '';
  const cause = known === 'BAD_USER_INPUT' ? badQuestion() : undefined;
  return new TributaryError(state, `answered with GraphQL errors${known ? ` (${known})` : ''}${why}`, {
    cause,
  });
};

const check = <T>(schema: z.ZodType<T>, value: unknown, what: string): T => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw malformedAnswer([what, ...(parsed.error.issues[0]?.path ?? [])], parsed.error);
};

const objectAt = (parent: unknown, key: string): Readonly<Record<string, unknown>> => {
  const value = (parent as Record<string, unknown> | null | undefined)?.[key];
  if (isJsonObject(value)) return value;
  throw malformedAnswer([key]);
};

const readFacet = (
  measure: FacetMeasure,
  value: unknown,
  field: string,
  includeMissing: boolean,
): FacetResult => {
  switch (measure.kind) {
    case 'terms':
      return readTerms(value, field, includeMissing);
    case 'stats': {
      const { count: values, min, max, sum, avg } = check(measureSchemas.stats, value, field);
      const of = (one: number | null | undefined): number | null => (values === 0 ? null : (one ?? null));
      return { kind: 'stats', count: values, min: of(min), max: of(max), sum: of(sum), avg: of(avg) };
    }
    case 'histogram':
    case 'range': {
      const { buckets } = check(measureSchemas[measure.kind], value, field);
      if (measure.kind === 'histogram') assertSteps(buckets, measure.interval, field);
      return {
        kind: measure.kind,
        buckets: buckets.map(({ key, doc_count }) => ({ key, count: doc_count })),
      };
    }
    case 'cardinality': {
      const number = check(measureSchemas.cardinality, value, field);
      // the established server approximates all but nothing, and an answer does not tell
      return { kind: 'cardinality', value: number, exact: number === 0 };
    }
  }
};

/** The established server loses the number of distinct values beside their list: a whole list tells it. */
const uncounted = ({ list, isWhole }: { list: TermsResult | null; isWhole: boolean }): FacetResult => {
  const value = list?.buckets.length ?? 0;
  return { kind: 'cardinality', value, exact: isWhole, ...(!isWhole && { open: true as const }) };
};

/** The buckets of the same field in the same answer, when they were asked. */
const listBeside = (
  { facets, includeMissing }: CatalogueQuery,
  printed: PrintedQuery,
  facet: Readonly<Record<string, unknown>>,
  index: number,
): { readonly list: TermsResult | null; readonly isWhole: boolean } => {
  const { field } = printed.facets[index]!;
  const place = facets.findIndex(
    ({ measure }, other) => measure.kind === 'terms' && printed.facets[other]!.field === field,
  );
  const measure = facets[place]?.measure;
  if (measure?.kind !== 'terms') return { list: null, isWhole: false };
  const list = readTerms(facet[printed.facets[place]!.key], field, includeMissing);
  return { list, isWhole: measure.max === null || list.buckets.length < measure.max };
};

/** Keys of another interval than was asked would be counted where they do not belong. */
const assertSteps = (buckets: readonly { readonly key: string }[], interval: number, field: string): void => {
  const isBetween = ({ key }: { readonly key: string }): boolean => {
    const steps = Number(key) / interval;
    return Math.abs(steps - Math.round(steps)) > 0.01;
  };
  if (buckets.some(isBetween))
    throw new TributaryError(
      'NODE_BAD_RESPONSE',
      `the answer is malformed at ${field}: keys of another interval`,
    );
};
