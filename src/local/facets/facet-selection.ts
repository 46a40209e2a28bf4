import type { GraphQLResolveInfo } from 'graphql';
import type { RangeBucketQuery } from '../../engines/engine.ts';
import { TributaryError } from '../../errors.ts';
import type {
  FacetPart,
  FacetPlan,
  FacetRequests,
  FixedPart,
  MeasurePart,
  PlainBucketsPart,
  StatsPart,
} from './facet-plan.ts';
import { fixedPart, newFacetRequests } from './facet-plan.ts';
import { plannedOnce } from '../../graphql/planned-once.ts';
import type { FacetMeasure } from '../../search/query.ts';
import type { SelectedField } from '../../graphql/selected-fields.ts';
import { allBelow } from '../../graphql/selected-fields.ts';
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
  const selected = allBelow(info, { definition, nodes: info.fieldNodes });
  const parts = selected.map((facet): FacetPart | FixedPart => {
    const { path } = facet.definition.extensions as { readonly path?: string };
    if (path === undefined) return fixedPart(facet);
    const measures = measureParts(info, path, allBelow(info, facet), requests);
    return { kind: 'facet', as: facet.responseName, measures };
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
  const buckets = named('buckets').map((asked) => ({ selected: asked, children: allBelow(info, asked) }));
  const ofTerms = termsSelection(field, named('bucket_count'), buckets, requests);
  const request = (measure: FacetMeasure): number => requests.add({ field, measure });
  return selected.map((asked): MeasurePart => {
    const { name, responseName: as } = asked;
    switch (name) {
      case 'bucket_count':
      case 'buckets':
        return ofTerms.get(as)!;
      case 'cardinality':
        return { kind: name, as, request: request({ kind: name }) };
      case 'stats':
        return { kind: name, as, request: request({ kind: name }), stats: statsParts(allBelow(info, asked)) };
      case 'histogram':
        return { kind: name, as, request: request(histogramMeasure(asked)), shown: shownParts(info, asked) };
      case 'range':
        return { kind: name, as, request: request(rangeMeasure(asked)), shown: shownParts(info, asked) };
      default:
        return fixedPart(asked);
    }
  });
};

const statsParts = (selected: readonly SelectedField[]): readonly (StatsPart | FixedPart)[] =>
  selected.map((stat) =>
    stat.name === '__typename'
      ? fixedPart(stat)
      : { kind: stat.name as StatsPart['kind'], as: stat.responseName },
  );

/** Buckets alone: clients know the counts of histograms and ranges as null. */
const shownParts = (
  info: GraphQLResolveInfo,
  asked: SelectedField,
): readonly (PlainBucketsPart | FixedPart)[] =>
  allBelow(info, asked).map((selected) =>
    selected.name === 'buckets'
      ? plainBuckets({ selected, children: allBelow(info, selected) })
      : fixedPart(selected),
  );

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
