import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { graphql } from 'graphql';
import { openEngine } from '../../../src/engines/open/open-engine.ts';
import { guardedSearch } from '../../../src/capabilities/disclosure/guard/guarded-search.ts';
import type { Hierarchy } from '../../../src/introspection/hierarchies/hierarchy.ts';
import type { Catalogue } from '../../../src/search/catalogue.ts';
import { buildCatalogueSchema } from '../../../src/local/schema/schema.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import { lowerOf, upperOf, type Count } from '../../../src/search/count.ts';
import { countOnly } from '../../../src/search/query.ts';
import { parseSqon } from '../../../src/sqon/parse.ts';
import { cohort, drafted } from './cohort.ts';
import { contextFor } from '../../search/request-context.ts';
import { seeded, type Random } from '../../engines/random-documents.ts';
import { serveEstablishedServer } from '../../federation/established/established-server.ts';
import { contextOf } from '../../federation/node-fixtures.ts';
import { serveSchema } from '../../federation/remote-server.ts';
import { runs } from '../../fast-check.ts';
import { contextWith } from '../../local/catalogue-fixture.ts';
import type { Graph, Item } from '../../introspection/hierarchies/random-branches.ts';
import {
  hierarchyOf,
  isUnder,
  itemProperties,
  levelCounts,
  randomGraph,
  randomItems,
  randomQuestion,
} from '../../introspection/hierarchies/random-branches.ts';
import { openCase, testCatalogue, type CatalogueSetup, testNetwork, type TestNode } from '../../builders.ts';

// filters on branches and levels of trees, compared with set algebra over the graph in plain JavaScript

const dataPath = await mkdtemp(join(tmpdir(), 'tributary-'));
const engine = await openEngine({ kind: 'embedded', dataPath });

test.after.always(async () => {
  await engine.close();
  await rm(dataPath, { recursive: true });
});

/** Collections in all, each with several questions; BRANCH_CASES for the full measure. */
const cases = Number(process.env['BRANCH_CASES'] ?? runs(60));
const questionsToEach = 4;

const catalogueOf = (
  items: readonly Item[],
  hierarchy: Hierarchy | null,
  more: Partial<CatalogueSetup> = {},
): Promise<Catalogue> =>
  testCatalogue({
    ...{ documentType: 'item', properties: itemProperties, documents: items },
    ...(hierarchy && { fieldHierarchies: hierarchiesOf(hierarchy) }),
    ...more,
  });

const hierarchiesOf = (hierarchy: Hierarchy) =>
  new Map(['codes', 'parts.code'].map((path) => [path, hierarchy]));

const level = `{ key doc_count upper_bound exact buckets { key doc_count upper_bound exact own_count has_children } other { doc_count upper_bound exact } }`;
const query = `query ($filters: JSON, $under: ID, $max: Int) { item {
  hits(filters: $filters) { total }
  aggregations(filters: $filters, aggregations_filter_themselves: true) { codes { tree(under: $under, max: $max) ${level} } }
  alone: aggregations { codes { tree(under: $under, max: $max) ${level} } parts__code { tree(under: $under, max: $max) ${level} } } } }`;

interface Counted {
  readonly doc_count: number;
}

/** Counts that are exact, with their bounds. */
const exactly = <Count extends Counted>(one: Count) => ({
  ...one,
  upper_bound: one.doc_count,
  exact: true,
});

const shown = ({ buckets, other, ...rest }: ReturnType<typeof levelCounts>) => ({
  ...exactly(rest),
  buckets: buckets.map(exactly),
  other: exactly(other),
});

const questionOf = (random: Random, graph: Graph) => ({
  ...randomQuestion(random, graph),
  under: random.chance(0.5) ? null : random.pick([...graph.keys()]),
  max: random.pick([1, 2, 50]),
});

test('branches and trees of a catalogue are what set algebra finds', async (t) => {
  for (let seed = 0; seed < cases; seed++) {
    const random = seeded(seed);
    const graph = randomGraph(random);
    const items = randomItems(random, graph);
    const catalogue = await catalogueOf(items, hierarchyOf(graph), { engine, index: `items-${seed}` });
    const schema = buildCatalogueSchema(catalogue);
    for (let n = 0; n < questionsToEach; n++) {
      const { sqon: filters, finds, under, max } = questionOf(random, graph);
      const contextValue = contextWith();
      const variableValues = { filters, under, max };
      const answer = await graphql({ schema, source: query, variableValues, contextValue });
      const found = items.filter(finds);
      t.deepEqual(
        JSON.parse(JSON.stringify(answer)),
        {
          data: {
            item: {
              hits: { total: found.length },
              aggregations: { codes: { tree: shown(levelCounts(graph, found, 'codes', under, max)) } },
              alone: {
                codes: { tree: shown(levelCounts(graph, items, 'codes', under, max)) },
                parts__code: { tree: shown(levelCounts(graph, items, 'parts.code', under, max)) },
              },
            },
          },
        },
        `seed ${seed}, question ${n}: ${JSON.stringify({ filters, under, max, graph: [...graph], items })}`,
      );
    }
    await engine.manage({ kind: 'delete', index: `items-${seed}` });
  }
});

