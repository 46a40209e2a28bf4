import type { TermsBucket, TermsResult } from '../../engines/measure.ts';
import type { TermsAnswer } from '../../search/facet-answer.ts';

/** The keys and the counts of a list's buckets, in its order. */
export interface TermsColumns {
  readonly keys: readonly string[];
  readonly counts: readonly number[];
}

export const bucketsOf = ({ keys, counts }: TermsColumns): TermsBucket[] =>
  keys.map((key, index) => ({ key, count: counts[index]! }));

/** Where a plain list has its columns: not enumerable, so that a copy with other buckets does not have them. */
const columnsKey = Symbol('columns');

interface PlainTerms extends TermsAnswer {
  readonly [columnsKey]?: TermsColumns;
}

/** A copy of the result has the buckets as a list. */
const buckets: PropertyDescriptor & ThisType<PlainTerms> = {
  enumerable: true,
  get() {
    return bucketsOf(this[columnsKey]!);
  },
};

/**
 * A list whose buckets are a key and a count each, as most are that nodes answer; they are made anew whenever they are
 * read. An object for each bucket, of a thousand nodes, would live until the last of them has answered: moving these
 * took more time than reading them.
 * @param missing see TermsResult
 */
export const plainTerms = (columns: TermsColumns, missing: number): TermsResult => {
  const result = { kind: 'terms', missing, distinct: columns.keys.length };
  Object.defineProperty(result, columnsKey, { value: columns });
  return Object.defineProperty(result, 'buckets', buckets) as TermsResult;
};

/** The columns of a list that is plain; null for any other. */
export const columnsOf = (result: TermsAnswer): TermsColumns | null =>
  (result as PlainTerms)[columnsKey] ?? null;

const maxSharedKeys = 8_192;
const maxSharedLength = 64;
const sharedKeys = new Map<string, string>();

/** The same key as one text: the nodes of a network have much the same values. Of the last few thousand only. */
export const sharedKey = (key: string): string => {
  if (key.length > maxSharedLength) return key;
  const known = sharedKeys.get(key);
  if (known !== undefined) return known;
  if (sharedKeys.size >= maxSharedKeys) sharedKeys.clear();
  sharedKeys.set(key, key);
  return key;
};
