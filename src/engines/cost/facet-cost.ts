import { kindOf } from '../../introspection/fields/field.ts';
import type { FacetQuery, Measure } from '../engine.ts';
import type { Bill } from '../bill.ts';
import type { FilterCosts } from './filter-cost.ts';
import type { IndexFigures } from './index-figures.ts';
import { prices } from './prices.ts';

/** Puts a facet on the bill, without its filters. @param filterCost for the filters within its buckets */
export const facetCost = (
  facet: FacetQuery,
  figures: IndexFigures,
  bill: Bill,
  filterCost: FilterCosts,
): void => {
  const { field, measure } = facet;
  const isNested = field.nestedIn.length > 0;
  if (isNested) bill.add('facets of nested objects', 1, nestedObjects(facet, figures) * prices.foldedObject);
  const values = figures.values(field);
  switch (measure.kind) {
    case 'terms':
      return termsCost(facet, measure, figures, bill, filterCost);
    case 'cardinality':
      bill.add('facets', 1, countedCost(facet, figures));
      return;
    case 'stats':
      bill.add('facets', 1, values * prices.summedValue);
      return;
    case 'histogram': {
      const buckets = figures.histogramBuckets(field, measure.interval);
      bill.add('facets', 1, values * prices.steppedValue);
      bill.add('buckets of histograms', buckets, buckets * prices.bucket);
      return;
    }
    case 'range':
      bill.add(
        'ranges of facets',
        measure.ranges.length,
        values * (prices.summedValue + measure.ranges.length * prices.rangedValue) +
          measure.ranges.length * prices.bucket,
      );
  }
};

type TermsMeasure = Extract<Measure, { kind: 'terms' }>;

const termsCost = (
  facet: FacetQuery,
  { size, topHits, filters = [] }: TermsMeasure,
  figures: IndexFigures,
  bill: Bill,
  filterCost: FilterCosts,
): void => {
  const { field } = facet;
  const objects = figures.objects(field.nestedIn.at(-1) ?? '');
  const most = isNumeric(facet) ? figures.values(field) : figures.strings(field);
  const buckets = Math.min(size ?? Infinity, most);
  bill.add('facets', 1, countedCost(facet, figures));
  bill.add('buckets', buckets, buckets * prices.bucket);
  if (topHits !== undefined && topHits.size > 0)
    bill.add('buckets with top_hits', buckets, buckets * prices.topHit + objects * prices.soughtObject);
  for (const filter of filters) {
    filterCost(filter);
    bill.add('filters in buckets', 1, objects * prices.filteredObject + countedCost(facet, figures));
  }
};

const countedCost = (facet: FacetQuery, figures: IndexFigures): number => {
  const { field } = facet;
  const values = figures.values(field);
  if (isNumeric(facet)) return values * prices.countedNumber;
  const value = field.nestedIn.length > 0 ? prices.countedNestedValue : prices.countedValue;
  return values * value + figures.strings(field) * prices.orderedString;
};

const isNumeric = ({ field }: FacetQuery): boolean =>
  kindOf(field.type) === 'number' || kindOf(field.type) === 'date';

/** Objects of all levels down to the field's. */
const nestedObjects = ({ field }: FacetQuery, figures: IndexFigures): number =>
  field.nestedIn.reduce((sum, path) => sum + figures.objects(path), 0);
