import { described } from '../../../lib/graphql/scalars.ts';
import { GraphQLString, type GraphQLResolveInfo } from 'graphql';
import type { TopHitsRequest } from '../../../engines/measure.ts';
import { allBelow, type SelectedField } from '../../../lib/graphql/execution.ts';
import { existsIn } from '../../count.ts';
import type { FacetMeasure } from '../../query.ts';
import { group, MISSING, type Sqon } from '../../../sqon/ast.ts';
import { parseSqon } from '../../../sqon/parse.ts';
import type { TermsAnswer } from '../../nodes-answer.ts';
import type { BucketPart, TopHits } from '../row/answer-shape.ts';
import { answerOf, bucketShape, maxOf, plainBucketPart, upTo } from '../row/answer-shape.ts';
import { unlistedUpperBound } from './merge-terms.ts';
import type { SelectionContext, Show } from '../row/measure-row.ts';
import { foldedMatching } from '../../../lib/text/text-comparison.ts';

/** A `buckets` field with its selected fields. */
interface BucketsField {
  readonly selected: SelectedField;
  readonly children: readonly SelectedField[];
}

/**
 * Plans how the lists of one facet are shown. Those with the same `matching` share a request; `bucket_count` counts the
 * values they list if all of them have the same `matching`, else all values.
 *
 * @throws TributaryError BAD_USER_INPUT for a max below 1, a text too long to match, or a malformed filter
 */
export const selectTerms = (
  selected: readonly SelectedField[],
  context: SelectionContext,
): ((field: SelectedField) => Show) => {
  const shows = new Map<SelectedField, Show>();
  for (const [matching, children] of byMatching(selected)) {
    const show = selectList(children, matching, context);
    for (const field of children) shows.set(field, show(field));
  }
  return (field) => shows.get(field)!;
};

/**
 * Plans how `bucket_count` and every `buckets` of one facet are shown. One request serves them all: the largest max,
 * all filters, one kind of top hits; top hits with other paths need a separate request.
 *
 * @throws TributaryError BAD_USER_INPUT for a max below 1 or a malformed filter
 */
const selectList = (
  selected: readonly SelectedField[],
  matching: string | null,
  { info, addRequest }: SelectionContext,
): ((field: SelectedField) => Show) => {
  const buckets = selected.filter(({ name }) => name === 'buckets').map((list) => withChildren(info, list));
  const isCounted = selected.some(({ name }) => name === 'bucket_count');
  const shortest = Math.min(...buckets.map((list) => maxOf(list.selected) ?? Infinity));
  const children = buckets.flatMap((list) => list.children);
  const filtered = children.filter(({ name }) => name === 'filter_by_term');
  const filters = filtered.map(({ args }): Sqon => parseSqon(args['filter']) ?? group('and', []));
  const kinds = distinctTopHits(children);
  const max = largestMax(buckets.map((list) => maxOf(list.selected)));
  const requestFor = (topHits: TopHitsRequest | undefined, first: boolean): number => {
    const measure: FacetMeasure<'terms'> = {
      kind: 'terms',
      max,
      ...(matching !== null && { matching }),
      ...(!isCounted && { distinct: false as const }),
      ...(buckets.length === 0 && { listed: false as const }),
      ...(topHits && { topHits }),
    };
    return addRequest(first && filters.length > 0 ? { ...measure, filters } : measure);
  };
  const request = requestFor(kinds[0], true);
  const bucketPart = (child: SelectedField): BucketPart => {
    const as = child.responseName;
    if (child.name === 'filter_by_term') return { as, show: showFiltered(filtered.indexOf(child)) };
    if (child.name !== 'top_hits') return plainBucketPart(info, child);
    if (!isShown(child)) return { as, show: () => null };
    const kind = kinds.findIndex((known) => sameTopHits(known, topHitsOf(child)));
    const topHits = kind === 0 ? request : requestFor(kinds[kind], false);
    return { as, topHits, show: ({ key }, buckets) => buckets.topHits?.get(topHits)?.get(key) ?? null };
  };
  const showByField = new Map<SelectedField, Show>(
    buckets.map((list) => [
      list.selected,
      showBuckets(request, maxOf(list.selected), list.children.map(bucketPart)),
    ]),
  );
  return (field) => {
    const list = showByField.get(field);
    if (list !== undefined) return list;
    const read = reading(field, shortest, max);
    return (answers) => read(answerOf(answers, request, 'terms'));
  };
};

