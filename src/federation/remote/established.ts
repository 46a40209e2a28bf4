import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { CursorValue } from '../../engines/engine.ts';
import type { CountedBucket, MeasureKind } from '../../engines/measure.ts';
import { calendarBetween, intervalMs } from '../../engines/semantics/calendar.ts';
import { isHighEnd, maxLong, maxUnsignedLong, minLong } from '../../engines/semantics/cursor.ts';
import { requiredZone } from '../../engines/semantics/time-zone.ts';
import { badUserInput } from '../../lib/errors/errors.ts';
import type { FacetType } from '../../search/facets/row/measure-row.ts';
import { isCount, malformedAnswer } from '../../search/facets/row/wire.ts';
import type { Field, Fields } from '../../introspection/fields/field.ts';
import { lowerOf } from '../../search/count.ts';
import type { FacetAnswer, FailedFacet } from '../../search/nodes-answer.ts';
import {
  countOnly,
  sortDefaults,
  type CatalogueQuery,
  type CatalogueResult,
  type FacetMeasure,
  type FacetRequest,
  type HitsRequest,
} from '../../search/query.ts';
import { group, isSpecialValue, leaf, type Sqon } from '../../sqon/ast.ts';
import { fieldNamesIn, withoutField } from '../../sqon/rewrite.ts';
import type { RemoteSource } from '../config/nodes.ts';
import { assertNoErrors } from './answer-errors.ts';
import { printEstablishedFilter, takesIsoDates } from './established-filter.ts';
import type { GraphqlAnswer } from './http-executor.ts';
import type { RemoteCatalogue } from './remote-catalogue.ts';

// What the established server (release 3.1) can, and how what it lacks is put together from that. Its counts are exact and
// have no bounds; its hits show single values; `established-filter.ts` spells its filters.

/** The measures of its facets. */
const measuresOf: Readonly<Record<FacetType, readonly MeasureKind[]>> = {
  values: ['terms', 'cardinality'],
  numbers: ['stats', 'histogram', 'range'],
};

/** Whether it gives a measure of a field, or one that this is put together from. */
export const isEstablishedMeasure = (kind: MeasureKind, type: FacetType, field: Field): boolean =>
  measuresOf[type].includes(kind) || (kind === 'date_histogram' && isSummable(field));

/** Of a list, a record would count once for each of its days in a month. */
const isSummable = ({ kind, isArray, nestedIn }: Field): boolean =>
  kind === 'date' && !isArray && nestedIn.length === 0;

/** Sends a document with its variables. */
export type SendDocument = (
  query: string,
  variables: Readonly<Record<string, unknown>>,
) => Promise<GraphqlAnswer>;

/** Answers a query. */
type Search = (query: CatalogueQuery) => Promise<CatalogueResult>;

/**
 * Answers queries with measures that the established server lacks.
 * @param search answers those that it has
 */
export const establishedSearch = (
  remote: Pick<RemoteCatalogue, 'fields'>,
  source: Pick<RemoteSource, 'documentType' | 'maxAliases'>,
): ((query: CatalogueQuery, search: Search, send: SendDocument) => Promise<CatalogueResult>) => {
  const failing = new FailingFacets();
  return async (query, search, send) => {
    const counted = query.facets.filter(isGroups);
    const others = query.facets.filter((facet) => !isGroups(facet));
    const asksMore = others.length > 0 || query.hits !== null || counted.length === 0;
    const [rest, ...groups] = await Promise.all([
      asksMore
        ? failing.search({ ...query, facets: others.map(summed) }, search)
        : { total: null, hits: [], facets: [], warnings: [] },
      ...counted.map((facet) => countGroups(query, facet, remote, source, send)),
    ]);
    const answered = new Map<FacetRequest, CatalogueResult['facets'][number]>([
      ...counted.map((facet, at) => [facet, groups[at]!] as const),
      ...others.map((facet, at) => [facet, byCalendar(facet, rest.facets[at]!)] as const),
    ]);
    return { ...rest, facets: query.facets.map((facet) => answered.get(facet)!) };
  };
};

type GroupsRequest = FacetRequest & { readonly measure: FacetMeasure<'groups'> };

const isGroups = (facet: FacetRequest): facet is GroupsRequest => facet.measure.kind === 'groups';

const failed = (reason: string): FailedFacet => ({ kind: 'failed', error: badUserInput(reason) });

/** How long a facet that failed is not requested again. */
const retryMs = 10 * 60_000;

