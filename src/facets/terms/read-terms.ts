import type { TermsBucket, TermsResult } from '../../engines/measure.ts';
import { isJsonObject } from '../../json.ts';
import { MISSING } from '../../sqon/ast.ts';
import { isCount, malformedAnswer } from '../../search/malformed-answer.ts';
import { maxListed } from '../row/max-listed.ts';

/**
 * Reads and checks a remote's list of buckets in one pass, since it may be long; `__missing__` is kept separate.
 * @param includeMissing whether missing values were requested: otherwise a bucket of that name is a stored value
 * @throws TributaryError NODE_BAD_RESPONSE naming the place below `field`
 */
export const readTerms = (listed: unknown, field: string, includeMissing = true): TermsResult => {
  if (!Array.isArray(listed) || listed.length > maxListed) throw malformedAnswer([field]);
  const buckets: TermsBucket[] = [];
  let last = -1;
  for (let place = 0; place < listed.length; place += 1) {
    const bucket: unknown = listed[place];
    if (!isJsonObject(bucket)) throw malformedAnswer([field, place]);
    const { key, key_as_string: keyAsString, doc_count: count } = bucket;
    if (typeof key !== 'string') throw malformedAnswer([field, place, 'key']);
    if (!isCount(count)) throw malformedAnswer([field, place, 'doc_count']);
    if (key === MISSING) last = buckets.length;
    if (typeof keyAsString === 'string') buckets.push({ key, keyAsString, count });
    else if (keyAsString == null) buckets.push({ key, count });
    else throw malformedAnswer([field, place, 'key_as_string']);
  }
  // missing comes last: an earlier bucket of that name is a value
  const missing = includeMissing && last >= 0 ? buckets.splice(last, 1)[0]!.count : 0;
  return { kind: 'terms', buckets, missing, distinct: buckets.length };
};
