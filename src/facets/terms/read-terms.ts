import type { TermsBucket, TermsResult } from '../../engines/measure.ts';
import { isJsonObject, type JsonObject } from '../../json.ts';
import { MISSING } from '../../sqon/ast.ts';
import { isCount, malformedAnswer } from '../../search/malformed-answer.ts';
import type { FacetMeasure } from '../../search/query.ts';
import { maxListed } from '../row/max-listed.ts';
import { boundsIn, wireBounds } from '../row/wire-bounds.ts';
import { filteredAs } from './print-terms.ts';

/**
 * Reads and checks a remote's list of buckets in one pass, since it may be long; `__missing__` is kept separate.
 * @param includeMissing whether missing values were requested: otherwise a bucket of that name is a stored value
 * @throws TributaryError NODE_BAD_RESPONSE naming the place below `field`
 */
export const readTerms = (
  listed: unknown,
  field: string,
  includeMissing = true,
  { topHits, filters = [] }: Partial<FacetMeasure<'terms'>> = {},
): TermsResult => {
  const isPlain = topHits === undefined && filters.length === 0;
  if (!Array.isArray(listed) || listed.length > maxListed) throw malformedAnswer([field]);
  const buckets: TermsBucket[] = [];
  let last = -1;
  for (let index = 0; index < listed.length; index += 1) {
    const bucket: unknown = listed[index];
    if (!isJsonObject(bucket)) throw malformedAnswer([field, index]);
    const { key, key_as_string: keyAsString, doc_count: count, upper_bound: upper } = bucket;
    if (typeof key !== 'string') throw malformedAnswer([field, index, 'key']);
    if (!isCount(count)) throw malformedAnswer([field, index, 'doc_count']);
    if (key === MISSING) last = buckets.length;
    if (keyAsString != null && typeof keyAsString !== 'string')
      throw malformedAnswer([field, index, 'key_as_string']);
    const added = isPlain ? null : additions(bucket, topHits !== undefined, filters.length, [field, index]);
    const bounds = upper === undefined ? null : wireBounds(count, upper, bucket['estimate']);
    if (bounds === 'malformed') throw malformedAnswer([field, index, 'upper_bound']);
    if (added || bounds)
      buckets.push({ key, ...(keyAsString != null && { keyAsString }), count, ...bounds, ...added });
    else if (typeof keyAsString === 'string') buckets.push({ key, keyAsString, count });
    else buckets.push({ key, count });
  }
  // missing comes last: an earlier bucket of that name is a value
  const missing = includeMissing && last >= 0 ? buckets.splice(last, 1)[0]! : null;
  const bounds = missing === null ? null : boundsIn(missing);
  return {
    kind: 'terms',
    buckets,
    missing: missing?.count ?? 0,
    ...(bounds && { missingBounds: bounds }),
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
