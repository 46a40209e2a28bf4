import test from 'ava';
import type { ExecutionContext } from 'ava';
import { openGallery, openPortal, serveGallery } from '../download/galleries.ts';

const properties = {
  id: { type: 'keyword' },
  title: { type: 'text', fields: { raw: { type: 'keyword' } } },
  artist: { type: 'keyword' },
  made: { type: 'date' },
  price: { type: 'double' },
  lots: { type: 'short' },
  sold: { type: 'boolean' },
  tags: { type: 'keyword' },
  place: { properties: { city: { type: 'keyword' }, 'grid-ref': { type: 'keyword' } } },
  extra: { type: 'object', enabled: false },
  owners: {
    type: 'nested',
    properties: {
      name: { type: 'keyword' },
      since: { type: 'integer' },
      visits: { type: 'nested', properties: { day: { type: 'date' }, guests: { type: 'long' } } },
    },
  },
};
const documents = [
  {
    id: 'a',
    title: 'Night',
    artist: 'Ida',
    made: '1901-02-03',
    price: 12.5,
    lots: 3,
    sold: true,
    tags: ['oil', 'night'],
    place: { city: 'Riga', 'grid-ref': 'B2' },
    extra: { any: [1, { x: null }] },
    owners: [
      { name: 'Ann', since: 1990, visits: [{ day: '2001-01-01', guests: 4 }, { day: '2001-05-01' }] },
      { name: 'Bo' },
      {},
    ],
  },
  {
    id: 'b',
    title: 'Day',
    artist: 'Ida',
    made: '1950-06-01',
    price: -3,
    lots: 1,
    sold: false,
    tags: [],
    owners: { name: 'Ann', since: 2001 },
  },
  { id: 'c', title: 'Dusk', artist: 'Uma', price: 7, tags: ['oil'], place: { city: 'Oslo' }, owners: [] },
  { id: 'd/e %', title: 'Noon', made: '1950-07-01', sold: true, owners: null },
];

const config = {
  maxDepth: 12,
  extended: [
    { fieldName: 'tags', isArray: true },
    { fieldName: 'id', primaryKey: true },
  ],
  table: { columns: null, defaultSorting: [], maxResultsWindow: 1_000, rowIdFieldName: 'id' },
};

/** A catalogue by itself, here and elsewhere, as the only node of a network. */
const openOne = async (t: ExecutionContext, isRemote: boolean) => {
  const gallery = await openGallery(t, { documentType: 'work', properties, documents, config });
  const url = await serveGallery(t, gallery);
  const node = isRemote
    ? { graphqlUrl: `${url}/graphql`, documentType: 'work', discoveryTimeoutMs: 120_000, timeoutMs: 120_000 }
    : { catalogue: 'work' };
  const nodes = {
    network: { maxDepth: 12, extended: config.extended },
    nodes: [{ nodeId: 'work', ...node }],
  };
  const portal = await openPortal(t, { local: gallery, nodes });
  const send = async (address: string, query: string, variables: unknown): Promise<string> => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(address, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables }),
    });
    return response.text();
  };
  return {
    alone: (query: string, variables: unknown) => send(`${url}/graphql`, query, variables),
    network: (query: string, variables: unknown) => send(`${portal.url}/network/graphql`, query, variables),
  };
};

const inOslo = { op: 'in', content: { fieldName: 'place.city', value: ['Oslo'] } };
const ofAnn = {
  op: 'and',
  pivot: 'owners',
  content: [
    { op: 'in', content: { fieldName: 'owners.name', value: ['Ann'] } },
    { op: '>', content: { fieldName: 'owners.since', value: 1995 } },
  ],
};
const byId = 'sort: [{ fieldName: "id" }]';

