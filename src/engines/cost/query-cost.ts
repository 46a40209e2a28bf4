import type { Filter } from '../../sqon/filter.ts';
import type { IndexStatistics, SearchQuery, HitsQuery, SortKey, Engine, FacetQuery } from '../engine.ts';
import { CostBreakdown, type Allowance, type Cost } from '../allowance.ts';
import { indexEstimates, prices, selectedEstimates, type IndexEstimates } from './prices.ts';
import { kindOf, type IndexField } from '../../introspection/fields/field.ts';
import type { MeasureKind } from '../measure.ts';
import { maxHistogramBuckets } from '../semantics/bucket-key.ts';
import { intervalMs } from '../semantics/calendar.ts';
import { prefixesJoined, type Prefixes } from '../semantics/prefix-alternatives.ts';
import { timesOf } from '../semantics/event-table.ts';

/**
 * Wraps an engine to consult the allowance of each search, if it has one, and to run it in its caller's turn. Costs are
 * known once an index has been described, and are based on the latest description.
 */
export const pricedEngine = (engine: Engine): Engine => {
  const known = new Map<string, IndexStatistics>();
  const met = new WeakMap<Allowance, MetConditions>();
  return {
    ...engine,
    describe: async (index) => {
      const description = await engine.describe(index);
      known.set(index, description.statistics ?? { documents: description.documents });
      return description;
    },
    search: async (index, query, options = {}) => {
      const { allowance, ...others } = options;
      if (allowance === undefined) return engine.search(index, query, options);
      const statistics = known.get(index);
      const conditions = met.get(allowance) ?? new Set<string>();
      met.set(allowance, conditions);
      const cost = statistics === undefined ? noCost : queryCost(query, statistics, conditions);
      await allowance.admit(cost);
      return allowance.takeTurn(cost.total, others, (left) =>
        engine.search(index, query, { ...left, cost: cost.total }),
      );
    },
  };
};

const noCost: Cost = { total: 0, parts: [] };

/** The conditions of the searches of one request, by field and content: an engine evaluates repeated ones once. */
type MetConditions = Set<string>;

/**
 * The approximate cost of a search in microseconds of CPU time, estimated from the query and a few figures of the index,
 * without accessing it.
 * @param met what the request's other searches have asked; completed with the conditions of this one
 */
export const queryCost = (
  { hits, facets }: SearchQuery,
  statistics: IndexStatistics,
  met: MetConditions = new Set(),
): Cost => {
  const figures = indexEstimates(statistics);
  const bill = new CostBreakdown();
  const filterCost = filterCosts(figures, bill, met);
  const figuresOf = (filter: Filter): IndexEstimates => selectedEstimates(figures, shareOf(filter, figures));
  const listed = new Set<Filter>();
  const list = (filter: Filter): void => {
    if (!listed.has(filter)) bill.add('documents', 0, figures.documents * prices.listedDocument);
    listed.add(filter);
    filterCost(filter);
  };
  bill.add('searches', 1, prices.search);
  if (hits !== undefined) {
    list(hits.filter);
    hitsCost(hits, figuresOf(hits.filter), bill);
  }
  for (const facet of facets) {
    list(facet.filter);
    Object.values(facet.objects).forEach(filterCost);
    facetCost(facet, figuresOf(facet.filter), bill, filterCost);
  }
  return bill.cost();
};

/** Adds the cost of a page of hits, without its filter. */
const hitsCost = (hits: HitsQuery, figures: IndexEstimates, bill: CostBreakdown): void => {
  const size = Math.min(hits.size, figures.documents);
  bill.add('hits', size, size * hitPrice(hits, figures));
  if (hits.size + hits.offset === 0) return;
  for (const [at, key] of hits.sort.entries())
    bill.add('sort keys', 1, rankingCost(key, figures) * (at === 0 ? 1 : prices.furtherKey));
};

const hitPrice = ({ source, sort }: HitsQuery, figures: IndexEstimates): number => {
  const read = source?.length === 0 ? 0 : figures.documentBytes * prices.readByte;
  return (
    prices.hit + read + (source?.length ?? 0) * prices.pickedField + (sort.length + 1) * prices.cursorValue
  );
};