test('percentiles, histograms and distinct values under a branch are those of its codes', async (t) => {
  const graph: Graph = new Map([
    ['T0', []],
    ['T1', ['T0']],
    ['T2', ['T0']],
    ['T3', ['T1', 'T2']],
  ]);
  const properties = {
    code: { type: 'keyword' },
    size: { type: 'integer' },
    day: { type: 'date' },
    name: { type: 'keyword' },
  };
  const documents = Array.from({ length: 400 }, (_, at) => ({
    code: [`T${at % 5}`],
    size: at * at,
    day: new Date(Date.UTC(2020, at % 12, 3)).toISOString().slice(0, 10),
    name: `name ${at % 90}`,
  }));
  const fieldHierarchies = new Map([['code', hierarchyOf(graph)]]);
  const schema = buildCatalogueSchema(
    await testCatalogue({
      documentType: 'item',
      properties,
      documents,
      engine,
      index: 'measured',
      fieldHierarchies,
    }),
  );
  const source = `query ($filters: JSON) { item { hits(filters: $filters) { total } aggregations(filters: $filters) {
    size { stats { count min max sum } percentiles(percents: [0, 25, 50, 100]) { percent value lower upper } histogram(interval: 10000) { buckets { key doc_count } } }
    day { date_histogram(interval: "month") { buckets { key doc_count } } }
    name { cardinality } } } }`;
  const answer = async (op: string, value: readonly string[]): Promise<unknown> => {
    const variableValues = { filters: { op, content: { fieldName: 'code', value } } };
    return JSON.parse(
      JSON.stringify(await graphql({ schema, source, variableValues, contextValue: contextWith() })),
    );
  };
  const branch = (await answer('under', ['T1'])) as { data?: { item: { hits: { total: number } } } };
  t.is(branch.data?.item.hits.total, 160, JSON.stringify(branch));
  t.deepEqual(branch, await answer('in', ['T1', 'T3']));
  t.notDeepEqual(branch, await answer('in', ['T1']));
});

/** The records as another node has them: its codes of the terms begin with `x`. */
const inOwnCodes = (items: readonly Item[]): readonly Item[] => {
  const own = (code: string): string => (code.startsWith('T') ? `x${code}` : code);
  return items.map((item) => ({
    ...item,
    codes: item.codes.map(own),
    parts: item.parts.map((part) => ({ ...part, code: part.code.map(own) })),
  }));
};

/** Its codes, and those of terms that two of its codes stand for. */
const ownCodes = (graph: Graph): Readonly<Record<string, string>> =>
  Object.fromEntries([...graph.keys(), 'T1*'].map((id) => [`x${id}`, id]));

const kinds = ['sharing', 'remote sharing', 'remote', 'translated', 'established', 'inner'] as const;

/** A node of each kind over a share of the records, or a part of the kinds. */
const openBranches = async (graph: Graph, shares: ReadonlyMap<(typeof kinds)[number], readonly Item[]>) => {
  const { teardown, close } = openCase();
  const hierarchy = hierarchyOf(graph);
  const nodes: TestNode[] = [];
  for (const [kind, items] of shares) {
    const nodeId = kind.replaceAll(' ', '_');
    const base = { nodeId, documentType: 'item', maxDepth: 20 };
    if (kind === 'sharing' || kind === 'translated') {
      const isOwn = kind === 'translated';
      const catalogue = await catalogueOf(isOwn ? inOwnCodes(items) : items, isOwn ? null : hierarchy);
      const codes = ownCodes(graph);
      const values = isOwn && { values: { codes, 'parts.code': codes } };
      nodes.push({ nodeId, catalogue, ...values });
    } else if (kind === 'established') {
      const documents = Object.fromEntries(items.map((item) => [item.id, { ...item }])) as never;
      const remote = await serveEstablishedServer({
        documentType: 'item',
        properties: itemProperties as never,
        documents,
      });
      nodes.push({ ...base, maxDepth: 7, remote });
    } else if (kind === 'inner') {
      const inner = await openBranches(graph, new Map([['remote', items]] as const));
      teardown(inner.close);
      nodes.push({ ...base, remote: await serveSchema(inner.network.ownSchema()) });
    } else {
      const catalogue = await catalogueOf(items, kind === 'remote' ? null : hierarchy);
      nodes.push({ ...base, remote: await serveSchema(buildCatalogueSchema(catalogue)) });
    }
  }
  const network = await testNetwork({ teardown }, nodes, {
    network: { documentType: 'item' },
    hierarchies: hierarchiesOf(hierarchy),
  });
  return { network, close };
};