const questions: Readonly<Record<string, readonly [query: string, variables?: object]>> = {
  'values of every kind': [
    `{ work { hits(${byId}) { total partial edges { nodeId node {
      id score title artist made price lots sold tags place { city grid_ref } extra } } } } }`,
  ],
  'nested objects, and those in them': [
    `{ work { hits(${byId}) { edges { node { id owners { hits { total edges { node { name since } } } } } } } } }`,
  ],
  'nested objects that are only counted': [
    `{ work { hits(${byId}) { edges { node { id owners { hits { total } } } } } } }`,
  ],
  'a document as it is stored, in parts': [
    `{ work { hits(${byId}) { edges { node { _source(paths: ["owners.name", "place", "tags"]) } } } } }`,
  ],
  'sorted, some of it': [
    `{ work { hits(first: 2, offset: 1, sort: [{ fieldName: "price", order: desc }, { fieldName: "made" }]) { total edges { node { id price } } } } }`,
  ],
  'without a total': ['{ work { hits(trackTotalHits: false) { total edges { nodeId } } } }'],
  filtered: ['query($f: JSON) { work { hits(filters: $f) { total edges { node { id } } } } }', { f: inOslo }],
  'filtered within one nested object': [
    'query($f: JSON) { work { hits(filters: $f) { total edges { node { id } } } } }',
    { f: ofAnn },
  ],
  'lists of values, and how sure they are': [
    `{ work { aggregations {
      artist { bucket_count bucket_count_exact unlisted_upper_bound cardinality cardinality_bounds { lower upper exact }
        buckets { key key_as_string doc_count lower_bound upper_bound exact nodes { nodeId doc_count } }
        coverage { nodeId state docs } }
      tags { bucket_count buckets(max: 1) { key doc_count } }
      sold { buckets { key key_as_string doc_count } }
      owners__name { buckets { key doc_count } }
      place__city { buckets(matching: "os") { key doc_count } } } } }`,
  ],
  'facets without missing values, of a filter that does not narrow its own': [
    `query($f: JSON) { work { aggregations(filters: $f, include_missing: false) {
      place__city { buckets { key doc_count } } artist { bucket_count buckets { key doc_count } } } } }`,
    { f: inOslo },
  ],
  'facets that filter themselves': [
    `query($f: JSON) { work { aggregations(filters: $f, aggregations_filter_themselves: true) {
      place__city { __typename buckets { __typename key doc_count } } } } }`,
    { f: inOslo },
  ],
  'measures of numbers and dates': [
    `{ work { aggregations {
      price { __typename stats { count min max sum avg } histogram(interval: 5) { bucket_count buckets { key doc_count nodes { nodeId doc_count } } }
        range(ranges: [{ to: 0, key: "low" }, { from: 0 }]) { buckets { key doc_count } } percentiles(percents: [0, 50]) { percent value lower upper }
        log_counts }
      made { stats { count min max } date_histogram(interval: "year") { buckets { key key_as_string doc_count } } }
      owners__since { stats { count sum } } } } }`,
  ],
  'how many distinct numbers, dates and truths': [
    `{ work { aggregations { price { cardinality } lots { cardinality cardinality_bounds { lower upper exact } } made { cardinality precise: cardinality(precision_threshold: 10) }
      sold { cardinality } tags { cardinality } owners__since { cardinality } owners__visits__guests { cardinality } place__city { cardinality } } } }`,
  ],
  'documents of buckets': [
    `{ work { aggregations { artist { buckets { key top_hits(_source: ["title", "place.city"], size: 1) all: top_hits } }
      owners__name { buckets { key top_hits(_source: ["owners.since"]) } } } } }`,
  ],
  'documents of buckets that match': [
    `query($f: JSON) { work { aggregations { artist { buckets { key filter_by_term(filter: $f)
      cheap: filter_by_term(filter: { op: "<", content: { fieldName: "price", value: 8 } }) } } } } }`,
    { f: { op: 'in', content: { fieldName: 'tags', value: ['oil'] } } },
  ],
  words: [
    'query($f: JSON) { work { hits(filters: $f) { total } } }',
    { f: { op: 'search', content: { fieldNames: ['title', 'artist'], value: 'ida ni' } } },
  ],
  'a field that is not there': [
    'query($f: JSON) { work { hits(filters: $f) { total } } }',
    { f: { op: 'in', content: { fieldName: 'artst', value: ['Ida'] } } },
  ],
  'the root': [
    '{ node(id: "a") { id } query { total } viewer { work { hits { total } } } hasValidConfig(documentType: "work", index: "work") }',
  ],
};

