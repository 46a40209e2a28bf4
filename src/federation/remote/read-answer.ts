import { z } from 'zod';
import type { FacetResult, MeasureKind } from '../../engines/measure.ts';
import { calendarIntervals } from '../../engines/semantics/calendar.ts';
import { measureRow } from '../../facets/measures.ts';
import type { ErrorCode } from '../../errors/errors.ts';
import { TributaryError, errorCodes } from '../../errors/errors.ts';
import { isJsonObject } from '../../json/json.ts';
import type { CatalogueResult, CatalogueQuery, FacetMeasure, FacetRequest } from '../../search/query.ts';
import { aggregationName } from '../../introspection/fields/names.ts';
import type { RemoteCatalogue } from './discovery/discovered-fields.ts';
import { readNodes, silentNodes, withLevels } from './levels.ts';
import { readLoop } from './passed-on.ts';
import { originOf } from './answer-origin.ts';
import { rateLimited } from './requested-wait.ts';
import { malformedAnswer } from '../../search/malformed-answer.ts';
import { invalidQuery } from './invalid-query.ts';
import type { PrintedQuery } from './print-query.ts';
import { columnValues } from './hit-columns.ts';
import { withheldStatement } from './withheld-statement.ts';
import { readHits } from './read-hits.ts';
import { olderWarning } from './filter/older-filter.ts';
import { remoteWarningsOf } from './remote-warnings.ts';
import type { GraphqlAnswer } from './graphql-over-http.ts';

/**
 * Reads a remote node's GraphQL response as a catalogue's answer. Nothing in it is trusted.
 * @throws TributaryError NODE_REFUSED or NODE_BAD_RESPONSE with a reason safe to show
 */
export const readAnswer = (
  answer: GraphqlAnswer,
  { documentType, isNetwork }: Pick<RemoteCatalogue, 'documentType' | 'isNetwork'>,
  query: CatalogueQuery,
  printed: PrintedQuery,
): CatalogueResult => {
  if (isNetwork) assertSomeAnswered(answer);
  const unshown = unshownColumns(answer, documentType, printed);
  if (unshown === null) assertNoErrors(answer);
  const document = objectAt(answer.data, documentType);
  const page = query.hits ? readHits(document['hits'], printed.columns) : { total: null, hits: [] };
  const isAggregated = query.facets.length > 0 || document['aggregations'] !== undefined;
  const aggregations = !isAggregated ? {} : objectAt(document, 'aggregations');
  return {
    ...page,
    facets: query.facets.map(({ measure }, index) => {
      const { field, key } = printed.facets[index]!;
      const facet = objectAt(aggregations, field);
      const read = readFacet(measure, facet, index, query, printed);
      return isNetwork ? withLevels(read, facet[key], facet, field) : read;
    }),
    ...(isNetwork && { nodes: readNodes(objectAt(document, 'hits'), aggregations, aggregationName) }),
    warnings: [
      ...printed.unselectable.map(({ path, why }) => `"${path}" is null: ${why}`),
      ...[...(unshown ?? [])].map(
        (path) =>
          `"${path}" is null in some hits: this node cannot show their values in the type it gives the field`,
      ),
      ...[...printed.replaced].map(olderWarning),
      ...remoteWarningsOf(answer.extensions),
    ],
    ...(query.identify && originOf(answer.extensions)),
    ...withheldIn(answer),
  };
};

const disclosed = z.object({ disclosure: withheldStatement });

/** What our own nodes say of the answers of a tier that sees no records. */
const withheldIn = ({ extensions }: GraphqlAnswer): Pick<CatalogueResult, 'withheld'> => {
  // most answers have none, and to refuse them takes longer than to read them
  if (!isJsonObject(extensions) || extensions['disclosure'] === undefined) return {};
  const parsed = disclosed.safeParse(extensions);
  return parsed.success ? { withheld: parsed.data.disclosure } : {};
};

/** @throws TributaryError NODE_UNREACHABLE naming the nodes of a network none of which answered */
const assertSomeAnswered = ({ errors = [] }: GraphqlAnswer): void => {
  const nodes = errors.map(silentNodes).find((found) => found !== null);
  if (nodes)
    throw new TributaryError('NODE_UNREACHABLE', 'none of its nodes answered', {
      details: { within: nodes },
    });
};

/**
 * The columns affected by errors on single hits, if there are errors and all are of that kind: the established server
 * gives some numbers a 32-bit type. Null when there are other errors, or none.
 */
const unshownColumns = (
  { errors = [] }: GraphqlAnswer,
  documentType: string,
  { columns }: PrintedQuery,
): ReadonlySet<string> | null => {
  if (errors.length === 0) return null;
  const values = columnValues(columns);
  const above = JSON.stringify([documentType, 'hits', 'edges', 'node']);
  const paths = errors.map(({ path }) => {
    const names = Array.isArray(path) ? path.filter((step) => typeof step === 'string') : [];
    if (JSON.stringify(names.slice(0, 4)) !== above) return undefined;
    return values.find((column) => JSON.stringify(column.names) === JSON.stringify(names.slice(4)))?.path;
  });
  const known = paths.filter((path) => path !== undefined);
  return known.length === errors.length ? new Set(known) : null;
};

