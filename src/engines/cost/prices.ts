import { kindOf, type IndexField } from '../../introspection/fields/field.ts';
import type { IndexStatistics } from '../engine.ts';
import type { Filter } from '../../sqon/filter.ts';
import type { CostBreakdown } from '../allowance.ts';

/**
 * The cost of a search in microseconds of CPU time, measured on the million documents of bench/engine and rounded up: a
 * warm search there takes no more than its cost, most take half. "Value" is an entry of a column, so a list of three
 * counts three times; "object" is a document or nested object; "string" is one distinct string of a column.
 */
export const prices = {
  /** The base cost of any search: messages between threads, the enclosing request. */
  search: 200,

  // selecting documents
  /** A value tested by a condition: compared or looked up. */
  comparedValue: 0.01,
  /** A value looked up in a large set of numbers. */
  lookedUpValue: 0.05,
  /** A value listed in a condition. */
  namedValue: 2,
  /** A string compared with a range of strings. */
  comparedString: 0.05,
  /** A string that may contain a search word. */
  foldedString: 3,
  /** A byte of the strings searched for a wildcard pattern, and one that further wildcards may scan again. */
  searchedByte: 0.003,
  rematchedByte: 0.006,
  /** An object whose match is propagated to its parent. */
  foldedObject: 0.006,
  /** A repeated condition: its result is combined again. */
  repeatedObject: 0.003,
  /** A document added to the list that facets or pages iterate over. */
  listedDocument: 0.006,

  // facets
  /** A value counted for a bucket; in nested objects also attributed to its document. */
  countedValue: 0.01,
  countedNestedValue: 0.03,
  /** A number counted for a bucket: numbers have no dictionary. */
  countedNumber: 0.5,
  /** A string that may be a bucket: counted and sorted. */
  orderedString: 0.1,
  /** A string folded and searched for the text that keys must contain. */
  matchedString: 1,
  /** A bucket in the result: read, sent, converted, serialized. */
  bucket: 6,
  /** A document read for a bucket, including finding it. */
  topHit: 60,
  soughtObject: 0.06,
  /** An object of a facet checked again for a filter in its buckets. */
  filteredObject: 0.1,
  /** A bucket's count for such a filter: merged, converted, serialized. */
  filteredBucket: 3,
  /** A value of stats or of a histogram, which reads it twice. */
  summedValue: 0.04,
  steppedValue: 0.08,
  /** A value counted in a logarithmic bucket, for percentiles. */
  loggedValue: 0.15,
  /** A distinct value hashed for a sample. */
  sampledValue: 0.1,
  /** A value compared with one range. */
  rangedValue: 0.008,

  // pages
  /** A document ranked by the first sort key, and by each further one. */
  rankedValue: 0.12,
  rankedNestedNumber: 0.4,
  furtherRank: 0.35,
  /** A hit in the result; a byte read of its document; a selected field; a cursor value. */
  hit: 10,
  readByte: 0.1,
  pickedField: 1.5,
  cursorValue: 0.8,
} as const;

/** Assumptions for figures an engine does not provide. */
const assumed = {
  /** Bytes of a document and of a string. */
  documentBytes: 1_000,
  stringBytes: 20,
  /** The maximum number of distinct strings of a field, and of nested objects per document. */
  strings: 10_000,
  objectsToDocument: 3,
  /** Buckets of a histogram. */
  histogramBuckets: 4_096,
} as const;

/** The known figures of an index, with assumptions for the unknown ones. */
export interface IndexEstimates {
  readonly documents: number;
  readonly documentBytes: number;
  /** The number of objects at a nested path; '' for the documents. */
  objects(path: string): number;
  values(field: IndexField): number;
  strings(field: IndexField): number;
  stringBytes(field: IndexField): number;
  /** The maximum number of buckets of a histogram. */
  histogramBuckets(field: IndexField, interval: number): number;
}

/** An index's figures from its statistics; what those leave out is assumed (`prices.ts`). */
export const indexEstimates = (statistics: IndexStatistics): IndexEstimates => {
  const { documents } = statistics;
  const objects = (path: string): number =>
    path === '' ? documents : (statistics.objects?.get(path) ?? documents * assumed.objectsToDocument);
  const of = (field: IndexField) => statistics.fields?.get(field.path);
  const values = (field: IndexField): number => of(field)?.values ?? objects(field.nestedIn.at(-1) ?? '');
  const strings = (field: IndexField): number =>
    of(field)?.strings ?? Math.min(values(field), assumed.strings);
  return {
    documents,
    documentBytes: statistics.documentBytes ?? assumed.documentBytes,
    objects,
    values,
    strings,
    stringBytes: (field) => of(field)?.stringBytes ?? strings(field) * assumed.stringBytes,
    histogramBuckets: (field, interval) => {
      const span = of(field)?.span;
      return span === undefined ? assumed.histogramBuckets : Math.floor(span / interval) + 2;
    },
  };
};

type Leaf = Extract<Filter, { field: unknown }>;

/** Adds the cost of a filter. */
export type FilterCosts = (filter: Filter) => void;

/** For the filters of one search: repeated ones, such as in facets that leave out their own field, cost little. */
export const filterCosts = (figures: IndexEstimates, bill: CostBreakdown): FilterCosts => {
  const met = new Set<Filter>();
  const leaves = new Set<string>();
  const leaf = (filter: Leaf): void => {
    const key = keyOf(filter);
    const objects = figures.objects(filter.field.nestedIn.at(-1) ?? '');
    if (leaves.has(key)) bill.add('conditions', 0, objects * prices.repeatedObject);
    else leafCost(filter, figures, bill);
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
      case 'or':
        filter.of.forEach(add);
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

const keyOf = ({ field, ...condition }: Leaf): string => `${field.path} ${JSON.stringify(condition)}`;

const leafCost = (leaf: Leaf, figures: IndexEstimates, bill: CostBreakdown): void => {
  const { field } = leaf;
  const kind = kindOf(field.type);
  const isNumeric = kind === 'number' || kind === 'date';
  const values = figures.values(field);
  const compared = values * prices.comparedValue;
  switch (leaf.kind) {
    case 'terms': {
      const each = leaf.values.length * prices.namedValue;
      const isLookedUp = isNumeric && leaf.values.length > 4;
      bill.add(
        'values in conditions',
        leaf.values.length,
        each + (isLookedUp ? values * prices.lookedUpValue : compared),
      );
      return;
    }
    case 'pattern': {
      const wildcards = leaf.pattern.filter((part) => 'wildcard' in part).length;
      const byte = wildcards > 2 ? prices.rematchedByte : prices.searchedByte;
      bill.add('wildcard conditions', 1, figures.stringBytes(field) * byte + compared);
      return;
    }
    case 'range':
      bill.add(
        'ranges in conditions',
        1,
        compared + (isNumeric ? 0 : figures.strings(field) * prices.comparedString),
      );
      return;
    case 'word':
      bill.add(
        'words in conditions',
        1,
        figures.stringBytes(field) * prices.searchedByte +
          figures.strings(field) * prices.foldedString +
          compared,
      );
      return;
    case 'exists':
      bill.add('conditions', 1, compared);
      return;
    default:
      leaf satisfies never;
  }
};