for (const isRemote of [false, true])
  for (const [name, [query, variables = {}]] of Object.entries(questions))
    test(`a network of one ${isRemote ? 'remote' : 'local'} node answers as that node: ${name}`, async (t) => {
      const { alone, network } = await openOne(t, isRemote);
      const [expected, actual] = [await alone(query, variables), await network(query, variables)];
      t.deepEqual(JSON.parse(actual), JSON.parse(expected));
      // a stored document has its keys in its own order
      if (!/_source|top_hits/.test(query)) t.is(actual, expected);
    });

test('what a catalogue refuses, a network refuses with an equal message', async (t) => {
  const { alone, network } = await openOne(t, false);
  const sort = (fieldName: string, more = '') =>
    `{ work { hits(sort: [{ fieldName: "${fieldName}"${more} }]) { total edges { nodeId } } } }`;
  for (const query of [
    sort('title'),
    sort('artst'),
    sort('artist', ', mode: avg'),
    '{ work { hits(first: -1) { total edges { nodeId } } } }',
    '{ work { hits(offset: 9999, first: 10) { edges { nodeId } } } }',
    '{ work { hits(filters: { op: "near", content: [] }) { total } } }',
    '{ work { hits(filters: { op: "and", pivot: "place", content: [{ op: "in", content: { fieldName: "place.city", value: ["x"] } }] }) { total } } }',
    '{ work { aggregations { artist { buckets(max: 0) { key } } } } }',
    '{ work { aggregations { price { histogram(interval: 0) { buckets { key } } } } } }',
    '{ work { aggregations { title { buckets { key } } } } }',
    '{ work { hits(searchAfter: {a: 1}) { edges { nodeId } } } }',
  ]) {
    const [expected, actual] = [await alone(query, {}), await network(query, {})].map((text) => {
      const { data, errors } = JSON.parse(text) as {
        data: unknown;
        errors?: readonly { message: string; path: unknown; extensions: { code: string } }[];
      };
      return {
        data,
        errors: errors?.map(({ message, path, extensions: { code } }) => ({ message, path, code })),
      };
    });
    t.truthy(expected!.errors, query);
    t.deepEqual(actual, expected, query);
  }
});

test('a page goes on where the one before it ended, with the sort values first in its cursor', async (t) => {
  const { alone, network } = await openOne(t, false);
  const query =
    'query($after: JSON) { work { hits(first: 1, sort: [{ fieldName: "price" }], searchAfter: $after) { edges { searchAfter node { id } } } } }';
  type Page = { data: { work: { hits: { edges: { searchAfter: unknown[]; node: { id: string } }[] } } } };
  const pages = async (send: typeof alone) => {
    const seen: unknown[] = [];
    let after: unknown = null;
    for (;;) {
      const [edge] = (JSON.parse(await send(query, { after })) as Page).data.work.hits.edges;
      if (!edge) return seen;
      seen.push([edge.node.id, ...edge.searchAfter.slice(0, -1)]);
      after = edge.searchAfter;
    }
  };
  t.deepEqual(await pages(network), await pages(alone));
  t.is((await pages(network)).length, documents.length);
});

test('a network keeps no saved sets, has no mapping, and a key for every document', async (t) => {
  const { network } = await openOne(t, false);
  const mapping = JSON.parse(
    await network('{ work { mapping configs { table { rowIdFieldName } } } }', {}),
  ) as unknown;
  t.deepEqual(mapping, { data: { work: { mapping: null, configs: { table: { rowIdFieldName: '_key' } } } } });
  for (const query of [
    '{ sets { hits { total } } }',
    'mutation { saveSet(type: work, sqon: {}, path: "id") { setId } }',
  ])
    t.like(JSON.parse(await network(query, {})), {
      errors: [
        {
          message: 'a network keeps no saved sets: save them at the catalogues of its nodes',
          extensions: { code: 'BAD_USER_INPUT' },
        },
      ],
    });
  const key = 'work/d%2Fe%20%25';
  const found = await network(
    'query($f: JSON) { work { hits(filters: $f) { total edges { _key node { id _key } } } } }',
    {
      f: { op: 'in', content: { fieldName: '_key', value: [key, 'work/%zz', 'other/a', 'a'] } },
    },
  );
  t.deepEqual(JSON.parse(found), {
    data: { work: { hits: { total: 1, edges: [{ _key: key, node: { id: 'd/e %', _key: key } }] } } },
  });
});