const rankingCost = ({ field }: SortKey, figures: IndexEstimates): number => {
  const isNested = field.nestedIn.length > 0;
  const number = isNested ? prices.rankedNestedNumber : prices.rankedNumber;
  const value = isNumeric(field) ? number : prices.rankedString;
  return Math.max(figures.values(field), figures.documents) * value;
};

const isNumeric = ({ type }: IndexField): boolean => kindOf(type) === 'number' || kindOf(type) === 'date';

/** Adds the cost of a facet, without its filters. @param filterCost adds the filters of its buckets */
const facetCost = <Kind extends MeasureKind>(
  facet: FacetQuery<Kind>,
  figures: IndexEstimates,
  bill: CostBreakdown,
  filterCost: FilterCosts,
): void => {
  const { kind } = facet.measure;
  const isNested = facet.field.nestedIn.length > 0;
  if (isNested)
    bill.add('facets of nested objects', 1, nestedObjects(facet, figures) * prices.attributedObject);
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
  const maxBuckets = isNumeric(field) ? figures.values(field) : figures.strings(field);
  const buckets = Math.min(size ?? Infinity, maxBuckets);
  bill.add('facets', 1, countedCost(facet, figures));
  if (matching !== undefined) {
    const folded = figures.stringsBeyondAscii(field) * prices.foldedString;
    bill.add('values matched', maxBuckets, maxBuckets * prices.matchedString + folded);
  }
  bill.add('buckets', buckets, buckets * prices.bucket);
  if (topHits !== undefined && topHits.size > 0) {
    // each path is looked up in each document shown
    const each = prices.topHit + (topHits.source?.length ?? 0) * prices.pickedField;
    bill.add('buckets with top_hits', buckets, buckets * each + objects * prices.soughtObject);
  }
  for (const filter of filters) {
    filterCost(filter);
    const counted = objects * prices.filteredObject + countedCost(facet, figures);
    bill.add('filters in buckets', 1, counted + buckets * prices.filteredBucket);
  }
};

const countedCost = (facet: FacetQuery, figures: IndexEstimates): number => {
  const { field } = facet;
  const values = figures.values(field);
  if (isNumeric(field)) return values * prices.countedNumber;
  const value = field.nestedIn.length > 0 ? prices.countedNestedValue : prices.countedValue;
  return values * value + figures.strings(field) * prices.orderedString;
};

/** The objects on all levels down to the field's. */
const nestedObjects = ({ field }: FacetQuery, figures: IndexEstimates): number =>
  field.nestedIn.reduce((sum, path) => sum + figures.objects(path), 0);

/**
 * Contiguous buckets: every value is read twice, first to find the minimum and maximum. More than fit are not made: the
 * search is refused with the smallest interval that would do.
 */
const steppedCost = ({ field }: FacetQuery, wanted: number, { figures, bill }: Costing): void => {
  const buckets = Math.min(wanted, maxHistogramBuckets);
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
  survival: (facet, costing) => termsCost(timesOf(facet), costing),
  groups: ({ field, measure: { values, sets } }, { figures, bill }) => {
    const listed = sets.reduce((sum, { members }) => sum + members.length, values.length);
    const counted = figures.values(field) * prices.groupedValue + listed * prices.namedValue;
    bill.add('sets of values', sets.length, counted + sets.length * prices.bucket);
  },
};

/**
 * The share of the documents that a filter is taken to select: all of them, unless it names few of a field's many
 * strings. How many have a string is not known, so even then it is a large share.
 */
const shareOf = (filter: Filter, figures: IndexEstimates): number => {
  if (filter.kind === 'and') return Math.min(...filter.of.map((part) => shareOf(part, figures)));
  if (filter.kind === 'nested') return shareOf(filter.of, figures);
  if (filter.kind !== 'terms') return 1;
  const namesFew = filter.values.length * prices.stringsPerNamed <= figures.strings(filter.field);
  return namesFew ? prices.shareOfNamed : 1;
};

type Leaf = Extract<Filter, { field: unknown }>;

/** Adds the cost of a filter. */
type FilterCosts = (filter: Filter) => void;

