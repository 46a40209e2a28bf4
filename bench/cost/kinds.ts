/** One POST to a server. */
export interface Sent {
  readonly path: string;
  readonly body: string;
}

/** A kind of request whose cost is measured. */
export interface Kind {
  readonly name: string;
  /** The same kind of request, of which nothing is remembered in the second turn. */
  readonly sent: (turn: 1 | 2) => Sent;
}

const specimens = (selection: string, declared = '', variables: object = {}): Sent => ({
  path: '/graphql',
  body: JSON.stringify({ query: `query ${declared} { specimen { ${selection} } }`, variables }),
});
const facets = (selection: string): Sent => specimens(`aggregations { ${selection} }`);
const counted = (content: readonly object[]): Sent =>
  specimens('hits(first: 0, filters: $f) { total }', '($f: JSON)', { f: { op: 'or', content } });

const listed = <Of>(count: number, item: (i: number) => Of): readonly Of[] =>
  Array.from({ length: count }, (_, i) => item(i));
const repeated = (count: number, text: (i: number) => string): string => listed(count, text).join(' ');

const words = (fieldNames: readonly string[], value: string): object => ({
  op: 'search',
  content: { fieldNames, value },
});
const wildcard = (fieldName: string, value: string, pivot?: string): object => ({
  op: 'filter',
  ...(pivot && { pivot }),
  content: { fieldNames: [fieldName], value },
});
const pageOf = (first: number, what: string, more = ''): string =>
  `hits(first: ${first}${more}) { edges { node { ${what} } } }`;
const sortedBy = (offset: number, fields: string): string =>
  `, offset: ${offset}, sort: [${fields
    .split(' ')
    .map((name) => `{fieldName: "${name}"}`)
    .join()}]`;
const filtersInBuckets = (count: number, turn: number): string =>
  repeated(
    count,
    (i) =>
      `f${i}: filter_by_term(filter: {op: ">=", content: {fieldName: "bytes", value: [${i * 1_000 + turn}]}})`,
  );

const tenFields = 'id sex phase weight title species institution collected donor { age country }';
const manyFacets = 'samples__kind samples__lab tags species collector institution category'.split(' ');
const shortStrings = 'sex phase tissue institution collector species tags donor.country'.split(' ');

/** Each is several times dearer than what pages of a portal ask for. */
export const kinds: readonly Kind[] = [
  {
    name: 'pages of whole documents',
    sent: (turn) => specimens(repeated(3, (i) => `p${i}: ${pageOf(10_000 - turn - i, '_source')}`)),
  },
  {
    name: 'pages of ten fields',
    sent: (turn) => specimens(repeated(3, (i) => `p${i}: ${pageOf(10_000 - turn - i, tenFields)}`)),
  },
  {
    name: 'a page sorted by text',
    sent: (turn) => specimens(pageOf(10, 'id', sortedBy(9_000 + turn, 'title'))),
  },
  {
    name: 'a page sorted by nested numbers',
    sent: (turn) => specimens(pageOf(10, 'id', sortedBy(turn, 'samples.depth'))),
  },
  {
    name: 'pages sorted by several fields',
    sent: (turn) =>
      specimens(repeated(3, (i) => `p${i}: ${pageOf(10, 'id', sortedBy(turn + i, 'sex grade title'))}`)),
  },
  {
    name: 'deep pages sorted by numbers',
    sent: (turn) =>
      specimens(repeated(5, (i) => `p${i}: ${pageOf(10, 'id', sortedBy(9_900 + turn + i, 'bytes'))}`)),
  },
  { name: 'buckets', sent: (turn) => facets(`id { buckets(max: ${50_000 - turn}) { key doc_count } }`) },
  {
    name: 'buckets with top hits',
    sent: (turn) =>
      facets(`title { buckets(max: ${5_000 - turn}) { key top_hits(_source: ["id", "title"]) } }`),
  },
  {
    name: 'filters in buckets',
    sent: (turn) => facets(`title { buckets(max: ${100 + turn}) { key ${filtersInBuckets(3, turn)} } }`),
  },
  {
    name: 'filters in nested buckets',
    sent: (turn) =>
      facets(`samples__lab { buckets(max: ${100 + turn}) { key ${filtersInBuckets(3, turn)} } }`),
  },
  {
    name: 'many facets',
    sent: (turn) =>
      facets(
        repeated(
          14,
          (i) =>
            `f${i}: ${manyFacets[i % manyFacets.length]} { buckets(max: ${5_000 - turn - i}) { key doc_count } }`,
        ),
      ),
  },
  {
    name: 'histograms',
    sent: (turn) =>
      facets(
        `reads { ${repeated(3, (i) => `h${i}: histogram(interval: ${160 + turn / 10 + i}) { buckets { key doc_count } }`)} }`,
      ),
  },
  {
    name: 'percentiles and statistics',
    sent: (turn) =>
      facets(
        ['weight', 'reads', 'bytes']
          .map((name) => `${name} { stats { min max } percentiles(percents: [${turn}]) { value } }`)
          .join(' '),
      ),
  },
  {
    name: 'ranges',
    sent: (turn) =>
      facets(
        ['weight', 'reads', 'donor__age', 'bytes']
          .map(
            (name) =>
              `${name} { range(ranges: [${repeated(50, (i) => `{from: ${i + turn}}`)}]) { buckets { doc_count } } }`,
          )
          .join(' '),
      ),
  },
  {
    name: 'words in few strings',
    sent: (turn) => counted([words(shortStrings, `zone${turn} cor${turn}`)]),
  },
  { name: 'words in titles', sent: (turn) => counted([words(['title'], `mar${turn} sel`)]) },
  { name: 'words in identifiers', sent: (turn) => counted([words(['id'], `spec ${turn}0`)]) },
  {
    name: 'wildcards',
    sent: (turn) => counted(listed(20, (i) => wildcard('title', `*x${turn}${i}*`))),
  },
  {
    name: 'wildcards of many parts',
    // most titles have an a, none an x or z: they are read to their end
    sent: (turn) =>
      counted(['e', 'i', 'l', 'o', 'u'].map((letter) => wildcard('title', `?*a*${letter}*${' xz'[turn]}*`))),
  },
  {
    name: 'pivoted wildcards',
    sent: (turn) => counted(listed(20, (i) => wildcard('samples.lab', `*${turn}${i}*`, 'samples'))),
  },
  {
    name: 'values in a condition',
    sent: (turn) =>
      counted([
        {
          op: 'in',
          content: {
            fieldName: 'id',
            value: listed(9_000, (i) => `SPEC-${String(turn + i * 7).padStart(8, '0')}`),
          },
        },
      ]),
  },
  {
    name: 'prefixes in a condition',
    sent: (turn) =>
      counted([
        {
          op: 'in',
          content: {
            fieldName: 'id',
            value: listed(1_000, (i) => `SPEC-${String((turn + i * 7) % 10_000).padStart(5, '0')}*`),
          },
        },
      ]),
  },
  {
    name: 'numbers in conditions',
    sent: (turn) =>
      counted(
        listed(50, (i) => ({
          op: '>=',
          content: { fieldName: 'bytes', value: [i * 1_000 + turn] },
        })),
      ),
  },
];
