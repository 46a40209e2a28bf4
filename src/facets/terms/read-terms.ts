import type { TermsBucket, TermsResult } from '../../engines/measure.ts';
import { isJsonObject, type JsonObject } from '../../json/json.ts';
import { MISSING } from '../../sqon/ast.ts';
import { isCount, malformedAnswer } from '../../search/malformed-answer.ts';
import type { FacetMeasure } from '../../search/query.ts';
import { maxListed } from '../row/max-listed.ts';
import { boundsIn, wireBounds } from '../row/wire-bounds.ts';
import { bucketsOf, plainTerms } from './plain-terms.ts';
import { filteredAs } from './print-terms.ts';
import { ColumnsWriter } from './terms-columns.ts';

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
  const isDetailed = topHits !== undefined || filters.length > 0;
  if (!Array.isArray(listed) || listed.length > maxListed) throw malformedAnswer([field]);
  const read = new ReadTerms(listed.length, isDetailed);
  let last = -1;
  for (let index = 0; index < listed.length; index += 1) {
    const bucket: unknown = listed[index];
    if (!isJsonObject(bucket)) throw malformedAnswer([field, index]);
    const { key, key_as_string: keyAsString, doc_count: count, upper_bound: upper } = bucket;
    if (typeof key !== 'string') throw malformedAnswer([field, index, 'key']);
    if (!isCount(count)) throw malformedAnswer([field, index, 'doc_count']);
    if (key === MISSING) last = index;
    if (keyAsString != null && typeof keyAsString !== 'string')
      throw malformedAnswer([field, index, 'key_as_string']);
    const added = isDetailed
      ? additions(bucket, topHits !== undefined, filters.length, [field, index])
      : null;
    const bounds = upper === undefined ? null : wireBounds(count, upper, bucket['estimate']);
    if (bounds === 'malformed') throw malformedAnswer([field, index, 'upper_bound']);
    if (keyAsString == null && !bounds) read.add(key, count, added);
    else read.add(key, count, { ...(keyAsString != null && { keyAsString }), ...bounds, ...added });
  }
  // missing comes last: an earlier bucket of that name is a value
  return read.result(includeMissing ? last : -1);
};

/** What was read of a list so far: columns, and objects from the first bucket on that has more than a key and a count. */
class ReadTerms {
  readonly #columns: ColumnsWriter | null;
  #buckets: TermsBucket[] | null;

  /** @param length how many there are */
  constructor(length: number, isDetailed: boolean) {
    this.#columns = isDetailed ? null : new ColumnsWriter(length);
    this.#buckets = isDetailed ? [] : null;
  }

  add(key: string, count: number, more: Partial<TermsBucket> | null): void {
    if (more) this.#buckets ??= bucketsOf(this.#columns!.columns());
    if (this.#buckets) this.#buckets.push({ key, count, ...more });
    else this.#columns!.add(key, count);
  }

  /** @param missingAt which bucket counts missing values; -1 for none */
  result(missingAt: number): TermsResult {
    const buckets = this.#buckets;
    if (buckets === null) {
      const columns = this.#columns!;
      const missing = missingAt < 0 ? 0 : columns.remove(missingAt);
      return plainTerms(columns.columns(), missing);
    }
    const missing = missingAt >= 0 ? buckets.splice(missingAt, 1)[0]! : null;
    const bounds = missing === null ? null : boundsIn(missing);
    return {
      kind: 'terms',
      buckets,
      missing: missing?.count ?? 0,
      ...(bounds && { missingBounds: bounds }),
      distinct: buckets.length,
    };
  }
}

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
