import { z } from 'zod';
import type { FacetResult } from '../engines/engine.ts';
import type { ErrorCode } from '../errors.ts';
import { TributaryError, errorCodes } from '../errors.ts';
import { isJsonObject } from '../json.ts';
import type { CatalogueAnswer, CatalogueQuery, FacetMeasure } from '../local/query.ts';
import { isCount, malformedAnswer } from './malformed-answer.ts';
import { maxHistogramBuckets } from './merge/histogram.ts';
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
  assertNoErrors(answer);
  const document = objectAt(answer.data, documentType);
  const page = query.hits ? readHits(document['hits'], printed.columns) : { total: null, hits: [] };
  const aggregations = query.facets.length === 0 ? {} : objectAt(document, 'aggregations');
  return {
    ...page,
    facets: query.facets.map(({ measure }, index) => {
      const { field, key } = printed.facets[index]!;
      return readFacet(measure, objectAt(aggregations, field)[key], field);
    }),
    warnings: [
      ...printed.unselectable.map(
        (path) =>
          `"${path}" is null: this node cannot give nested or deep values; it needs _source(paths:) on hits`,
      ),
      ...remoteWarningsOf(answer.extensions),
    ],
  };
};

/**
 * GraphQL errors are a failed answer, whatever the HTTP status and the data beside them.
 * @throws TributaryError NODE_REFUSED, NODE_BAD_RESPONSE
 */
export const assertNoErrors = ({ errors }: GraphqlAnswer): void => {
  if (errors?.length) throw tooFineHistogram(errors[0]) ?? graphqlErrors(errors[0]?.extensions?.['code']);
};

const tooFine = z.object({
  extensions: z.object({
    code: z.literal('BAD_USER_INPUT'),
    details: z.object({ smallestInterval: z.number().positive() }),
  }),
});

/** What our own nodes say of an interval with too many buckets: a number, and so safe to show. */
const tooFineHistogram = (error: unknown): TributaryError | null => {
  const parsed = tooFine.safeParse(error);
  if (!parsed.success) return null;
  const { smallestInterval } = parsed.data.extensions.details;
  return new TributaryError(
    'NODE_REFUSED',
    `refused the histogram: its interval must be at least ${smallestInterval} there`,
    { details: { smallestInterval } },
  );
};

/** The remote's message stays out of it; its code is shown if it is one of ours. */
const graphqlErrors = (code: unknown): TributaryError => {
  const known = typeof code === 'string' && Object.hasOwn(errorCodes, code) ? code : null;
  const refusals = ['UNAUTHENTICATED', 'FORBIDDEN', 'BAD_USER_INPUT', 'GRAPHQL_VALIDATION_FAILED'];
  const state: ErrorCode = known && refusals.includes(known) ? 'NODE_REFUSED' : 'NODE_BAD_RESPONSE';
  // what was asked came out of its own schema
  const why =
    known === 'GRAPHQL_VALIDATION_FAILED'
      ? '; its schema or limits may have changed since discovery, restart this server to discover it again'
      : '';
  return new TributaryError(state, `answered with GraphQL errors${known ? ` (${known})` : ''}${why}`);
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

const readFacet = (measure: FacetMeasure, value: unknown, field: string): FacetResult => {
  switch (measure.kind) {
    case 'terms':
      return readTerms(value, field);
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
    case 'cardinality':
      // the established server approximates, and an answer does not tell
      return { kind: 'cardinality', value: check(measureSchemas.cardinality, value, field), exact: false };
  }
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
