import { posted, postedText } from './graphql-over-http.ts';
import type { NastyCase, Outcome } from './nasty-case.ts';

const fragments = (count: number, last: string): string =>
  Array.from(
    { length: count },
    (_, at) => `fragment F${at} on Root { ...${at + 1 < count ? `F${at + 1}` : last} }`,
  ).join(' ');
/** Each fragment uses the next one twice: 2 to the 40th fields when written out. */
const doubling = (count: number): string =>
  Array.from(
    { length: count },
    (_, at) => `fragment D${at} on bookNode { ...D${at + 1} ...D${at + 1} }`,
  ).join(' ');

/** GraphQL documents that are too deep, too wide, endless, or no documents at all. */
const documents: readonly (readonly [string, string, Outcome])[] = [
  ['an empty one', ' ', 'refused'],
  ['a brace', '{', 'refused'],
  ['100 000 braces', '{'.repeat(100_000), 'refused'],
  ['selections 10 000 deep', `${'{ book '.repeat(10_000)}${'}'.repeat(10_000)}`, 'refused'],
  ['inline fragments 3 000 deep', `{ ${'... { '.repeat(3_000)} __typename ${'}'.repeat(3_000)} }`, 'refused'],
  [
    'inline fragments 700 deep',
    `{ ${'... { '.repeat(700)} book { hits { total } } ${'}'.repeat(700)} }`,
    'everything',
  ],
  [
    'braces in texts and comments',
    `{ book { hits(filters: {op: "in", content: {fieldName: "title", value: ["${'{'.repeat(900)}"]}}) { total } } } #${'['.repeat(900)}`,
    'nothing',
  ],
  [
    'lists 50 000 deep in an argument',
    `{ book { hits(searchAfter: ${'['.repeat(50_000)}) { total } } }`,
    'refused',
  ],
  ['types 50 000 deep', `query($a: ${'['.repeat(50_000)}Int${']'.repeat(50_000)}) { __typename }`, 'refused'],
  ['a fragment that is its own', '{ ...A } fragment A on Root { ...A }', 'refused'],
  [
    'two fragments in a circle',
    '{ ...A } fragment A on Root { ...B } fragment B on Root { ...A }',
    'refused',
  ],
  [
    'a fragment cycle that is never entered',
    '{ __typename } fragment A on Root { ...B } fragment B on Root { ...A }',
    'refused',
  ],
  [
    '5 000 fragments in a row',
    `{ ...F0 } ${fragments(5_000, 'L')} fragment L on Root { __typename }`,
    'refused',
  ],
  [
    '190 fragments in a row',
    `{ ...F0 } ${fragments(190, 'L')} fragment L on Root { book { hits { total } } }`,
    'everything',
  ],
  ['5 000 fragments in a circle', `{ ...F0 } ${fragments(5_000, 'F0')}`, 'refused'],
  [
    'fragments that double 40 times',
    `{ book { hits { edges { node { ...D0 } } } } } ${doubling(40)} fragment D40 on bookNode { id }`,
    'survives',
  ],
  ['an unknown fragment', '{ ...Nowhere }', 'refused'],
  ['16 aliases', `{ ${Array.from({ length: 16 }, (_, at) => `a${at}: __typename`).join(' ')} }`, 'refused'],
  [
    '100 000 aliases',
    `{ ${Array.from({ length: 100_000 }, (_, at) => `a${at}: __typename`).join(' ')} }`,
    'refused',
  ],
  ['one field 100 000 times', `{ ${'__typename '.repeat(100_000)} }`, 'refused'],
  ['one field 150 times', `{ ${'book { hits { total } } '.repeat(150)} }`, 'everything'],
  ['one deep field 200 000 times', `{ ${'book { hits { total } } '.repeat(200_000)} }`, 'refused'],
  [
    'one deep field 30 000 times, each in a separate fragment',
    `{ ${'... { book { hits { total } } } '.repeat(30_000)} }`,
    'refused',
  ],
  [
    '150 fields of 120 fields each',
    `{ ${`book { ${Array.from({ length: 14 }, (_, at) => `... { hits(first: ${at % 2}) { total } }`).join(' ')} } `.repeat(14)} }`,
    'survives',
  ],
  [
    '10 000 unknown fields',
    `{ ${Array.from({ length: 10_000 }, (_, at) => `x${at}`).join(' ')} }`,
    'refused',
  ],
  ['10 000 directives', `{ __typename ${'@skip(if: false) '.repeat(10_000)} }`, 'refused'],
  [
    '10 000 variables',
    `query(${Array.from({ length: 10_000 }, (_, at) => `$v${at}: Int`).join(' ')}) { __typename }`,
    'refused',
  ],
  [
    '10 000 operations',
    Array.from({ length: 10_000 }, (_, at) => `query Q${at} { __typename }`).join(' '),
    'refused',
  ],
  ['a field __proto__', '{ __proto__ }', 'refused'],
  ['a field constructor', '{ constructor { prototype } }', 'refused'],
  ['an alias __proto__', '{ __proto__: book { hits { total } } }', 'survives'],
  ['an alias constructor', '{ constructor: book { toString: hits { hasOwnProperty: total } } }', 'survives'],
  [
    'aliases __proto__ of facets',
    '{ book { aggregations { __proto__: title { __proto__: buckets { __proto__: key } } } } }',
    'survives',
  ],
  ['first past 32 bits', '{ book { hits(first: 99999999999) { total } } }', 'refused'],
  ['first -1', '{ book { hits(first: -1) { total edges { node { id } } } } }', 'refused'],
  ['offset -1', '{ book { hits(offset: -1) { total edges { node { id } } } } }', 'refused'],
  [
    'an offset past the window',
    '{ book { hits(first: 1, offset: 2147483647) { edges { node { id } } } } }',
    'refused',
  ],
  ['first 2147483647', '{ book { hits(first: 2147483647) { total } } }', 'survives'],
  ['max -1', '{ book { aggregations { title { buckets(max: -1) { key } } } } }', 'survives'],
  [
    'an interval of 0',
    '{ book { aggregations { pages { histogram(interval: 0) { buckets { key } } } } } }',
    'survives',
  ],
  [
    'an interval below every double',
    '{ book { aggregations { pages { histogram(interval: 5e-324) { buckets { key } } } } } }',
    'refused',
  ],
  [
    'an interval of 1e-9',
    '{ book { aggregations { pages { histogram(interval: 0.000000001) { buckets { key } } } } } }',
    'refused',
  ],
  [
    'an interval past every double',
    '{ book { aggregations { pages { histogram(interval: 1e400) { buckets { key } } } } } }',
    'refused',
  ],
  [
    '5 000 ranges',
    `{ book { aggregations { pages { range(ranges: [${'{from: 1, to: 0} '.repeat(5_000)}]) { buckets { key } } } } } }`,
    'refused',
  ],
  [
    'top_hits of 2147483647',
    '{ book { aggregations { title { buckets { key top_hits(size: 2147483647) } } } } }',
    'survives',
  ],
  [
    'a sort by __proto__',
    '{ book { hits(sort: [{fieldName: "__proto__"}]) { edges { node { id } } } } }',
    'refused',
  ],
  [
    '10 000 sort keys',
    `{ book { hits(sort: [${'{fieldName: "title"} '.repeat(10_000)}]) { edges { node { id } } } } }`,
    'refused',
  ],
  [
    'a cursor that is not a list',
    '{ book { hits(searchAfter: {a: 1}) { edges { node { id } } } } }',
    'refused',
  ],
  [
    'a cursor of the wrong types',
    '{ book { hits(sort: [{fieldName: "pages"}], searchAfter: [{}, [], "x"]) { edges { node { id } } } } }',
    'refused',
  ],
  [
    'a cursor too long',
    `{ book { hits(sort: [{fieldName: "pages"}], searchAfter: [${'1 '.repeat(5_000)}]) { edges { node { id } } } } }`,
    'refused',
  ],
  [
    'a cursor of NUL',
    '{ book { hits(sort: [{fieldName: "title"}], searchAfter: ["\\u0000"]) { edges { node { id } } } } }',
    'survives',
  ],
  [
    'a cursor that nothing made, in the network',
    '{ network { hits(sort: [{fieldName: "title"}], searchAfter: ["x", 1, null]) { edges { node { id } } } } }',
    'refused',
  ],
  ['a network filter that is none', '{ network(filters: {op: "xor", content: []}) { total } }', 'refused'],
  [
    'a filter_by_term that is none',
    '{ book { aggregations { title { buckets { filter_by_term(filter: {op: "xor"}) } } } } }',
    'refused',
  ],
  [
    'nodes that are not there',
    '{ network(nodesFilter: ["__proto__", "../x"]) { total nodes { nodeId } } }',
    'survives',
  ],
  ['a node by an id of a megabyte', `{ node(id: "${'x'.repeat(1_000_000)}") { id } }`, 'survives'],
  ['a type that is not a type', '{ __type(name: "__proto__") { name } }', 'survives'],
  [
    'an introspection in a circle',
    `{ __schema { types { ${'fields { type { '.repeat(40)} name ${'} }'.repeat(40)} } } }`,
    'survives',
  ],
  ['a mutation by chance', 'mutation { drop }', 'refused'],
  ['a subscription', 'subscription { book { hits { total } } }', 'refused'],
  ['a type definition', 'type Root { x: Int }', 'refused'],
  ['a comment of a megabyte', `#${'x'.repeat(1_000_000)}\n{ __typename }`, 'survives'],
  ['a name of a megabyte', `{ ${'x'.repeat(1_000_000)} }`, 'refused'],
  ['a number of a megabyte', `{ book { hits(first: ${'9'.repeat(1_000_000)}) { total } } }`, 'refused'],
  ['NUL', '{ \u0000 }', 'refused'],
  ['a byte order mark', '\ufeff{ __typename }', 'survives'],
  ['a block string that does not end', '{ book(x: """', 'refused'],
  ['an escape that is none', '{ node(id: "\\u{110000}") { id } }', 'refused'],
];

