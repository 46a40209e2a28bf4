import { mapInSlices, yieldToEventLoop } from '../../lib/concurrency/yield-to-event-loop.ts';
import type { Engine, FacetQuery, SearchQuery, SearchResult } from '../../engines/engine.ts';
import type { FacetResult, TermsBucket } from '../../engines/measure.ts';
import { uncountable } from '../../engines/semantics/field-uses.ts';
import { TributaryError, asTributaryError } from '../../lib/errors/errors.ts';
import type { CatalogueConfig } from '../../introspection/fields/catalogue-config.ts';
import { isShownWhole, type Field, type Fields } from '../../introspection/fields/field.ts';
import { expandedKeys, type IsOpaque } from '../../introspection/mapping/expanded-keys.ts';
import { fieldsFingerprint } from '../../introspection/mapping/mapping.ts';
import { isJsonObject, type JsonObject } from '../../lib/json/json.ts';
import { hitsQuery, shownHit, type HitsContext } from '../hits/hits-query.ts';
import { isoDates, unwrapDocument, withConstants } from '../hits/stored-document.ts';
import { accessFilter, expandQuery, facetQueries, type FacetContext } from './query-filter.ts';
import { defaultRefreshMs, type LocalSettings } from './settings.ts';
import { serverVersion } from '../../lib/runtime/server-version.ts';
import type { FailedFacet } from '../../search/nodes-answer.ts';
import {
  filtersIn,
  rejectFilters,
  type AnswerOrigin,
  type CatalogueResult,
  type CatalogueQuery,
  type FacetRequest,
  type SearchFn,
} from '../../search/query.ts';
import type { RequestContext } from '../../search/request-context.ts';
import type { Sqon } from '../../sqon/ast.ts';
import { compileSqon, validateSqon } from '../../sqon/compile.ts';
import { and, all } from '../../sqon/filter.ts';
import { allConditions } from '../../sqon/rewrite.ts';
import type { CompiledNodes } from '../../sqon/scope.ts';

export interface SearchParts {
  readonly config: CatalogueConfig;
  readonly index: string;
  readonly fields: Fields;
  readonly engine: Engine;
  readonly settings: LocalSettings;
}

/**
 * The search of one catalogue: any query becomes a single query to the engine, under the caller's access filter. The
 * README lists the layers around it. Errors are TributaryErrors: BAD_USER_INPUT, UNAUTHENTICATED, FORBIDDEN and the
 * engine's.
 */
export const catalogueSearch = (parts: SearchParts): SearchFn => {
  const { config, fields, settings } = parts;
  const shown = { isOpaque: opaqueFields(fields), dates: isoDates(fields), constants: withConstants(fields) };
  return async (query, context) => {
    // for every caller: the catalogue's own endpoint or a network that includes it
    if (config.switches.disableFilters) rejectFilters(query);
    const access = await accessFilter(config.catalogueId, fields, context);
    // without saved sets, compiling refuses a filter that uses one
    const expanded =
      settings.sets === undefined
        ? query
        : await expandQuery(query, settings.sets, config.catalogueId, context);
    const { search, facets, failed, warnings } = await prepared(parts, expanded, access);
    const result =
      search.hits === undefined && search.facets.length === 0
        ? nothingSearched
        : await facetsApart(search, (part, isAgain) => engineSearch(parts, part, context, isAgain));
    for (const warning of result.warnings) warnings.add(warning);
    const origin = originOf(parts, result, access);
    if (result !== nothingSearched) context.trace.generations.set(origin.generation, origin.lastUpdated);
    const byFacet = new Map(facets.map((facet, at) => [facet, result.facets[at]]));
    const answering = { ...parts, ...shown };
    return {
      ...(await catalogueResult(answering, search, expanded, result)),
      facets: expanded.facets.map((facet) =>
        facetAnswer(answering, expanded, facet, failed.get(facet) ?? byFacet.get(facet)),
      ),
      warnings: [...warnings],
      origin,
    };
  };
};

/** Filters of more values take milliseconds to prepare. */
const longFilter = 1_000;