const networkQuery = `query ($filters: JSON, $under: ID, $max: Int) {
  network(filters: $filters, aggregations_filter_themselves: true) {
    total partial
    aggregations { codes { tree(under: $under, max: $max) ${level} } }
  }
  alone: network {
    aggregations { codes { tree(under: $under, max: $max) ${level} } parts__code { tree(under: $under, max: $max) ${level} } }
  }
}`;

test('so they are over networks, whatever their nodes know of the hierarchy', async (t) => {
  for (let seed = 0; seed < Math.ceil(cases / 5); seed++) {
    const random = seeded(1_000_000 + seed);
    const graph = randomGraph(random);
    const chosen = kinds.filter(() => random.chance(0.5));
    const shares = new Map(
      (chosen.length === 0 ? (['established'] as const) : chosen).map((kind) => [
        kind,
        randomItems(random, graph),
      ]),
    );
    const items = [...shares.values()].flat();
    const { network, close } = await openBranches(graph, shares);
    try {
      for (let n = 0; n < questionsToEach; n++) {
        const { sqon: filters, finds, under, max } = questionOf(random, graph);
        const variableValues = { filters, under, max };
        const contextValue = contextOf();
        const answer = await graphql({
          schema: network.schema(),
          source: networkQuery,
          variableValues,
          contextValue,
        });
        const found = items.filter(finds);
        t.deepEqual(
          JSON.parse(JSON.stringify(answer)),
          {
            data: {
              network: {
                total: found.length,
                partial: false,
                aggregations: { codes: { tree: shown(levelCounts(graph, found, 'codes', under, max)) } },
              },
              alone: {
                aggregations: {
                  codes: { tree: shown(levelCounts(graph, items, 'codes', under, max)) },
                  parts__code: { tree: shown(levelCounts(graph, items, 'parts.code', under, max)) },
                },
              },
            },
          },
          `seed ${seed}, question ${n}: ${JSON.stringify({ filters, under, max, graph: [...graph], shares: [...shares] })}`,
        );
      }
    } finally {
      await close();
    }
  }
});

/** What the cohort's sites stand under. */
const sites: Graph = new Map([
  ['C', []],
  ['C50', ['C']],
  ['C50.1', ['C50']],
  ['C50.9', ['C50']],
  ['C34', ['C']],
  ['C34.1', ['C34']],
  ['C34.2', ['C34']],
  ['C18.9', ['C']],
  ['D12', []],
]);

test('bounds of branches and sets in guarded tiers contain the truth', async (t) => {
  const fieldHierarchies = new Map([['site', hierarchyOf(sites)]]);
  const nameKey = Buffer.alloc(32, 7);
  const settings = { catalogueId: 'cohort', lowerBoundsToOldClients: false, nameKey, fieldHierarchies };
  const isIn = (terms: readonly string[]) => (document: JsonObject) =>
    terms.some((term) => isUnder(sites, String(document['site']), term));
  for (let seed = 0; seed < Math.ceil(cases / 25); seed++) {
    const random = seeded(seed);
    const documents = cohort(100 + random.below(400), seed);
    const release = { id: 'release', ...(await drafted(documents)).release };
    const search = guardedSearch(release, settings);
    for (let n = 0; n < 25; n++) {
      const term = () => random.pick([...sites.keys()]);
      const [value, except, set] = [[term()], random.chance(0.4) ? [term()] : [], [term(), term()]];
      const sex = random.pick(['female', 'male']);
      const filter = {
        op: random.pick(['and', 'or']),
        content: [
          { op: 'under', content: { fieldName: 'site', value, except } },
          { op: 'in', content: { fieldName: 'sex', value: sex } },
        ],
      };
      const fits = (document: JsonObject): boolean => {
        const both = [isIn(value)(document) && !isIn(except)(document), document['sex'] === sex];
        return filter.op === 'and' ? both.every(Boolean) : both.some(Boolean);
      };
      const { total, facets } = await search(
        {
          filters: parseSqon(filter),
          filterThemselves: true,
          includeMissing: true,
          hits: { ...countOnly, bounded: true },
          facets: [
            { field: 'site', bounded: true, measure: { kind: 'groups', sets: [{ key: 'a', under: set }] } },
          ],
        },
        contextFor({ accessFilter: () => null }),
        'counts',
      );
      const found = documents.filter(fits);
      const [facet] = facets;
      const counted = facet?.kind === 'groups' ? facet.buckets[0]! : assert.fail();
      const inSet = found.filter(isIn(set)).length;
      const holds = (count: number, shown: Count): boolean =>
        lowerOf(shown) <= count && count <= upperOf(shown)!;
      const text = JSON.stringify({ seed, n, filter, set, total, counted });
      t.true(holds(found.length, total!), text);
      t.true(holds(inSet, counted.count), text);
    }
  }
});