/**
 * The established server computes all facets in one search, so one that its engine refuses fails all of them. Then each is
 * requested alone, with the number of matches to tell a facet that fails from a server that does, and those that fail are
 * left out for a while.
 */
export class FailingFacets {
  /** By field and measure with its arguments, as a different interval may not fail. */
  readonly #failing = new LRUCache<string, FailedFacet>({
    ...{ maxSize: 1_000_000, ttl: retryMs },
    sizeCalculation: (_, key) => key.length,
  });

  async search(query: CatalogueQuery, search: Search): Promise<CatalogueResult> {
    const sent = query.facets.filter((facet) => !this.#failing.has(keyOf(facet)));
    const answer = await search({ ...query, facets: sent });
    const haveFailed = sent.length > 0 && answer.facets.every(({ kind }) => kind === 'failed');
    const facets = haveFailed
      ? await Promise.all(sent.map((facet) => this.#alone(query, facet, search)))
      : answer.facets;
    return {
      ...answer,
      facets: query.facets.map((facet) => {
        const at = sent.indexOf(facet);
        return at < 0 ? this.#failing.get(keyOf(facet))! : facets[at]!;
      }),
    };
  }

  async #alone(
    query: CatalogueQuery,
    facet: FacetRequest,
    search: Search,
  ): Promise<CatalogueResult['facets'][number]> {
    const [answer] = (await search({ ...query, hits: countOnly, facets: [facet] })).facets;
    if (answer?.kind === 'failed') this.#failing.set(keyOf(facet), answer);
    return answer!;
  }
}

const keyOf = ({ field, measure }: FacetRequest): string => JSON.stringify([field, measure]);

const hourMs = intervalMs('hour');
const dayMs = intervalMs('day');

/** The longest intervals of equal width that calendar intervals consist of. */
const stepMs = ({ interval, timeZone }: FacetMeasure<'date_histogram'>): number => {
  const offset = requiredZone(timeZone).offsetAt(Date.now());
  if (timeZone === 'UTC' && interval !== 'hour') return dayMs;
  return [hourMs, hourMs / 2].find((step) => offset % step === 0) ?? hourMs / 4;
};

/** It has no histograms of dates by calendar intervals: they are added up from those of hours or days. */
const summed = (facet: FacetRequest): FacetRequest =>
  facet.measure.kind === 'date_histogram'
    ? { ...facet, measure: { kind: 'histogram', interval: stepMs(facet.measure) } }
    : facet;

const byCalendar = (
  { measure }: FacetRequest,
  answer: CatalogueResult['facets'][number],
): CatalogueResult['facets'][number] => {
  if (measure.kind !== 'date_histogram' || answer.kind !== 'histogram') return answer;
  const counted = answer.buckets
    .map(({ key, count }) => ({ at: Number(key), count: lowerOf(count) }))
    .filter(({ count }) => count > 0);
  const [first, last] = [counted[0]?.at, counted.at(-1)?.at];
  if (first === undefined || last === undefined) return { kind: 'date_histogram', buckets: [] };
  const step = stepMs(measure);
  const calendar = calendarBetween(first, last + step, measure.interval, requiredZone(measure.timeZone));
  if (calendar === null) return failed(`it has dates too far apart for intervals of a ${measure.interval}`);
  if (counted.some(({ at }) => calendar.indexOf(at) !== calendar.indexOf(at + step - 1)))
    return failed(`it counts dates by ${step / hourMs} hours, which do not fit those of ${measure.timeZone}`);
  const counts = new Float64Array(calendar.starts.length);
  for (const { at, count } of counted) counts[calendar.indexOf(at)]! += count;
  return { kind: 'date_histogram', buckets: calendar.buckets(counts) };
};

/** The most characters of filters in one request. */
const maxCharacters = 2 ** 19;

/** It counts no sets of values: each is the total of a filter, and a request takes as many as it accepts aliases. */
const countGroups = async (
  query: CatalogueQuery,
  { field, measure }: GroupsRequest,
  { fields }: Pick<RemoteCatalogue, 'fields'>,
  { documentType, maxAliases }: Pick<RemoteSource, 'documentType' | 'maxAliases'>,
  send: SendDocument,
): Promise<FacetAnswer<'groups'> | FailedFacet> => {
  const filter = query.filterThemselves ? query.filters : withoutField(query.filters, field);
  if (restrictsObjects(filter, field, fields))
    return failed(
      `its server counts documents only, not those of nested objects that a filter leaves of "${field}"`,
    );
  const counts = measure.sets.map(({ key }): CountedBucket => ({ key, count: 0 }));
  const written = measure.sets.flatMap(({ values = [] }, index) =>
    values.length === 0 ? [] : [{ index, filter: withValues(filter, field, values, fields) }],
  );
  for (const part of batches(written, maxAliases)) {
    const names = part.map((_, at) => `s${at}`);
    const declared = names.map((name) => `$${name}: JSON`).join(', ');
    const selected = names.map((name) => `${name}: hits(filters: $${name}, first: 0) { total }`).join(' ');
    const answer = await send(
      `query nodeQuery(${declared}) { ${documentType} { ${selected} } }`,
      Object.fromEntries(part.map(({ filter: variable }, at) => [names[at]!, variable])),
    );
    part.forEach(({ index }, at) => {
      counts[index] = { ...counts[index]!, count: totalIn(answer, documentType, names[at]!) };
    });
  }
  return { kind: 'groups', buckets: counts };
};

/** Whether a filter has conditions on the objects that hold the field: totals count documents, whichever object matches. */
const restrictsObjects = (filter: Sqon | null, path: string, fields: Fields): boolean => {
  const nestedIn = fields.get(path)?.nestedIn ?? [];
  const names = filter === null ? [] : fieldNamesIn(filter);
  return [...names].some((name) => fields.get(name)?.nestedIn.some((outer) => nestedIn.includes(outer)));
};

const withValues = (filter: Sqon | null, field: string, values: readonly string[], fields: Fields) => {
  const membership = leaf(values.some(isSpecialValue) ? 'is' : 'in', field, values);
  const whole = filter === null ? membership : group('and', [filter, membership]);
  return printEstablishedFilter(whole, { fields, facets: new Set() }, () => undefined);
};

const batches = <Part>(all: readonly Part[], maxLength: number): readonly (readonly Part[])[] => {
  const parts: Part[][] = [];
  let characters = Infinity;
  for (const item of all) {
    const { length } = JSON.stringify(item);
    if (characters + length > maxCharacters || parts.at(-1)!.length === maxLength) {
      parts.push([]);
      characters = 0;
    }
    characters += length;
    parts.at(-1)!.push(item);
  }
  return parts;
};

/** @throws TributaryError NODE_REFUSED, NODE_BAD_RESPONSE */
const totalIn = (answer: GraphqlAnswer, documentType: string, name: string): number => {
  assertNoErrors(answer);
  const form = z.object({ [documentType]: z.object({ [name]: z.object({ total: z.unknown() }) }) });
  const total = form.safeParse(answer.data).data?.[documentType]?.[name]?.total;
  if (!isCount(total)) throw malformedAnswer([documentType, name, 'total']);
  return total;
};

/**
 * The sort and cursor of a page: its cursors need the documents' key as the last sort key, and it shows missing numbers and
 * dates as the least long at both ends.
 */
export const establishedPage = (
  { sort, searchAfter }: Pick<HitsRequest, 'sort' | 'searchAfter'>,
  { fields, facts }: Pick<RemoteCatalogue, 'fields' | 'facts'>,
) => {
  // a cursor from before the node changed is of the sort of its time
  const hasKey = searchAfter === null ? facts.sortsByKey : searchAfter.length > sort.length;
  return {
    sort: hasKey ? [...sort, { fieldName: '_id', order: 'asc' as const }] : sort,
    searchAfter:
      searchAfter &&
      searchAfter.map((value, at) => {
        const key = sort[at];
        const field = key && fields.get(key.fieldName);
        if (!field || !isMissingMark(value, field)) return value;
        return endsOf(field)[isHighEnd(sortDefaults(key)) ? 1 : 0];
      }),
  };
};

const isMissingMark = (value: CursorValue, { kind }: Field): boolean =>
  (kind === 'date' || kind === 'number') && (value === minLong || value === maxLong);

/** For pages that it cannot sort by the key, whose rows a cursor would skip; the sort values still serve merging. */
export const noCursors = 'returns no cursors: it cannot sort by _id';

/**
 * How a missing value at either end is written. Its engine places them at the ends of the 64-bit range, and parses dates
 * sent as text in the mapping's format: it takes these ends as date math only.
 */
const endsOf = ({ kind, type, format }: Field): readonly [CursorValue, CursorValue] => {
  if (type === 'unsigned_long') return ['0', maxUnsignedLong];
  return kind === 'date' && takesIsoDates(format) ? dateEnds : [minLong, maxLong];
};

const dateEnds = ['1969-05-16T16:47:04.192Z||-292277024y', '1970-08-17T07:12:55.807Z||+292277024y'] as const;