const isLong = ({ filters, facets }: CatalogueQuery): boolean => {
  const conditions = filtersIn(filters, facets).flatMap(allConditions);
  return (
    conditions.reduce(
      (sum, condition) => sum + (condition.kind === 'leaf' ? condition.values.length : 1),
      0,
    ) > longFilter
  );
};

interface Prepared {
  readonly search: SearchQuery;
  /** The requested facets that it counts. */
  readonly facets: readonly FacetRequest[];
  readonly failed: ReadonlyMap<FacetRequest, FailedFacet>;
  readonly warnings: Set<string>;
}

/** The engine's query. Other work has a turn only where it must: searches that start in one turn are admitted together. */
const prepared = async (
  parts: SearchParts,
  query: CatalogueQuery,
  access: FacetContext['access'],
): Promise<Prepared> => {
  const takesLong = isLong(query);
  const compiled: CompiledNodes = new Map();
  const warnings = new Set(filterWarnings(parts, query, compiled));
  if (takesLong) await yieldToEventLoop();
  const failed = uncountableFacets(query, parts.fields);
  const facets = query.facets.filter((facet) => !failed.has(facet));
  const warn = (message: string) => void warnings.add(message);
  const search = searchQuery(parts, { ...query, facets }, { access, compiled, warn });
  if (takesLong) await yieldToEventLoop();
  return { search, facets, failed, warnings };
};

const nothingSearched: ApartResult = { facets: [], tookMs: 0, warnings: [] };

/** The facets of fields that do not support their measures. */
const uncountableFacets = (
  { facets }: Pick<CatalogueQuery, 'facets'>,
  fields: Fields,
): ReadonlyMap<FacetRequest, FailedFacet> => {
  const failed = new Map<FacetRequest, FailedFacet>();
  for (const facet of facets) {
    const field = fields.get(facet.field);
    const error = field === undefined ? null : uncountable(field, facet.measure.kind);
    if (error !== null) failed.set(facet, { kind: 'failed', error });
  }
  return failed;
};

const filterWarnings = (
  { fields, settings }: SearchParts,
  { filters, facets }: CatalogueQuery,
  compiled: CompiledNodes,
): readonly string[] => {
  const strict = settings.strictFilters === true;
  return filtersIn(filters, facets).flatMap((sqon) => validateSqon(sqon, fields, { strict, compiled }));
};

const searchQuery = (
  { config, fields, settings }: SearchParts,
  query: CatalogueQuery,
  { access, compiled, warn }: Pick<FacetContext, 'access' | 'compiled'> & Pick<HitsContext, 'warn'>,
): SearchQuery => {
  const filter = () => and([query.filters, access].map((sqon) => compileSqon(sqon, fields, compiled)));
  const { nestingPrefix } = config;
  return {
    facets: facetQueries(query.facets, { fields, nestingPrefix, query, access, compiled }),
    ...(query.hits && {
      hits: hitsQuery(query.hits, filter(), {
        ...{ config, fields, warn },
        cursors: settings.cursors,
      }),
    }),
  };
};

/** @throws TributaryError the engine's error, or why the request was aborted */
const engineSearch = async (
  { engine, index, config, settings }: SearchParts,
  search: SearchQuery,
  context: RequestContext,
  isAgain: boolean,
): Promise<SearchResult> => {
  const { signal, allowance, memory, isRetried } = context;
  const watch = settings.guard?.watch(config) ?? null;
  const startedMs = performance.now();
  try {
    const result = await engine.search(index, search, {
      ...(watch !== null && { identify: true }),
      signal,
      // a repeat is judged on its own: the first attempt has been charged
      allowance: isAgain ? allowance?.paged : allowance,
      memory,
      timeoutMs: settings.searchTimeoutMs,
      group: context,
      once: isRetried,
    });
    watch?.(result.indices);
    const { tookMs: engineMs } = result;
    context.observer.onSearched({ engineMs, queueMs: Math.max(0, performance.now() - startedMs - engineMs) });
    return result;
  } catch (error) {
    const isOver = signal?.aborted === true && signal.reason instanceof TributaryError;
    // NOT_READY says what was waited for, which is more than the reason of the signal
    throw isOver && asTributaryError(error).code !== 'NOT_READY'
      ? signal.reason
      : searchFailure(error, config.catalogueId, settings);
  }
};

const maxRetryAfterSeconds = 30;

