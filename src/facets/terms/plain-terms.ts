import type { TermsBucket, TermsResult } from '../../engines/measure.ts';
import type { TermsAnswer } from '../../search/facet-answer.ts';
import type { TermsColumns } from './terms-columns.ts';

export const bucketsOf = (columns: TermsColumns): TermsBucket[] =>
  Array.from({ length: columns.length }, (_, index) => ({
    key: columns.keyAt(index),
    count: columns.countAt(index),
  }));

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
 * read.
 * @param missing see TermsResult
 */
export const plainTerms = (columns: TermsColumns, missing: number): TermsResult => {
  const result = { kind: 'terms', missing, distinct: columns.length };
  Object.defineProperty(result, columnsKey, { value: columns });
  return Object.defineProperty(result, 'buckets', buckets) as TermsResult;
};

/** The columns of a list that is plain; null for any other. */
export const columnsOf = (result: TermsAnswer): TermsColumns | null =>
  (result as PlainTerms)[columnsKey] ?? null;