/** For the filters of one search: repeated ones, such as in facets that leave out their own field, cost little. */
const filterCosts = (figures: IndexEstimates, bill: CostBreakdown, leaves: MetConditions): FilterCosts => {
  const met = new Set<Filter>();
  const leaf = (filter: Leaf | Prefixes): void => {
    const key = keyOf(filter);
    const objects = figures.objects(filter.field.nestedIn.at(-1) ?? '');
    if (leaves.has(key)) bill.add('conditions', 0, objects * prices.repeatedObject);
    else leafCost(filter, figures, bill, leaves);
    leaves.add(key);
  };
  const add = (filter: Filter): void => {
    if (met.has(filter)) return;
    met.add(filter);
    switch (filter.kind) {
      case 'all':
      case 'none':
        return;
      case 'and':
        filter.of.forEach(add);
        return;
      case 'or':
        for (const part of prefixesJoined(filter.of)) {
          if (part.kind === 'prefixes') leaf(part);
          else add(part);
        }
        return;
      case 'not':
        return add(filter.of);
      case 'nested':
        bill.add('pivots', 1, figures.objects(filter.path) * prices.foldedObject);
        return add(filter.of);
      case 'terms':
      case 'range':
      case 'exists':
      case 'pattern':
      case 'word':
        return leaf(filter);
    }
  };
  return add;
};

const keyOf = ({ field, ...condition }: Leaf | Prefixes): string =>
  `${field.path} ${JSON.stringify(condition, (_, value: unknown) => (isLongList(value) ? idOf(value) : value))}`;

/** Branches of a hierarchy, which are the same objects wherever they occur. */
const isLongList = (value: unknown): value is object => Array.isArray(value) && value.length > 1_000;

const ids = new WeakMap<object, number>();
let lists = 0;

const idOf = (list: object): number => {
  const id = ids.get(list) ?? lists++;
  ids.set(list, id);
  return id;
};

const leafCost = (
  leaf: Leaf | Prefixes,
  figures: IndexEstimates,
  bill: CostBreakdown,
  met: MetConditions,
): void => {
  const { field } = leaf;
  const compared = figures.compared(field) * prices.comparedValue;
  switch (leaf.kind) {
    case 'terms': {
      const { length } = leaf.values;
      const isLookedUp = isNumeric(field) && length > 4;
      const values = isLookedUp ? figures.compared(field) * prices.lookedUpValue : compared;
      bill.add('values in conditions', length, length * prices.namedValue + values);
      return;
    }
    case 'pattern': {
      const wildcards = leaf.pattern.filter((part) => 'wildcard' in part).length;
      const byte = wildcards > 2 ? prices.rematchedByte : prices.searchedByte;
      const folded = leaf.caseInsensitive ? foldingCost(field, figures, met) : 0;
      bill.add('wildcard conditions', 1, folded + figures.stringBytes(field) * byte + compared);
      return;
    }
    case 'prefixes': {
      const { length } = leaf.prefixes;
      const folded = leaf.caseInsensitive ? foldingCost(field, figures, met) : 0;
      const placed = figures.strings(field) * prices.placedString * Math.log2(length);
      bill.add('wildcard conditions', length, length * prices.namedValue + folded + placed + compared);
      return;
    }
    case 'range': {
      const strings = isNumeric(field) ? 0 : figures.strings(field) * prices.comparedString;
      bill.add('ranges in conditions', 1, compared + strings);
      return;
    }
    case 'word': {
      const searched =
        figures.stringBytes(field) * prices.searchedByte +
        figures.strings(field) * prices.testedString +
        figures.stringsBeyondAscii(field) * prices.foldedString;
      bill.add('words in conditions', 1, foldingCost(field, figures, met) + searched + compared);
      return;
    }
    case 'exists':
      bill.add('conditions', 1, compared);
      return;
    default:
      leaf satisfies never;
  }
};

/** The strings of a field are folded once, for all conditions that ignore case. */
const foldingCost = (field: IndexField, figures: IndexEstimates, met: MetConditions): number => {
  const key = `${field.path} folded`;
  if (met.has(key)) return 0;
  met.add(key);
  return figures.stringBytes(field) * prices.foldedByte;
};
