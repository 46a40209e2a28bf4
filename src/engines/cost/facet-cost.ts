import { kindOf } from '../../introspection/fields/field.ts';
import type { FacetQuery } from '../engine.ts';
import type { MeasureKind } from '../measure.ts';
import { intervalMs } from '../semantics/calendar.ts';
import type { CostBreakdown } from '../allowance.ts';
import type { FilterCosts } from './filter-cost.ts';
import type { IndexEstimates } from './prices.ts';
import { prices } from './prices.ts';

/** Adds the cost of a facet, without its filters. @param filterCost adds the filters of its buckets */
export const facetCost = <Kind extends MeasureKind>(
  facet: FacetQuery<Kind>,
  figures: IndexEstimates,
  bill: CostBreakdown,
  filterCost: FilterCosts,
): void => {
  const { kind } = facet.measure;
  const isNested = facet.field.nestedIn.length > 0;
  if (isNested) bill.add('facets of nested objects', 1, nestedObjects(facet, figures) * prices.foldedObject);
  const cost: MeasureCost<Kind> = measureCosts[kind];
  cost(facet, { figures, bill, filterCost });
};

interface Costing {
  readonly figures: IndexEstimates;
  readonly bill: CostBreakdown;
  readonly filterCost: FilterCosts;
}

type MeasureCost<Kind extends MeasureKind> = (facet: FacetQuery<Kind>, costing: Costing) => void;

const termsCost: MeasureCost<'terms'> = (facet, { figures, bill, filterCost }) => {
  const { field } = facet;
  const { size, matching, topHits, filters = [] } = facet.measure;
  const objects = figures.objects(field.nestedIn.at(-1) ?? '');
  const maxBuckets = isNumeric(facet) ? figures.values(field) : figures.strings(field);
  const buckets = Math.min(size ?? Infinity, maxBuckets);
  bill.add('facets', 1, countedCost(facet, figures));
  if (matching !== undefined) bill.add('values matched', maxBuckets, maxBuckets * prices.matchedString);
  bill.add('buckets', buckets, buckets * prices.bucket);
  if (topHits !== undefined && topHits.size > 0) {
    // each path is looked up in each document shown
    const each = prices.topHit + (topHits.source?.length ?? 0) * prices.pickedField;
    bill.add('buckets with top_hits', buckets, buckets * each + objects * prices.soughtObject);
  }
  for (const filter of filters) {
    filterCost(filter);
    bill.add('filters in buckets', 1, objects * prices.filteredObject + countedCost(facet, figures));
  }
};

const countedCost = (facet: FacetQuery, figures: IndexEstimates): number => {
  const { field } = facet;
  const values = figures.values(field);
  if (isNumeric(facet)) return values * prices.countedNumber;
  const value = field.nestedIn.length > 0 ? prices.countedNestedValue : prices.countedValue;
  return values * value + figures.strings(field) * prices.orderedString;
};

const isNumeric = ({ field }: FacetQuery): boolean =>
  kindOf(field.type) === 'number' || kindOf(field.type) === 'date';

/** The objects on all levels down to the field's. */
const nestedObjects = ({ field }: FacetQuery, figures: IndexEstimates): number =>
  field.nestedIn.reduce((sum, path) => sum + figures.objects(path), 0);

/** Contiguous buckets: every value is read twice, first to find the minimum and maximum. */
const steppedCost = ({ field }: FacetQuery, buckets: number, { figures, bill }: Costing): void => {
  bill.add('facets', 1, figures.values(field) * prices.steppedValue);
  bill.add('buckets of histograms', buckets, buckets * prices.bucket);
};

const rangeCost: MeasureCost<'range'> = ({ field, measure }, { figures, bill }) => {
  const { length } = measure.ranges;
  const values = figures.values(field) * (prices.summedValue + length * prices.rangedValue);
  bill.add('ranges of facets', length, values + length * prices.bucket);
};

const measureCosts: { readonly [Kind in MeasureKind]: MeasureCost<Kind> } = {
  terms: termsCost,
  stats: ({ field }, { figures, bill }) => bill.add('facets', 1, figures.values(field) * prices.summedValue),
  histogram: (facet, costing) =>
    steppedCost(facet, costing.figures.histogramBuckets(facet.field, facet.measure.interval), costing),
  date_histogram: (facet, costing) => {
    const width = intervalMs(facet.measure.interval);
    steppedCost(facet, costing.figures.histogramBuckets(facet.field, width), costing);
  },
  range: rangeCost,
  cardinality: (facet, { figures, bill }) => bill.add('facets', 1, countedCost(facet, figures)),
  percentiles: ({ field }, { figures, bill }) =>
    bill.add('facets', 1, figures.values(field) * prices.loggedValue),
  distinct_sample: (facet, { figures, bill }) => {
    const values = isNumeric(facet) ? figures.values(facet.field) : figures.strings(facet.field);
    bill.add('facets', 1, countedCost(facet, figures) + values * prices.sampledValue);
  },
};
