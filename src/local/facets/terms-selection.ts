import { TributaryError } from '../../errors.ts';
import type { Sqon } from '../../sqon/ast.ts';
import { group } from '../../sqon/ast.ts';
import { parseSqon } from '../../sqon/parse.ts';
import type { BucketPart, BucketsPart, FacetRequests, MeasurePart, PlainBucketsPart } from './facet-plan.ts';
import { fixedPart } from './facet-plan.ts';
import type { FacetMeasure } from '../../search/query.ts';
import type { SelectedField } from '../../graphql/selected-fields.ts';

type TopHits = NonNullable<Extract<FacetMeasure, { kind: 'terms' }>['topHits']>;

/** A `buckets` field with the fields selected in it. */
export interface BucketsField {
  readonly selected: SelectedField;
  readonly children: readonly SelectedField[];
}

/**
 * The parts for `bucket_count` and every `buckets` of one facet, by response name. One request serves them all: the
 * largest max, all filters, one kind of top hits; top hits with other paths need a request of their own.
 *
 * @throws TributaryError BAD_USER_INPUT for a max below 1 or a malformed filter
 */
export const termsSelection = (
  field: string,
  counts: readonly SelectedField[],
  buckets: readonly BucketsField[],
  requests: FacetRequests,
): ReadonlyMap<string, MeasurePart> => {
  if (counts.length + buckets.length === 0) return new Map();
  const children = buckets.flatMap((asked) => asked.children);
  const filtered = children.filter(({ name }) => name === 'filter_by_term');
  const filters = filtered.map(({ args }): Sqon => parseSqon(args['filter']) ?? group('and', []));
  const kinds = distinctTopHits(children);
  const max = largestMax(buckets.map(({ selected }) => bucketsMax(selected)));
  const requestFor = (topHits: TopHits | undefined, first: boolean): number => {
    const uncounted = counts.length === 0 ? { distinct: false as const } : {};
    const measure = { kind: 'terms', max, ...uncounted, ...(topHits && { topHits }) } as const;
    const withFilters = first && filters.length > 0 ? { ...measure, filters } : measure;
    return requests.add({ field, measure: withFilters });
  };
  const request = requestFor(kinds[0], true);
  const bucketPart = (child: SelectedField): BucketPart => {
    const as = child.responseName;
    if (child.name === 'filter_by_term') return { kind: 'filtered', as, position: filtered.indexOf(child) };
    if (child.name !== 'top_hits') return plainBucketPart(child);
    if (!isShown(child)) return { kind: 'fixed', as, value: null };
    const kind = kinds.findIndex((known) => sameTopHits(known, topHitsOf(child)));
    return { kind: 'topHits', as, request: kind === 0 ? request : requestFor(kinds[kind], false) };
  };
  const parts: readonly MeasurePart[] = [
    ...counts.map(({ responseName }) => ({ kind: 'bucketCount', as: responseName, request }) as const),
    ...buckets.map(({ selected, children: inside }): BucketsPart => ({
      kind: 'buckets',
      as: selected.responseName,
      request,
      max: bucketsMax(selected),
      bucket: inside.map(bucketPart),
    })),
  ];
  return new Map(parts.map((part) => [part.as, part]));
};

/** The buckets of a histogram or of ranges: neither top hits nor filters in them. */
export const plainBuckets = ({ selected, children }: BucketsField): PlainBucketsPart => ({
  kind: 'plainBuckets',
  as: selected.responseName,
  max: bucketsMax(selected),
  bucket: children.map(plainBucketPart),
});

const plainKinds: Readonly<Record<string, 'key' | 'keyAsString' | 'docCount'>> = {
  key: 'key',
  key_as_string: 'keyAsString',
  doc_count: 'docCount',
};

const plainBucketPart = (child: SelectedField): BucketPart => {
  const kind = plainKinds[child.name];
  return kind === undefined ? fixedPart(child) : { kind, as: child.responseName };
};

const bucketsMax = ({ args }: SelectedField): number | null => {
  const max = (args['max'] ?? null) as number | null;
  if (max !== null && max <= 0)
    throw new TributaryError('BAD_USER_INPUT', `max must be 1 or more, not ${max}`);
  return max;
};

/** Counting values alone needs no buckets: one is the least every server accepts. */
const largestMax = (maxima: readonly (number | null)[]): number | null =>
  maxima.includes(null) ? null : Math.max(1, ...maxima.map((max) => max ?? 1));

const topHitsOf = ({ args }: SelectedField): TopHits => {
  const source = args['_source'] as readonly (string | null)[] | null | undefined;
  return {
    source: source?.filter((path) => path !== null) ?? null,
    // one is shown, however many are asked for
    size: 1,
  };
};

const isShown = ({ args }: SelectedField): boolean => ((args['size'] as number | null | undefined) ?? 1) > 0;

const sameTopHits = (one: TopHits, other: TopHits): boolean => JSON.stringify(one) === JSON.stringify(other);

const distinctTopHits = (children: readonly SelectedField[]): readonly TopHits[] => {
  const all = children.filter((child) => child.name === 'top_hits' && isShown(child)).map(topHitsOf);
  return all.filter((kind, place) => all.findIndex((other) => sameTopHits(kind, other)) === place);
};
