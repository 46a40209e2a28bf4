/**
 * What a search costs, in microseconds of a processor as measured over the million documents of bench/engine, rounded
 * up: a warm search takes no more than what it costs there, most take half of it. "Value" is an entry of a column, so a list
 * of three counts thrice; "object" is a document or nested object; "string" is one distinct string of a column.
 */
export const prices = {
  /** A search at all: messages between threads, the request around it. */
  search: 200,

  // which documents are looked at
  /** A value compared by a condition: marked, or found among those wanted. */
  comparedValue: 0.01,
  /** A value looked up among many wanted numbers. */
  lookedUpValue: 0.05,
  /** A value that a condition names. */
  namedValue: 2,
  /** A string that a range of strings is compared with. */
  comparedString: 0.05,
  /** A string that may hold a word of a search. */
  foldedString: 3,
  /** A byte of the strings that a wildcard is sought in, and one that further wildcards may go over again. */
  searchedByte: 0.003,
  rematchedByte: 0.006,
  /** An object whose parent is marked. */
  foldedObject: 0.006,
  /** A condition met again: what it found is combined once more. */
  repeatedObject: 0.003,
  /** A document put into the list that facets or pages go through. */
  listedDocument: 0.006,

  // facets
  /** A value counted for a bucket; of nested objects each for its document. */
  countedValue: 0.01,
  countedNestedValue: 0.03,
  /** A number counted for a bucket: numbers have no dictionary. */
  countedNumber: 0.5,
  /** A string that may be a bucket: counted, put in order. */
  orderedString: 0.1,
  /** A string that is folded and searched for the text that keys must contain. */
  matchedString: 1,
  /** A bucket in the answer: read, sent, shaped, written. */
  bucket: 6,
  /** A document read for a bucket, and finding the first one. */
  topHit: 60,
  soughtObject: 0.06,
  /** An object of a facet looked at again, for a filter in its buckets. */
  filteredObject: 0.1,
  /** A value of stats or of a histogram, which is passed twice. */
  summedValue: 0.04,
  steppedValue: 0.08,
  /** A value counted in a bucket between powers, for percentiles. */
  loggedValue: 0.15,
  /** A value compared with one range. */
  rangedValue: 0.008,

  // pages
  /** A document ranked by the first sort key, and by each further one. */
  rankedValue: 0.12,
  rankedNestedNumber: 0.4,
  furtherRank: 0.35,
  /** A hit in the answer; a byte of its document that is read; a field that is picked; a cursor's value. */
  hit: 10,
  readByte: 0.1,
  pickedField: 1.5,
  cursorValue: 0.8,
} as const;

/** What is assumed where an engine does not say. */
export const assumed = {
  /** Bytes of a document and of a string. */
  documentBytes: 1_000,
  stringBytes: 20,
  /** Distinct strings of a field, at most, and nested objects of a document. */
  strings: 10_000,
  objectsToDocument: 3,
  /** Buckets of a histogram. */
  histogramBuckets: 4_096,
} as const;