/** A failure to open a catalogue counts as an engine error if the catalogue worked before. */
const searchFailure = (
  thrown: unknown,
  catalogueId: string,
  { refreshMs = defaultRefreshMs }: LocalSettings,
): TributaryError => {
  const error = asTributaryError(thrown);
  const { code, message } = error;
  const because = { cause: error };
  // the next check finds out whether the catalogue failed
  const retryAfterSeconds = Math.min(maxRetryAfterSeconds, Math.ceil(refreshMs / 1_000));
  const retried = { cause: error, details: { ...error.details, retryAfterSeconds } };
  if (code === 'ENGINE_UNAVAILABLE') return new TributaryError(code, message, retried);
  if (code === 'index_not_found' || code === 'connection_error')
    return new TributaryError(
      'ENGINE_UNAVAILABLE',
      `the index of catalogue ${catalogueId} is not reachable`,
      retried,
    );
  if (code === 'permission_denied' || code === 'mapping_fetch_error')
    return new TributaryError(
      'ENGINE_ERROR',
      `the index of catalogue ${catalogueId} cannot be searched`,
      because,
    );
  return error;
};

/** An update may be of records that the caller may not see: its time is for those who may see all. */
const originOf = (
  { fields }: SearchParts,
  { generation, lastWriteMs }: Pick<SearchResult, 'generation' | 'lastWriteMs'>,
  access: Sqon | null,
): AnswerOrigin => ({
  version: serverVersion(),
  schema: fieldsFingerprint(fields),
  generation: generation ?? null,
  lastUpdated: access === null && lastWriteMs !== undefined ? new Date(lastWriteMs).toISOString() : null,
});

/** The inputs for shaping answers. */
interface AnswerParts extends SearchParts {
  readonly isOpaque: IsOpaque;
  /** Shows the dates of a document in ISO 8601. */
  readonly dates: ReturnType<typeof isoDates>;
  readonly constants: ReturnType<typeof withConstants>;
}

const catalogueResult = async (
  parts: AnswerParts,
  search: Pick<SearchQuery, 'hits'>,
  { hits }: Pick<CatalogueQuery, 'hits'>,
  result: ApartResult,
): Promise<Pick<CatalogueResult, 'total' | 'hits'>> => ({
  total: result.hits?.total ?? null,
  hits: await mapInSlices(result.hits?.hits ?? [], (hit) =>
    shownHit(
      { ...hit, source: shownDocument(hit.source, hits?.fields ?? null, parts) },
      search.hits?.sort ?? [],
      parts.settings.cursors,
    ),
  ),
});

/** Documents that other software wrote to a search server may have dotted keys, which mean nested objects. */
const shownDocument = (
  stored: JsonObject,
  paths: readonly string[] | null,
  { config, isOpaque, dates, constants }: AnswerParts,
): JsonObject =>
  constants(paths, dates(unwrapDocument(expandedKeys(stored, isOpaque), config.nestingPrefix)));

/** Content that the mapping does not index in parts is shown as stored. */
const opaqueFields = (fields: Fields): IsOpaque => {
  const opaque = [...fields.values()].filter(({ kind }) => isShownWhole(kind));
  const paths = new Set(opaque.map(({ indexField }) => indexField.path));
  return (path) => paths.has(path);
};

const facetAnswer = (
  parts: AnswerParts,
  { includeMissing }: CatalogueQuery,
  { field, measure }: FacetRequest,
  result: FacetResult | FailedFacet | undefined,
): FacetResult | FailedFacet => {
  if (result?.kind === 'failed') return result;
  if (result?.kind !== measure.kind)
    throw new TributaryError(
      'ENGINE_ERROR',
      `the engine answered ${result?.kind ?? 'nothing'} where ${measure.kind} was requested`,
    );
  if (result.kind !== 'terms') return result;
  const topHits = measure.kind === 'terms' ? measure.topHits : undefined;
  return {
    ...result,
    buckets: topHits ? withShownHits(result.buckets, topHits.source, field, parts) : result.buckets,
    missing: includeMissing ? result.missing : 0,
  };
};

