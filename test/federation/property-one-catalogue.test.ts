import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { graphql, type GraphQLSchema } from 'graphql';
import { catalogueFiles } from '../../src/local/download/catalogue-files.ts';
import { openDownload, type DownloadSource } from '../../src/local/download/open-download.ts';
import { openSpoolStorage } from '../../src/local/download/spool.ts';
import { buildCatalogueSchema } from '../../src/local/schema/schema.ts';
import fc from '../fast-check.ts';
import { contextOf } from './node-fixtures.ts';
import { filters, simpleFilters } from './random-filter.ts';
import { allItems, catalogueOf, nodeKinds, openKinds, plain, shares } from './split-collection.ts';
import type { Item, NodeKind, Share } from './split-collection.ts';

// a network is a catalogue: the records of one, spread over nodes of every kind, answer as they do in one catalogue

/** Questions in all; ONE_CATALOGUE_CASES=10000 for the full measure. */
const cases = Number(process.env['ONE_CATALOGUE_CASES'] ?? 90);
const questionsEach = 6;

/** One endpoint of a catalogue, or of a network as one. */
interface Endpoint {
  readonly schema: GraphQLSchema;
  readonly files: DownloadSource;
}

interface Answer {
  readonly total: number;
  readonly rows: readonly unknown[];
  readonly aggregations: Readonly<Record<string, Facet>>;
}

interface Facet {
  readonly buckets?: readonly { readonly key: string; readonly doc_count: number }[];
}

const facets = `name { ...values } tags { ...values } open { ...values } parts__kind { ...values }
  size { ...numbers } weight { ...numbers } parts__count { ...numbers }
  planted { stats { count min max } }`;
const fragments = `fragment values on Aggregations { bucket_count buckets { key key_as_string doc_count } }
fragment numbers on NumericAggregations {
  stats { count min max sum avg }
  histogram(interval: 7) { buckets { key doc_count } }
  range(ranges: [{ to: 0 }, { from: 0, key: "high" }]) { buckets { key doc_count } }
}`;
const row = `id name tags size weight planted open
  parts { hits { total edges { node { kind count } } } }`;
const variables = '$filters: JSON, $sort: [Sort], $first: Int, $offset: Int, $missing: Boolean';

const query = `query(${variables}) { item {
  hits(filters: $filters, sort: $sort, first: $first, offset: $offset) { total edges { node { ${row} } } }
  aggregations(filters: $filters, include_missing: $missing) { ${facets} }
} } ${fragments}`;

