import type { IndexField } from '../../introspection/fields/field.ts';
import type { IndexStatistics } from '../engine.ts';

/**
 * The cost of a search in microseconds of CPU time, as bench/cost.ts measures it on a million documents: that of a server
 * which has answered none like it, since the first search of a field prepares its strings. "Value" is an entry of a
 * column, so a list of three counts three times; "object" is a document or nested object; "string" is one distinct
 * string of a column.
 */
export const prices = {
  /** The base cost of any search: messages between threads, the enclosing request. */
  search: 2_000,

  // selecting documents
  /** A value tested by a condition: compared or looked up. */
  comparedValue: 0.003,
  /** A value looked up in a large set of numbers. */
  lookedUpValue: 0.05,
  /** A value listed in a condition: parsed, validated, found. */
  namedValue: 9,
  /** A string compared with a range of strings. */
  comparedString: 0.05,
  /** A byte of the strings folded before the first condition that ignores case. */
  foldedByte: 0.003,
  /** A byte of the strings searched for a word or a wildcard pattern, and one that further wildcards may scan again. */
  searchedByte: 0.0006,
  rematchedByte: 0.006,
  /** A string that finds its place among sorted prefixes, for each of the steps that takes. */
  placedString: 0.02,
  /** A string in which a search word may stand. */
  testedString: 0.05,
  /** A string with characters beyond ASCII, folded for each word. */
  foldedString: 2.5,
  /** An object whose match is propagated to its parent. */
  foldedObject: 0.003,
  /** A repeated condition: its result is combined again. */
  repeatedObject: 0.0003,
  /** A document added to the list that facets or pages iterate over. */
  listedDocument: 0.006,
  /** The share of the documents that a condition selects which names less than one of so many strings. */
  shareOfNamed: 0.4,
  stringsPerNamed: 20,

  // facets
  /** A value counted for a bucket; in nested objects also attributed to its document. */
  countedValue: 0.01,
  countedNestedValue: 0.03,
  attributedObject: 0.006,
  /** A number counted for a bucket: numbers have no dictionary. */
  countedNumber: 0.5,
  /** A string that may be a bucket: counted and sorted. */
  orderedString: 0.1,
  /** A string searched for the text that keys must contain. */
  matchedString: 0.5,
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
  summedValue: 0.03,
  steppedValue: 0.06,
  /** A value counted in a logarithmic bucket, for percentiles. */
  loggedValue: 0.1,
  /** A value counted in the sets that it belongs to. */
  groupedValue: 0.05,
  /** A value compared with one range. */
  rangedValue: 0.008,

  // pages
  /** A value ranked by the first sort key, and the part of that for each further key: few documents tie. */
  rankedString: 0.12,
  rankedNumber: 0.07,
  rankedNestedNumber: 0.4,
  furtherKey: 0.5,
  /** A hit in the result; a byte read of its document; a selected field; a cursor value. */
  hit: 10,
  readByte: 0.06,
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
  /** Shards are searched side by side, and larger ones are split. */
  documentsInShard: 50_000_000,
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
  /** The values that a condition is tested on: none where an inverted index has them. */
  compared(field: IndexField): number;
  strings(field: IndexField): number;
  stringBytes(field: IndexField): number;
  stringsBeyondAscii(field: IndexField): number;
  /** The maximum number of buckets of a histogram. */
  histogramBuckets(field: IndexField, interval: number): number;
}

/** An index's figures from its statistics; what those leave out is assumed. */
export const indexEstimates = (statistics: IndexStatistics): IndexEstimates => {
  // an engine without figures of the fields is a search server: it keeps shards of them, and an inverted index
  const isServer = statistics.fields === undefined;
  const documents = isServer
    ? Math.min(statistics.documents, assumed.documentsInShard)
    : statistics.documents;
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
    compared: (field) => (isServer ? 0 : values(field)),
    strings,
    stringBytes: (field) => of(field)?.stringBytes ?? strings(field) * assumed.stringBytes,
    stringsBeyondAscii: (field) => of(field)?.stringsBeyondAscii ?? 0,
    histogramBuckets: (field, interval) => {
      const span = of(field)?.span;
      return span === undefined ? assumed.histogramBuckets : Math.floor(span / interval) + 2;
    },
  };
};

/** The figures of a share of the documents. */
export const selectedEstimates = (figures: IndexEstimates, share: number): IndexEstimates =>
  share === 1
    ? figures
    : {
        ...figures,
        documents: figures.documents * share,
        objects: (path) => figures.objects(path) * share,
        values: (field) => figures.values(field) * share,
      };