/** Variables that do not fit. */
const withVariables: readonly NastyCase[] = [
  [
    'variables: __proto__',
    postedText('{"query":"{ book { hits { total } } }","variables":{"__proto__":{"filters":1}}}'),
    'everything',
  ],
  [
    'variables: a text for a number',
    posted('query($n: Int) { book { hits(first: $n) { total } } }', { n: 'ten' }),
    'refused',
  ],
  [
    'variables: 1e400',
    postedText('{"query":"query($n: Int) { book { hits(first: $n) { total } } }","variables":{"n":1e400}}'),
    'refused',
  ],
  ['variables: a list', posted('{ __typename }', []), 'refused'],
  ['variables: broken text', posted('{ __typename }', '{"a":'), 'refused'],
  [
    'variables: a sort 10 000 deep',
    postedText(
      `{"query":"query($s: [Sort]) { book { hits(sort: $s) { total } } }","variables":{"s":${'['.repeat(10_000)}${']'.repeat(10_000)}}}`,
    ),
    'refused',
  ],
  [
    'operationName: __proto__',
    postedText('{"query":"query A { __typename }","operationName":"__proto__"}'),
    'refused',
  ],
  [
    'operationName: a list',
    postedText('{"query":"query A { __typename }","operationName":["A"]}'),
    'refused',
  ],
  ['query: a list', postedText('{"query":["{ __typename }"]}'), 'refused'],
  ['query: a number', postedText('{"query":1}'), 'refused'],
];

export const nastyDocuments: readonly NastyCase[] = [
  ...documents.map(([name, query, outcome]): NastyCase => [`document: ${name}`, posted(query), outcome]),
  ...withVariables,
];