const withShownHits = (
  buckets: readonly TermsBucket[],
  paths: readonly string[] | null,
  field: string,
  parts: AnswerParts,
): readonly TermsBucket[] => {
  const show = topHitReader(parts.fields.get(field), paths, parts);
  return buckets.map((bucket) =>
    isJsonObject(bucket.topHit) ? { ...bucket, topHit: show(bucket.topHit) } : bucket,
  );
};

/** A nested facet's top hit is the nested object, which has no envelope. */
const topHitReader = (
  field: Field | undefined,
  paths: readonly string[] | null,
  parts: AnswerParts,
): ((stored: JsonObject) => JsonObject) => {
  const nestedPath = field?.indexField.nestedIn.at(-1);
  if (nestedPath === undefined) return (stored) => shownDocument(stored, paths, parts);
  const dates = isoDates(parts.fields, field?.nestedIn.at(-1));
  return (stored) => dates(expandedKeys(stored, parts.isOpaque, nestedPath));
};

/** A search's result, in which facets that could not be computed are replaced by the reason. */
export interface ApartResult extends Omit<SearchResult, 'facets'> {
  readonly facets: readonly (FacetResult | FailedFacet)[];
}

/** Runs a search. @param isAgain a repeat after a failure, whose cost has been charged already */
export type RunSearch = (query: SearchQuery, isAgain: boolean) => Promise<SearchResult>;

/**
 * Runs a search. If a facet makes it fail, the search is repeated without that facet, which becomes a failed facet. If the
 * error names no field, every facet is searched on its own to learn which of them fail.
 * @throws TributaryError errors that remain without facets, and those that are not the query's fault
 */
const facetsApart = async (query: SearchQuery, run: RunSearch): Promise<ApartResult> => {
  const failed = new Map<FacetQuery, FailedFacet>();
  for (;;) {
    const facets = query.facets.filter((facet) => !failed.has(facet));
    try {
      const result = await run({ ...query, facets }, failed.size > 0);
      const byFacet = new Map(facets.map((facet, at) => [facet, result.facets[at]!]));
      return { ...result, facets: query.facets.map((facet) => failed.get(facet) ?? byFacet.get(facet)!) };
    } catch (error) {
      const failure = failedFacet(error);
      if (failure === null || facets.length === 0) throw error;
      const named = facets.filter(({ field }) => field.path === failure.error.details?.['fieldName']);
      if (named.length === 0) return eachAlone(query, run, failed);
      for (const facet of named) failed.set(facet, failure);
    }
  }
};

/** null: the query is not at fault, or it is refused as a whole since it costs too much. */
const failedFacet = (error: unknown): FailedFacet | null => {
  if (!(error instanceof TributaryError) || error.details?.['maxCost'] !== undefined) return null;
  return error.code === 'BAD_USER_INPUT' || error.code === 'ENGINE_ERROR' ? { kind: 'failed', error } : null;
};

const eachAlone = async (
  { hits, facets }: SearchQuery,
  run: RunSearch,
  failed: ReadonlyMap<FacetQuery, FailedFacet>,
): Promise<ApartResult> => {
  // counting also checks the filter: if the filter is at fault, the whole search fails
  const counted = { ...{ size: 0, offset: 0, sort: [], searchAfter: null, source: [] }, trackTotal: true };
  const filter = facets[0]?.filter ?? all;
  const [rest, ...alone] = await Promise.all([
    run({ hits: hits ?? { ...counted, filter }, facets: [] }, true),
    ...facets.map(async (facet): Promise<SearchResult | FailedFacet> => {
      const known = failed.get(facet);
      if (known !== undefined) return known;
      return run({ facets: [facet] }, true).catch((error: unknown) => {
        const failure = failedFacet(error);
        if (failure === null) throw error;
        return failure;
      });
    }),
  ]);
  const answered = alone.filter((answer) => 'facets' in answer);
  const { generation, ...counts } = rest;
  const isOne = answered.every((answer) => answer.generation === generation);
  const { hits: _, ...plain } = counts;
  return {
    ...(hits === undefined ? plain : counts),
    facets: alone.map((answer) => ('facets' in answer ? answer.facets[0]! : answer)),
    warnings: [...new Set([rest, ...answered].flatMap(({ warnings }) => warnings))],
    ...(isOne && generation !== undefined && { generation }),
  };
};
