/** Where a real server answers otherwise than the other engines, and why that stays so. */
interface Divergence {
  /** By their names; all of them without. */
  readonly servers?: RegExp;
  readonly collection: string;
  readonly check: string;
  /** Only where the index has at least so many shards. */
  readonly shards?: number;
  readonly reason: string;
}

const newerElasticsearch = /^elasticsearch(?!7)/;

const known: readonly Divergence[] = [
  ...[
    'facet',
    'facet of a key',
    'facet of a key below',
    'facet of a key that no document has',
    'facet of a key with a text',
    'facet of a nested key',
    'cardinality of a key',
    'sorted by a key',
    'pages sorted by a key',
  ].map((check) => ({
    servers: /^opensearch/,
    collection: 'flattened fields',
    check,
    reason: 'these servers keep no values of a flat_object by document; describing the index says so',
  })),
  {
    collection: 'word searches',
    check: 'in texts, accents of what is sought',
    reason:
      'these servers compare words of texts as the analyser made them, and the standard one keeps accents',
  },
  {
    collection: 'writing',
    check: 'types without values',
    reason: 'these servers index geo points, which catalogues leave out',
  },
  {
    collection: 'sorting and pages',
    check: 'sources by path, through lists',
    reason: 'these servers leave objects out of a list when they have none of the requested paths',
  },
  ...['in: the day of an end', 'in: a year'].map((check) => ({
    servers: /^elasticsearch/,
    collection: 'ranges',
    check,
    reason: 'a range of dates that begins after a day begins after all of it on these servers',
  })),
  ...[
    { collection: 'facets', check: 'top hits and filters of buckets' },
    { collection: 'nested objects', check: 'top hits are relative to the nested object' },
  ].map((part) => ({
    ...part,
    shards: 2,
    reason: 'which of its documents a bucket shows is open; over several shards these servers take any',
  })),
  {
    servers: newerElasticsearch,
    collection: 'sorting and pages',
    check: 'after a missing date, within the ties',
    reason: 'its tie-break counts writes from 0: a cursor of another engine does not fit',
  },
  {
    servers: /^elasticsearch7/,
    collection: 'date values',
    check: 'milliseconds before the epoch in a filter',
    reason: 'version 7 reads no negative number as a date; the error says so',
  },
  ...['by the average', 'by the sum', 'the cursor of an average'].map((check) => ({
    servers: /^opensearch2/,
    collection: 'early nanoseconds',
    check,
    reason:
      'version 2.19.6 fails at the average, sum or median of lists of whole numbers and dates, where a page is smaller than what matches',
  })),
  ...[
    'through equal values',
    'doubles, missing last',
    'longs past 2^53',
    'dates before the epoch',
    'dates descending',
    'two keys, one by one',
  ].map((check) => ({
    servers: /^opensearch3/,
    collection: 'pages',
    check,
    shards: 2,
    reason:
      'version 3.8.0 at times skips a document without the first sort value when its shard has none of that field',
  })),
  ...['pages', 'missing dates at the other end'].map((check) => ({
    servers: newerElasticsearch,
    collection: 'sorting and pages',
    check,
    shards: 2,
    reason: 'without a sort the order is that of the writes within each shard: a page cuts it elsewhere',
  })),
];

/** Types of fields, or of analysis, that the servers of the tests lack. */
const missing: readonly (readonly [servers: RegExp, types: readonly string[], reason: string])[] = [
  [/^opensearch/, ['version'], 'OpenSearch has no such type'],
  [
    /^elasticsearch/,
    ['version', 'constant_keyword', 'asciifolding', 'scaled_float', 'unsigned_long'],
    'Elasticsearch has it in a module that Maven lacks',
  ],
];

/** Why collections with fields of a type are left out for a server, undefined when they are not. */
export const missingType = (server: string, type: string): string | undefined =>
  missing.find(([servers, types]) => servers.test(server) && types.includes(type))?.[2];

/** Why a check is left out for a server, undefined when it is not. */
export const divergences = (
  server: string,
  collection: string,
  check: string,
  shards: number,
): string | undefined =>
  known.find(
    (divergence) =>
      (divergence.servers ?? /^/).test(server) &&
      divergence.collection === collection &&
      divergence.check === check &&
      shards >= (divergence.shards ?? 1),
  )?.reason;
