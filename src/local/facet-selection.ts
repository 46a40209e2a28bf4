import type { GraphQLResolveInfo } from 'graphql';
import type { RangeBucketQuery } from '../engines/engine.ts';
import { TributaryError } from '../errors.ts';
import type { FacetPart, FacetPlan, FacetRequests, MeasurePart } from './facet-plan.ts';
import { newFacetRequests } from './facet-plan.ts';
import { plannedOnce } from './planned-once.ts';
import type { FacetMeasure } from './query.ts';
import type { SelectedField } from './selected-fields.ts';
import { below } from './selected-fields.ts';
import type { BucketsField } from './terms-selection.ts';
import { plainBuckets, termsSelection } from './terms-selection.ts';

/**
 * The facets selected below one `aggregations` field: what to ask, each distinct field and measure once, and where
 * each answer goes, by response name. A facet's type says which field it is: `extensions.path`.
 *
 * @throws TributaryError BAD_USER_INPUT for a malformed filter, a max or an interval that means nothing
 */
export const facetSelection = plannedOnce((info: GraphQLResolveInfo): FacetPlan => {
  const requests = newFacetRequests();
  const definition = info.parentType.getFields()[info.fieldName]!;
  const parts = below(info, { definition, nodes: info.fieldNodes }).map((selected): FacetPart => {
    const { path } = selected.definition.extensions as { readonly path: string };
    const measures = below(info, selected);
    return { as: selected.responseName, measures: measureParts(info, path, measures, requests) };
  });
  return { requests: requests.list, parts };
});

const measureParts = (
  info: GraphQLResolveInfo,
  field: string,
  selected: readonly SelectedField[],
  requests: FacetRequests,
): readonly MeasurePart[] => {
  const named = (name: string) => selected.filter((measure) => measure.name === name);
  const single = (name: 'cardinality' | 'stats') =>
    named(name).map(({ responseName: as }) => {
      return { kind: name, as, request: requests.add({ field, measure: { kind: name } }) } as const;
    });
  const spread = (name: 'histogram' | 'range', measureOf: (asked: SelectedField) => FacetMeasure) =>
    named(name).map((asked) => {
      const request = requests.add({ field, measure: measureOf(asked) });
      return {
        kind: name,
        as: asked.responseName,
        request,
        buckets: bucketsOf(info, below(info, asked)).map(plainBuckets),
      };
    });
  return [
    ...termsSelection(field, named('bucket_count'), bucketsOf(info, selected), requests),
    ...single('cardinality'),
    ...single('stats'),
    ...spread('histogram', histogramMeasure),
    ...spread('range', rangeMeasure),
  ];
};

const bucketsOf = (info: GraphQLResolveInfo, selected: readonly SelectedField[]): readonly BucketsField[] =>
  selected
    .filter(({ name }) => name === 'buckets')
    .map((asked) => ({ selected: asked, children: below(info, asked) }));

const defaultInterval = 1000;

/**
 * What `histogram(interval)` asks.
 * @throws TributaryError BAD_USER_INPUT for an interval that is not above 0
 */
export const histogramMeasure = ({ args }: SelectedField): FacetMeasure => {
  const interval = (args['interval'] as number | null | undefined) ?? defaultInterval;
  if (!(interval > 0))
    throw new TributaryError('BAD_USER_INPUT', `interval must be above 0, not ${interval}`);
  return { kind: 'histogram', interval };
};

interface RangeArg {
  readonly from?: number | null;
  readonly to?: number | null;
  readonly key?: string | null;
}

/** What `range(ranges)` asks. */
export const rangeMeasure = ({ args }: SelectedField): FacetMeasure => {
  const asked = (args['ranges'] as readonly (RangeArg | null)[] | null | undefined) ?? [{ from: 0 }];
  const ranges = asked.filter((range) => range !== null).map(rangeBucket);
  return { kind: 'range', ranges: ranges.toSorted(inOrder) };
};

/** Clients know ranges in the order that search clusters give them, whatever order was asked: lower ends, then upper. */
const inOrder = (left: RangeBucketQuery, right: RangeBucketQuery): number =>
  compare(left.from ?? -Infinity, right.from ?? -Infinity) ||
  compare(left.to ?? Infinity, right.to ?? Infinity);

const compare = (left: number, right: number): number => (left < right ? -1 : left > right ? 1 : 0);

const rangeBucket = ({ from, to, key }: RangeArg): RangeBucketQuery => ({
  key: key ?? `${edge(from)}-${edge(to)}`,
  ...(from == null ? {} : { from }),
  ...(to == null ? {} : { to }),
});

/** As clients know them from the engines: one decimal, `*` for an open end. */
const edge = (value: number | null | undefined): string => (value == null ? '*' : value.toFixed(1));