/** @param position of the filter in the request */
const showFiltered =
  (position: number): BucketPart['show'] =>
  ({ filtered }) => {
    const count = filtered?.[position];
    return count === undefined ? null : { doc_count: count };
  };

const withChildren = (info: GraphQLResolveInfo, selected: SelectedField): BucketsField => ({
  selected,
  children: allBelow(info, selected),
});

/** @param listed the length of the shortest list in the answer: the bounds of unlisted values hold for it too; @param max of the request */
const reading = (
  { name }: SelectedField,
  listed: number,
  max: number | null,
): ((terms: TermsAnswer) => unknown) => {
  switch (name) {
    case 'bucket_count_exact':
      return ({ complete = true }) => complete;
    case 'unlisted_upper_bound':
      return (terms) => unlistedUpperBound(terms, listed, max);
    default:
      return (terms) => terms.distinct + (hasMissing(terms) ? 1 : 0);
  }
};

/** An interval is shown even if it may be empty. */
const hasMissing = ({ missing }: TermsAnswer): boolean => existsIn(missing) !== false;

/** The bucket of missing values comes last and is not counted by max, whatever its count. */
const showBuckets =
  (request: number, max: number | null, parts: readonly BucketPart[]): Show =>
  (answers) => {
    const terms = answerOf(answers, request, 'terms');
    const { buckets, missing, missingNodes } = terms;
    const topHits = new Map(
      parts.flatMap((part) =>
        part.topHits === undefined
          ? []
          : [[part.topHits, topHitsByKey(answerOf(answers, part.topHits, 'terms'))]],
      ),
    );
    const shape = bucketShape(parts, { nodeId: answers.nodeId, topHits });
    const shaped = upTo(buckets, max).map(shape);
    const nodes = missingNodes && { nodes: missingNodes };
    if (hasMissing(terms)) shaped.push(shape({ key: MISSING, count: missing, ...nodes }));
    return shaped;
  };

const topHitsByKey = ({ buckets }: TermsAnswer): TopHits =>
  new Map(buckets.map(({ key, topHit }) => [key, topHit]));

/** Counting values needs no buckets: 1 is the lowest max that every server accepts. */
const largestMax = (maxima: readonly (number | null)[]): number | null =>
  maxima.includes(null) ? null : Math.max(1, ...maxima.map((max) => max ?? 1));

const topHitsOf = ({ args }: SelectedField): TopHitsRequest => {
  const source = args['_source'] as readonly (string | null)[] | null | undefined;
  return {
    source: source?.filter((path) => path !== null) ?? null,
    // only one is shown, however many are requested
    size: 1,
  };
};

const isShown = ({ args }: SelectedField): boolean => ((args['size'] as number | null | undefined) ?? 1) > 0;

const sameTopHits = (a: TopHitsRequest, b: TopHitsRequest): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

const distinctTopHits = (children: readonly SelectedField[]): readonly TopHitsRequest[] => {
  const all = children.filter((child) => child.name === 'top_hits' && isShown(child)).map(topHitsOf);
  return all.filter((kind, index) => all.findIndex((other) => sameTopHits(kind, other)) === index);
};

/** The `matching` argument of a list of values. */
export const matchingArgument = described(
  GraphQLString,
  'Only values whose key contains this text, case and accents ignored; `__missing__` is left out then. An empty text restricts nothing.',
);

/** @throws TributaryError BAD_USER_INPUT for a text that is too long */
const matchingOf = ({ args: { matching } }: Pick<SelectedField, 'args'>): string | null =>
  matching == null ? null : foldedMatching(matching as string);

/**
 * Groups the fields of a facet's values by the text that keys must contain. Fields that describe a list belong to the
 * lists beside them if those are of one kind, else to the list of all values.
 */
const byMatching = (
  selected: readonly SelectedField[],
): ReadonlyMap<string | null, readonly SelectedField[]> => {
  const groups = new Map<string | null, SelectedField[]>();
  const add = (matching: string | null, field: SelectedField): void => {
    groups.set(matching, [...(groups.get(matching) ?? []), field]);
  };
  const lists = selected.filter(({ name }) => name === 'buckets');
  for (const list of lists) add(matchingOf(list), list);
  const common = groups.size === 1 ? [...groups.keys()][0]! : null;
  for (const field of selected) if (field.name !== 'buckets') add(common, field);
  return groups;
};
