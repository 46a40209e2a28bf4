import type { SelectedField } from '../../graphql/selected-fields.ts';
import { mergedOf } from '../row/answers-of.ts';
import { maxOf, upTo } from '../row/bucket-shape.ts';
import type { NetworkAsking, ShowMerged } from '../row/measure-row.ts';
import { byMatching } from './matching.ts';
import { type MergedBucket, type MergedTerms, unlistedUpperBound } from './merge-terms.ts';

/**
 * Plans how the lists of one facet of a network, and the fields that describe them, are shown. All selections of a
 * field with the same `matching` share one list.
 * @throws TributaryError BAD_USER_INPUT for a max below 1
 */
export const selectNetworkTerms = (
  selected: readonly SelectedField[],
  { everywhere, ask }: NetworkAsking,
): ((field: SelectedField) => ShowMerged) => {
  const shows = new Map<SelectedField, ShowMerged>();
  const lists = byMatching(everywhere);
  for (const [matching, own] of byMatching(selected)) {
    const shown = smallestMax(own);
    const measure = { kind: 'terms', max: largestMax(lists.get(matching) ?? []) } as const;
    const request = ask(matching === null ? measure : { ...measure, matching });
    for (const field of own) {
      const read = reading(field, shown);
      shows.set(field, (facets) => read(mergedOf<MergedTerms>(facets, request, 'terms')));
    }
  }
  return (field) => shows.get(field)!;
};

const reading = (field: SelectedField, shown: number): ((terms: MergedTerms) => unknown) => {
  switch (field.name) {
    case 'bucket_count':
      return (terms) => terms.bucketCount;
    case 'bucket_count_exact':
      return (terms) => terms.complete;
    case 'unlisted_upper_bound':
      return (terms) => unlistedUpperBound(terms, shown);
    default:
      return shownBuckets(maxOf(field));
  }
};

/** The largest max of a field applies to all of its selections, so that they agree. */
const largestMax = (everywhere: readonly SelectedField[]): number | null => {
  const maxima = listsIn(everywhere).map(maxOf);
  return maxima.length === 0 || maxima.includes(null) ? null : Math.max(...maxima.map((max) => max ?? 0));
};

/** The shortest of the lists in one answer: bounds for unlisted keys hold for it too. */
const smallestMax = (selected: readonly SelectedField[]): number =>
  Math.min(...listsIn(selected).map((list) => maxOf(list) ?? Infinity));

const listsIn = (selected: readonly SelectedField[]): readonly SelectedField[] =>
  selected.filter(({ name }) => name === 'buckets');

/** `max` counts from the top; `__missing__` comes last and is not counted. */
const shownBuckets =
  (max: number | null) =>
  ({ buckets, missing }: MergedTerms): readonly MergedBucket[] => [
    ...upTo(buckets, max),
    ...(missing ? [missing] : []),
  ];
