import type { IndexField } from '../../introspection/fields/field.ts';
import type { IndexStatistics } from '../engine.ts';

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
  /** A value counted in the sets that it belongs to. */
  groupedValue: 0.05,
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

/** An index's figures from its statistics; what those leave out is assumed. */
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
