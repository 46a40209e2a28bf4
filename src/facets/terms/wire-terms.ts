import type { TermsBucket, TermsResult } from '../../engines/measure.ts';
import { isJsonObject, type JsonObject } from '../../json/json.ts';
import { MISSING } from '../../sqon/ast.ts';
import { isCount, isKey, malformedAnswer, maxListed, tooMany, boundsIn, wireBounds } from '../row/wire.ts';
import type { FacetMeasure } from '../../search/query.ts';
import { printSqon } from '../../sqon/parse.ts';

/**
 * Reads and checks a remote's list of buckets in one pass, since it may be long; `__missing__` is kept separate.
 * @param includeMissing whether missing values were requested: otherwise a bucket of that name is a stored value
 * @throws TributaryError NODE_BAD_RESPONSE naming the place below `field`
 */
export const readTerms = (
  listed: unknown,
  field: string,
  includeMissing = true,
  { max = null, topHits, filters = [] }: Partial<FacetMeasure<'terms'>> = {},
): TermsResult => {
  const isDetailed = topHits !== undefined || filters.length > 0;
  if (!Array.isArray(listed) || listed.length > maxListed) throw malformedAnswer([field]);
  // the bucket of missing values comes on top
  if (max !== null && listed.length > max + 1) throw tooMany(listed.length, 'values', max);
  let missingAt = -1;
  const buckets = listed.map((bucket: unknown, index): TermsBucket => {
    if (!isJsonObject(bucket)) throw malformedAnswer([field, index]);
    const { key, key_as_string: keyAsString, doc_count: count, upper_bound: upper } = bucket;
    if (!isKey(key)) throw malformedAnswer([field, index, 'key']);
    if (!isCount(count)) throw malformedAnswer([field, index, 'doc_count']);
    if (key === MISSING) missingAt = index;
    if (keyAsString != null && typeof keyAsString !== 'string')
      throw malformedAnswer([field, index, 'key_as_string']);
    const bounds = upper === undefined ? null : wireBounds(count, upper, bucket['estimate']);
    if (bounds === 'malformed') throw malformedAnswer([field, index, 'upper_bound']);
    if (keyAsString == null && !bounds && !isDetailed) return { key, count };
    return {
      key,
      count,
      ...(keyAsString != null && { keyAsString }),
      ...bounds,
      ...(isDetailed && additions(bucket, topHits !== undefined, filters.length, [field, index])),
    };
  });
  // missing comes last: an earlier bucket of that name is a value
  const missing = includeMissing && missingAt >= 0 ? buckets.splice(missingAt, 1)[0]! : null;
  const missingBounds = missing && boundsIn(missing);
  return {
    kind: 'terms',
    buckets,
    missing: missing?.count ?? 0,
    ...(missingBounds && { missingBounds }),
    distinct: buckets.length,
  };
};

const additions = (
  bucket: JsonObject,
  hasTopHit: boolean,
  filters: number,
  at: readonly PropertyKey[],
): Pick<TermsBucket, 'topHit' | 'filtered'> => {
  const filtered = Array.from({ length: filters }, (_, position) => {
    const counted = bucket[filteredAs(position)];
    // some servers answer null in the bucket of missing values
    if (counted == null) return 0;
    const count = isJsonObject(counted) ? counted['doc_count'] : undefined;
    if (!isCount(count)) throw malformedAnswer([...at, filteredAs(position)]);
    return count;
  });
  return {
    ...(hasTopHit && { topHit: bucket['top_hits'] ?? null }),
    ...(filters > 0 && { filtered }),
  };
};

/** The alias of a filter's count in a printed query: the first has none, as nodes accept only so many. */
const filteredAs = (position: number): string =>
  position === 0 ? 'filter_by_term' : `filter_by_term_${position}`;

/** A list of values as GraphQL, for a remote node. @param fields the fields requested of each besides its key */
export const printTerms = (
  { max, matching, topHits, filters = [] }: FacetMeasure<'terms'>,
  fields: string,
): string => {
  const selected = [
    `key ${fields}`,
    ...(topHits === undefined ? [] : [printTopHits(topHits.source)]),
    ...filters.map((filter, position) => {
      const alias = position === 0 ? '' : `${filteredAs(position)}: `;
      return `${alias}filter_by_term(filter: ${literal(printSqon(filter))})`;
    }),
  ];
  const args = [
    ...(max === null ? [] : [`max: ${max}`]),
    ...(matching === undefined ? [] : [`matching: ${JSON.stringify(matching)}`]),
  ];
  return `buckets${parenthesised(args)} { ${selected.join(' ')} }`;
};

const printTopHits = (source: readonly string[] | null): string =>
  `top_hits${parenthesised([...(source === null ? [] : [`_source: ${JSON.stringify(source)}`]), 'size: 1'])}`;

const parenthesised = (args: readonly string[]): string => (args.length === 0 ? '' : `(${args.join(', ')})`);

/** JSON as a GraphQL literal: the keys of filters are names. */
export const literal = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{ ${entries.map(([key, one]) => `${key}: ${literal(one)}`).join(', ')} }`;
};
