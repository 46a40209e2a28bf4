import type { SearchQuery, SortKey } from '../../../src/engines/engine.ts';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import { compileSqon } from '../../../src/sqon/compile.ts';
import type { Filter } from '../../../src/sqon/filter.ts';
import { parseSqon } from '../../../src/sqon/parse.ts';
import { mixedMapping, type Random } from '../random-documents.ts';
import { randomFacet, randomHits } from '../random-queries.ts';
import { mixedCatalogue, randomSqon } from '../random-sqon.ts';

/** The mixed mapping without types that not every server brings along, and with the document's key as a field. */
export const comparableMapping: JsonObject = {
  ...mixedMapping,
  properties: {
    ...Object.fromEntries(
      Object.entries(mixedMapping['properties'] as JsonObject).filter(
        ([name]) => name !== 'huge' && name !== 'price',
      ),
    ),
    key: { type: 'keyword' },
  },
};

/** A page and two facets; half of the filters come from a filter as clients write it. */
export const comparableQuery = (random: Random): SearchQuery => {
  const hits = randomHits(random);
  const facets = [randomFacet(random), randomFacet(random)];
  const filter = random.chance(0.5) ? compiledSqon(random) : null;
  const requested = {
    facets: filter === null ? facets : facets.map((facet) => ({ ...facet, filter })),
    hits: filter === null ? hits : { ...hits, filter },
  };
  return exact(comparable(requested));
};

/** null for a filter that does not fit the fields. */
const compiledSqon = (random: Random): Filter | null => {
  const sqon = randomSqon(random, 3);
  try {
    return compileSqon(parseSqon(sqon), mixedCatalogue);
  } catch (error) {
    if (error instanceof TributaryError && error.code === 'BAD_USER_INPUT') return null;
    throw error;
  }
};

/** Engines break ties in their own ways, so the last sort key leaves none. */
const comparable = ({ hits, facets }: SearchQuery): SearchQuery => ({
  facets: facets.filter(({ field }) => field.path !== '_id'),
  hits: {
    ...hits!,
    sort: [
      ...hits!.sort.filter(isComparableKey),
      {
        field: { path: 'key', type: 'keyword', nestedIn: [] },
        order: 'asc',
        missing: 'first',
        mode: 'min',
      },
    ],
  },
});

/** No sorting by key on Elasticsearch, no median of nested objects, none of the types that are left out. */
const isComparableKey = ({ field, mode }: SortKey): boolean =>
  field.path !== '_id' &&
  field.type !== 'unsigned_long' &&
  (mode !== 'median' || field.nestedIn.length === 0);

/** With whole numbers past 2^53 as all of their digits: JSON would round them. */
export const exact = <Value>(value: Value): Value =>
  JSON.parse(
    JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === 'number' && Number.isInteger(inner) && !Number.isSafeInteger(inner)
        ? BigInt(inner).toString()
        : inner,
    ),
  ) as Value;

/** These servers find documents by their whole key only, and take one bound on each side. */
export const isUnaskable = (query: SearchQuery): boolean =>
  unaskable.some((form) => form.test(JSON.stringify(query)));

const unaskable = [/"kind":"(pattern|range)","field":\{"path":"_id"/, /"gt":[^{}]*"gte":|"lt":[^{}]*"lte":/];