const ask = async (
  { schema }: Endpoint,
  source: string,
  variableValues: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> => {
  const { data, errors } = await graphql({ schema, source, variableValues, contextValue: contextOf() });
  if (errors) throw errors[0]!;
  return JSON.parse(JSON.stringify(data)) as Record<string, unknown>;
};

const answerOf = async (endpoint: Endpoint, question: Readonly<Record<string, unknown>>): Promise<Answer> => {
  const { item } = (await ask(endpoint, query, question)) as {
    item: Pick<Answer, 'aggregations'> & { hits: { total: number; edges: readonly { node: unknown }[] } };
  };
  const { hits, aggregations } = item;
  return { total: hits.total, rows: hits.edges.map(({ node }) => node), aggregations };
};

const spools = openSpoolStorage('none', 1_000_000);

const fileOf = async ({ files }: Endpoint, file: Readonly<Record<string, unknown>>) => {
  const { content, total, outcome } = await openDownload({ files: [file] }, files, contextOf(), { spools });
  return { text: await text(content), total, ...outcome() };
};

/** Sorted by what only one record has at the end, so that no two rows tie. */
const sorts = fc
  .subarray(['name', 'weight', 'size', 'open'], { maxLength: 2 })
  .chain((names) =>
    fc.tuple(...names.map((fieldName) => fc.record({ fieldName: fc.constant(fieldName), order }))),
  )
  .map((keys) => [...keys, { fieldName: 'id', order: 'asc' }]);
const order = fc.constantFrom('asc', 'desc');

const columns = ['id', 'name', 'tags', 'size', 'weight', 'planted', 'open', 'parts.kind', 'parts.count'];

const question = (filter: typeof filters) =>
  fc.record({
    filters: filter,
    narrower: filter,
    sort: sorts,
    first: fc.integer({ min: 0, max: 40 }),
    offset: fc.nat(6),
    missing: fc.boolean(),
    columns: fc.subarray(columns, { minLength: 1 }),
    fileType: fc.constantFrom('tsv', 'csv', 'json'),
    uniqueBy: fc.constantFrom(null, null, 'parts'),
  });

type Question = typeof question extends (filter: never) => fc.Arbitrary<infer One> ? One : never;

/** An established server shows one value of a list that it does not declare. */
const withoutLists = (one: Item): Item => ({
  ...one,
  tags: one.tags.slice(0, 1),
  size: one.size.slice(0, 1),
});

const nodeOf = (share: Share, kind: NodeKind) => {
  const items = kind === 'established' ? share.items.map(withoutLists) : share.items;
  // over the wire lists with excepted values are searched less exactly
  const style = kind === 'local' ? share.style : { ...share.style, translated: 0 };
  return { share: { style, items, omitsNulls: true as const }, kind };
};

/** Of established nodes only what these answer as others do. */
const consortia = fc
  .tuple(shares, fc.infiniteStream(fc.constantFrom(...nodeKinds)))
  .map(([split, kinds]) => split.map((share) => nodeOf(share, kinds.next().value as NodeKind)))
  .chain((nodes) => {
    const hasEstablished = nodes.some(({ kind }) => kind === 'established');
    const asked = question(hasEstablished ? simpleFilters : filters);
    const questions = fc.array(asked, { minLength: questionsEach, maxLength: questionsEach });
    return questions.map((all) => ({ nodes, questions: all }));
  });

type Nodes = readonly { readonly share: Share; readonly kind: NodeKind }[];

const onBoth = async (
  nodes: Nodes,
  work: (network: Endpoint, catalogue: Endpoint) => Promise<void>,
): Promise<void> => {
  const items = allItems(nodes.map(({ share }) => share));
  const catalogue = await catalogueOf({ style: plain, items, omitsNulls: true });
  const network = await openKinds(nodes);
  try {
    await work(
      { schema: network.schema(), files: network.files(contextOf(), 7) },
      { schema: buildCatalogueSchema(catalogue), files: catalogueFiles(catalogue, contextOf(), 5) },
    );
  } finally {
    await network.close();
  }
};

/** Fails unless a narrower question has no higher total, and no bucket with more. */
const assertNoMore = (narrow: Answer, wide: Answer): void => {
  assert.ok(narrow.total <= wide.total, `a total of ${narrow.total} of ${wide.total}`);
  for (const [name, { buckets = [] }] of Object.entries(narrow.aggregations)) {
    const counts = new Map(wide.aggregations[name]!.buckets?.map((one) => [one.key, one.doc_count]));
    for (const { key, doc_count: count } of buckets)
      assert.ok(count <= (counts.get(key) ?? 0), `${name} ${key}: ${count} of ${counts.get(key)}`);
  }
};

const compareOne = async (network: Endpoint, catalogue: Endpoint, asked: Question): Promise<void> => {
  const { narrower, columns: listed, fileType, uniqueBy, ...page } = asked;
  const seen = await answerOf(network, page);
  assert.deepEqual(seen, await answerOf(catalogue, page));
  if (narrower !== null && page.filters !== null) {
    const both = { op: 'and', content: [page.filters, narrower] };
    // a facet drops the conditions on its own field, so that only fields without any are compared
    const narrow = await answerOf(network, { ...page, filters: both });
    assert.ok(narrow.total <= seen.total, `a total of ${narrow.total} of ${seen.total}`);
    const themselves = (filter: unknown) => answerThemselves(network, filter);
    assertNoMore(await themselves(both), await themselves(page.filters));
  }
  const file = {
    ...{ fileName: 'rows', sort: page.sort, fileType, uniqueBy },
    columns: listed.map((fieldName) => ({ fieldName, displayName: fieldName })),
    ...(page.filters !== null && { sqon: page.filters }),
  };
  assert.deepEqual(await fileOf(network, file), await fileOf(catalogue, file));
};

const themselvesQuery = `query($filters: JSON) { item {
  hits(filters: $filters, first: 0) { total edges { node { id } } }
  aggregations(filters: $filters, aggregations_filter_themselves: true) {
    name { buckets { key doc_count } } open { buckets { key doc_count } }
  }
} }`;

const answerThemselves = async (endpoint: Endpoint, filter: unknown): Promise<Answer> => {
  const { item } = (await ask(endpoint, themselvesQuery, { filters: filter })) as {
    item: { hits: { total: number }; aggregations: Answer['aggregations'] };
  };
  return { total: item.hits.total, rows: [], aggregations: item.aggregations };
};

test('a catalogue, and its records over nodes of every kind, answer alike', (t) => {
  t.timeout(600_000 + cases * 2_000);
  return t.notThrowsAsync(
    fc.assert(
      fc.asyncProperty(consortia, ({ nodes, questions }) =>
        onBoth(nodes, async (network, catalogue) => {
          for (const asked of questions) await compareOne(network, catalogue, asked);
        }),
      ),
      { numRuns: Math.ceil(cases / questionsEach), includeErrorInReport: true },
    ),
  );
});

/** Selections of one network field, each with the value that belongs to it. */
const parts = [
  'total',
  'hits(first: 3, sort: [{ fieldName: "id" }]) { total edges { nodeId node { id name } } }',
  'aggregations { name { bucket_count buckets { key doc_count } } }',
  'aggregations { name { buckets(max: 1) { key doc_count } } size { stats { count max } } }',
  'aggregations { ...some }',
  'nodes { nodeId hits }',
];
const some = 'fragment some on NodeAggregations { tags { buckets(max: 2) { key doc_count } } }';

test('each alias and fragment is answered as when it is asked alone', (t) =>
  t.notThrowsAsync(
    fc.assert(
      fc.asyncProperty(
        shares,
        fc.array(filters, { minLength: 1, maxLength: 3 }),
        fc.subarray(parts, { minLength: 2 }),
        (split, asked, chosen) =>
          onBoth(
            split.map((share) => ({ share, kind: 'local' })),
            async (network) => {
              const declared = `(${asked.map((_, at) => `$f${at}: JSON`).join(', ')})`;
              const values = Object.fromEntries(asked.map((filter, at) => [`f${at}`, filter]));
              const spread = (text: string): string => (text.includes('...some') ? some : '');
              const fields = asked.map((_, at) => {
                // one field has one page, and its aliases are merged where they select the same
                const selected = chosen.map((part, place) => `p${place}: ${part}`).join(' ');
                return `n${at}: network(filters: $f${at}) { ${selected} }`;
              });
              const together = `query${declared} { ${fields.join(' ')} }`;
              const whole = await ask(network, together + spread(together), values);
              for (const [at, filter] of asked.entries())
                for (const [place, part] of chosen.entries()) {
                  const source = `query($filters: JSON) { network(filters: $filters) { one: ${part} } }`;
                  const alone = await ask(network, source + spread(source), { filters: filter });
                  const found = (whole[`n${at}`] as Record<string, unknown>)[`p${place}`];
                  assert.deepEqual(found, (alone['network'] as { one: unknown }).one, part);
                }
            },
          ),
      ),
      { numRuns: Math.ceil(cases / 12), includeErrorInReport: true },
    ),
  ));