/**
 * GraphQL errors are a failed answer, regardless of the HTTP status and any accompanying data.
 * @throws TributaryError NODE_REFUSED, NODE_BAD_RESPONSE; BAD_USER_INPUT for a query that is too expensive there,
 *   TOO_MANY_REQUESTS for one that comes too soon
 */
export const assertNoErrors = ({ errors }: GraphqlAnswer): void => {
  if (!errors?.length) return;
  const [error] = errors;
  throw (
    tooFineHistogram(error) ??
    tooDearQuestion(error) ??
    tooManyRequests(error) ??
    withheldAnswer(error) ??
    readLoop(error) ??
    graphqlErrors(error?.extensions?.['code'])
  );
};

const tooFine = z.object({
  extensions: z.object({
    code: z.literal('BAD_USER_INPUT'),
    details: z.object({
      smallestInterval: z.union([z.number().positive(), z.enum(calendarIntervals)]),
      field: z.string().max(1_000).optional(),
    }),
  }),
});

/** How our own nodes report an interval with too many buckets: only a number, so it is safe to show. */
const tooFineHistogram = (error: unknown): TributaryError | null => {
  const parsed = tooFine.safeParse(error);
  if (!parsed.success) return null;
  const { smallestInterval, field } = parsed.data.extensions.details;
  return new TributaryError(
    'NODE_REFUSED',
    `refused the histogram: its interval must be at least ${smallestInterval} there`,
    { details: { smallestInterval, ...(field !== undefined && { field }) }, cause: invalidQuery() },
  );
};

const tooDear = z.object({
  extensions: z.object({
    code: z.literal('BAD_USER_INPUT'),
    details: z.object({ cost: z.number().positive(), maxCost: z.number().positive() }),
  }),
});

/** The node judges its own part of a query; exceeding its cost limit is not a failure of the node. */
const tooDearQuestion = (error: unknown): TributaryError | null => {
  const parsed = tooDear.safeParse(error);
  if (!parsed.success) return null;
  const { cost, maxCost } = parsed.data.extensions.details;
  return new TributaryError(
    'BAD_USER_INPUT',
    `the query costs ${cost} there, more than the ${maxCost} allowed`,
    { details: { cost, maxCost } },
  );
};

const tooSoon = z.object({
  extensions: z.object({
    code: z.literal('TOO_MANY_REQUESTS'),
    details: z.object({ retryAfterSeconds: z.number().nonnegative() }).optional().catch(undefined),
  }),
});

/** Treated like HTTP 429: a gateway may wrap it in a 200. */
const tooManyRequests = (error: unknown): TributaryError | null => {
  const parsed = tooSoon.safeParse(error);
  if (!parsed.success) return null;
  const { details } = parsed.data.extensions;
  return rateLimited(details === undefined ? null : details.retryAfterSeconds * 1000);
};

const withheld = z.object({
  extensions: z.object({
    code: z.literal('NOT_DISCLOSED'),
    details: z
      .object({ select: z.literal('upper_bound') })
      .optional()
      .catch(undefined),
  }),
});

/** The node does not disclose what was requested, or would only with upper bounds selected too. */
const withheldAnswer = (error: unknown): TributaryError | null => {
  const parsed = withheld.safeParse(error);
  if (!parsed.success) return null;
  const { details } = parsed.data.extensions;
  return new TributaryError(
    'NOT_DISCLOSED',
    details === undefined
      ? 'does not disclose what was asked: only counts of released fields, as intervals'
      : 'discloses counts as intervals: select upper_bound beside total and doc_count',
    { details },
  );
};

/** The remote's message is withheld; its code is shown if it is one of ours. */
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
  // the query was derived from its own schema
  const why =
    known === 'GRAPHQL_VALIDATION_FAILED'
      ? '; its schema or limits may have changed since discovery, restart this server to discover it again'
      : '';
  const cause = known === 'BAD_USER_INPUT' ? invalidQuery() : undefined;
  return new TributaryError(state, `answered with GraphQL errors${known ? ` (${known})` : ''}${why}`, {
    cause,
  });
};

const objectAt = (parent: unknown, key: string): Readonly<Record<string, unknown>> => {
  const value = (parent as Record<string, unknown> | null | undefined)?.[key];
  if (isJsonObject(value)) return value;
  throw malformedAnswer([key]);
};

const readFacet = <Kind extends MeasureKind>(
  measure: FacetMeasure<Kind>,
  facet: Readonly<Record<string, unknown>>,
  index: number,
  { facets, includeMissing }: CatalogueQuery,
  printed: PrintedQuery,
): FacetResult => {
  const { field, key } = printed.facets[index]!;
  const list = () => {
    const isList = ({ measure: one }: FacetRequest, other: number): boolean =>
      one.kind === 'terms' && one.matching === undefined && printed.facets[other]!.field === field;
    const index = facets.findIndex(isList);
    const listed = facets[index]?.measure;
    return listed?.kind === 'terms' ? { measure: listed, value: facet[printed.facets[index]!.key] } : null;
  };
  const row = measureRow<Kind>(measure.kind);
  const bounds = row.remoteBounds && facet[row.remoteBounds.field];
  return row.read(facet[key], { measure, field, includeMissing, list, bounds });
};
