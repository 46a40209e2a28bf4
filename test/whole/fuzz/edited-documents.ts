import fc from '../../fast-check.ts';
import { damaged, junk } from './damaged-json.ts';
import { literalOf, posted } from './graphql-over-http.ts';
import type { HttpRequest } from './http-exchange.ts';

/** Documents that use everything there is, to be taken apart. */
const documents = [
  `query Q($f: JSON, $n: Int = 3, $s: [Sort]) { book { hits(filters: $f, first: $n, offset: 1, sort: $s,
    trackTotalHits: false) { total edges { searchAfter node { id score title pages copies { hits { total edges { node {
    shelf worn } } } } } } } } }`,
  `{ book { aggregations(filters: {op: "in", content: {fieldName: "title", value: ["a"]}}, include_missing: true,
    aggregations_filter_themselves: false) { title { bucket_count buckets(max: 2) { key doc_count key_as_string
    top_hits(_source: ["title"], size: 1) filter_by_term(filter: {op: "and", content: []}) } } } } }`,
  `{ book { aggregations { pages { stats { min max avg sum count } histogram(interval: 2) { buckets { key doc_count } }
    range(ranges: [{from: 1, to: 3, key: "k"}]) { buckets { key doc_count } } } copies__worn { stats { count } }
    copies__loans__reader { cardinality(precision_threshold: 10) } } } }`,
  `query($f: JSON) { network(filters: $f, nodesFilter: ["here"], include_missing: false) { total partial nodes { nodeId
    status state hits } hits(first: 2, sort: [{fieldName: "title", order: desc, missing: first}]) { total edges { nodeId
    searchAfter node { id title } } } aggregations { title { bucket_count buckets(max: 3) { key doc_count exact
    upper_bound } } } } }`,
  `fragment E on bookEdge { node { ...N } } fragment N on bookNode { id title } query A { book { hits { edges { ...E } } } }
    query B @skip(if: false) { a: book { b: hits(searchAfter: ["a"], sort: [{fieldName: "title"}]) { c: total } } }`,
  `{ book { configs { extended(fieldNames: ["title"]) table { columns { fieldName } } facets { aggregations { fieldName } } }
    mapping } hasValidConfig(documentType: "book", index: "x") node(id: "a") { id } viewer { __typename } }`,
  `mutation($q: JSON!) { saveSet(type: book, sqon: $q, path: "title", sort: [], userId: "u", refresh: TRUE) { setId size ids } }`,
  '{ __schema { types { name fields { name args { name } } } } __type(name: "book") { name } }',
];

const token = /"(?:[^"\\]|\\.)*"|\.\.\.|[_A-Za-z]\w*|-?[\d.]+|[^\s\w]/g;
const tokensOf = (document: string): string[] => document.match(token) ?? [];
const allTokens = [...new Set(documents.flatMap(tokensOf))];

const otherToken = fc.oneof(
  fc.constantFrom(...allTokens),
  fc.constantFrom(
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    ':',
    '$',
    '@',
    '!',
    '...',
    '"',
    '"""',
    '\\',
    '\u0000',
    '#',
    '&',
  ),
  fc.constantFrom(
    '-1',
    '0',
    '1e400',
    '-0',
    '2147483648',
    '9'.repeat(400),
    'null',
    'true',
    '__proto__',
    '""',
    '"\\ud800"',
  ),
  junk.map((value) => literalOf(value)),
  fc.string({ unit: 'binary', maxLength: 5 }),
);

interface Edit {
  readonly at: number;
  readonly kind: 'replace' | 'remove' | 'insert' | 'repeat';
  readonly token: string;
}
const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.nat(300),
  kind: fc.constantFrom('replace', 'replace', 'remove', 'insert', 'repeat'),
  token: otherToken,
});

const edited = (tokens: readonly string[], { at, kind, token: other }: Edit): string[] => {
  const index = at % (tokens.length + 1);
  const replacement = {
    replace: [other],
    remove: [],
    insert: [other, tokens[index] ?? ''],
    repeat: Array(3).fill(tokens[index] ?? ''),
  }[kind];
  return tokens.toSpliced(index, 1, ...(replacement as string[]));
};

const variables = damaged(
  fc.record({
    f: fc.constantFrom<unknown>(null, { op: 'in', content: { fieldName: 'title', value: ['a'] } }),
    n: fc.integer(),
    s: fc.constantFrom<unknown>(null, [{ fieldName: 'pages', order: 'asc' }]),
    q: fc.constantFrom<unknown>({ op: 'in', content: { fieldName: 'copies.shelf', value: ['a'] } }),
  }),
  2,
);

const query = fc
  .tuple(fc.constantFrom(...documents), fc.array(edit, { maxLength: 3 }))
  .map(([document, edits]) => edits.reduce(edited, tokensOf(document)).join(' '));

/** Requests with such documents, some of their tokens changed. */
export const editedDocuments: fc.Arbitrary<HttpRequest> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(query, variables).map(([text, values]) => posted(text, values)) },
  { weight: 1, arbitrary: query.map((text) => posted(text, undefined, '/network/graphql')) },
  {
    weight: 1,
    arbitrary: fc.tuple(query, junk).map(([text, values]): HttpRequest => ({
      path: `/graphql?${new URLSearchParams({ query: text, variables: JSON.stringify(values) }).toString()}`,
    })),
  },
  {
    weight: 1,
    arbitrary: damaged(query.map((text) => ({ query: text, variables: {}, operationName: 'A' }))).map(
      (body): HttpRequest => ({
        path: '/graphql',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body) ?? '',
      }),
    ),
  },
);
