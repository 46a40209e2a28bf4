import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { graphql } from 'graphql';
import type { Engine } from '../../src/engines/engine.ts';
import { openEngine } from '../../src/engines/open/open-engine.ts';
import { guardedSearch } from '../../src/disclosure/guard/guarded-search.ts';
import { openNetwork } from '../../src/federation/network.ts';
import { readNodes } from '../../src/federation/config/read-nodes.ts';
import type { Hierarchy } from '../../src/hierarchies/hierarchy.ts';
import type { Catalogue, CatalogueState } from '../../src/search/catalogue.ts';
import { openCatalogue } from '../../src/local/open-catalogue.ts';
import { buildCatalogueSchema } from '../../src/local/schema/schema.ts';
import type { JsonObject } from '../../src/json/json.ts';
import { countOnly } from '../../src/search/query.ts';
import { parseSqon } from '../../src/sqon/parse.ts';
import { cohort, drafted } from '../disclosure/cohort.ts';
import { contextFor } from '../search/request-context.ts';
import { seeded, type Random } from '../engines/random-documents.ts';
import { openNaiveEngine } from '../engines/naive.ts';
import { serveEstablishedServer } from '../federation/established/established-server.ts';
import { contextOf } from '../federation/node-fixtures.ts';
import { serveSchema } from '../federation/remote-server.ts';
import { runs } from '../fast-check.ts';
import { bookConfig, contextWith } from '../local/catalogue-fixture.ts';
import type { Graph, Item } from './random-branches.ts';
import {
  hierarchyOf,
  isUnder,
  itemProperties,
  levelCounts,
  randomGraph,
  randomItems,
  randomQuestion,
} from './random-branches.ts';

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

const catalogueOf = async (
  on: Engine,
  index: string,
  items: readonly Item[],
  hierarchy: Hierarchy | null,
): Promise<Catalogue> => {
  await on.manage({ kind: 'create', index, mapping: { properties: itemProperties } });
  await on.write(
    index,
    items.map((item) => ({ kind: 'upsert', id: item.id, document: { ...item } as never }) as const),
  );
  const config = bookConfig({
    documentType: 'item',
    esIndex: index,
    extended: [],
    ...(hierarchy && { fieldHierarchies: hierarchiesOf(hierarchy) }),
  });
  const state = await openCatalogue(config, on, {});
  assert.equal(state.status, 'available');
  return state.status === 'available' ? state.catalogue : assert.fail();
};

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
    const catalogue = await catalogueOf(engine, `items-${seed}`, items, hierarchyOf(graph));
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
  await engine.manage({ kind: 'create', index: 'measured', mapping: { properties } });
  const documents = Array.from({ length: 400 }, (_, at) => ({
    code: [`T${at % 5}`],
    size: at * at,
    day: new Date(Date.UTC(2020, at % 12, 3)).toISOString().slice(0, 10),
    name: `name ${at % 90}`,
  }));
  await engine.write(
    'measured',
    documents.map((document, at) => ({ kind: 'upsert', id: String(at), document }) as const),
  );
  const fieldHierarchies = new Map([['code', hierarchyOf(graph)]]);
  const state = await openCatalogue(
    bookConfig({ documentType: 'item', esIndex: 'measured', extended: [], fieldHierarchies }),
    engine,
    {},
  );
  const schema = buildCatalogueSchema(state.status === 'available' ? state.catalogue : assert.fail());
  const source = `query ($filters: JSON) { item { hits(filters: $filters) { total } aggregations(filters: $filters) {
    size { stats { count min max sum } percentiles(percents: [0, 25, 50, 100]) { percent value lower upper } histogram(interval: 10000) { buckets { key doc_count } } }
    day { date_histogram(interval: "month") { buckets { key doc_count } } }
    name { cardinality distinct_sample } } } }`;
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
  const closing: (() => Promise<void>)[] = [];
  const states = new Map<string, CatalogueState>();
  const hierarchy = hierarchyOf(graph);
  const serve = async (catalogue: Catalogue): Promise<string> => {
    const remote = await serveSchema(buildCatalogueSchema(catalogue));
    closing.push(remote.close);
    return remote.url;
  };
  const nodes: object[] = [];
  for (const [kind, items] of shares) {
    const nodeId = kind.replaceAll(' ', '_');
    const catalogue = (own: readonly Item[], known: Hierarchy | null) =>
      catalogueOf(openNaiveEngine(), 'items', own, known);
    const base = { nodeId, timeoutMs: 60_000, documentType: 'item', maxDepth: 20 };
    if (kind === 'sharing' || kind === 'translated') {
      const isOwn = kind === 'translated';
      const held = await catalogue(isOwn ? inOwnCodes(items) : items, isOwn ? null : hierarchy);
      states.set(nodeId, { status: 'available', config: held.config, catalogue: held });
      const codes = ownCodes(graph);
      const values = isOwn && { values: { codes, 'parts.code': codes } };
      nodes.push({ nodeId, timeoutMs: 60_000, catalogue: nodeId, ...values });
    } else if (kind === 'established') {
      const documents = Object.fromEntries(items.map((item) => [item.id, { ...item }])) as never;
      const remote = await serveEstablishedServer({
        documentType: 'item',
        properties: itemProperties as never,
        documents,
      });
      closing.push(remote.close);
      nodes.push({ ...base, maxDepth: 7, graphqlUrl: remote.url });
    } else if (kind === 'inner') {
      const inner = await openBranches(graph, new Map([['remote', items]] as const));
      const served = await serveSchema(inner.network.ownSchema());
      closing.push(served.close, inner.close);
      nodes.push({ ...base, graphqlUrl: served.url });
    } else {
      const graphqlUrl = await serve(await catalogue(items, kind === 'remote' ? null : hierarchy));
      nodes.push({ ...base, graphqlUrl });
    }
  }
  const file = { network: { documentType: 'item' }, defaults: { discoveryTimeoutMs: 60_000 }, nodes };
  const read = readNodes(file, 'nodes.json');
  const config = { ...read, hierarchies: hierarchiesOf(hierarchy) };
  const network = openNetwork(config, (id) => states.get(id), { readyWaitMs: 60_000 });
  closing.push(network.close);
  await network.ready;
  return {
    network,
    close: async () => {
      for (const close of closing) await close();
    },
  };
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

const wideKinds = ['local', 'remote', 'established', 'inner'] as const;

/** Records as a node has them that writes a wider code, of several terms, in place of some of their codes. */
const withWiderCodes = (
  random: Random,
  items: readonly Item[],
  narrower: readonly string[],
): readonly Item[] => {
  const own = (codes: readonly string[]): readonly string[] => [
    ...new Set(codes.map((code) => (narrower.includes(code) && random.chance(0.6) ? 'wide' : code))),
  ];
  return items.map((item) => ({
    ...item,
    codes: own(item.codes),
    parts: item.parts.map((part) => ({ ...part, code: own(part.code) })),
  }));
};

/** A node whose code `wide` may be any of some terms, and one that has the terms. */
const openWide = async (
  kind: (typeof wideKinds)[number],
  hierarchy: Hierarchy,
  narrower: readonly string[],
  [plain, wide]: readonly [readonly Item[], readonly Item[]],
) => {
  const closing: (() => Promise<void>)[] = [];
  const states = new Map<string, CatalogueState>();
  const held = async (items: readonly Item[]): Promise<Catalogue> =>
    catalogueOf(openNaiveEngine(), 'items', items, null);
  const [first, second] = [await held(plain), await held(wide)];
  states.set('plain', { status: 'available', config: first.config, catalogue: first });
  states.set('wide', { status: 'available', config: second.config, catalogue: second });
  const base = { nodeId: 'wide', timeoutMs: 60_000, documentType: 'item' };
  const documents = Object.fromEntries(wide.map((item) => [item.id, { ...item }])) as never;
  const served = async (): Promise<object> => {
    if (kind === 'local' || kind === 'inner') return { nodeId: 'wide', timeoutMs: 60_000, catalogue: 'wide' };
    const remote =
      kind === 'remote'
        ? await serveSchema(buildCatalogueSchema(second))
        : await serveEstablishedServer({
            documentType: 'item',
            properties: itemProperties as never,
            documents,
          });
    closing.push(remote.close);
    return { ...base, maxDepth: kind === 'established' ? 7 : 20, graphqlUrl: remote.url };
  };
  const networkOver = async (nodes: readonly object[], codes: readonly string[]) => {
    const file = { network: { documentType: 'item' }, defaults: { discoveryTimeoutMs: 60_000 }, nodes };
    const read = readNodes(file, 'nodes.json');
    const listed = new Map(['codes', 'parts.code'].map((path) => [path, new Map([['wide', codes]])]));
    const values = new Map([...listed.keys()].map((path) => [path, new Map<string, string>()]));
    const config = {
      ...read,
      nodes: read.nodes.map((node) =>
        node.nodeId === 'wide' && codes.length > 0 ? { ...node, values, wider: listed } : node,
      ),
      hierarchies: hierarchiesOf(hierarchy),
    };
    const network = openNetwork(config, (id) => states.get(id), { readyWaitMs: 60_000 });
    closing.unshift(network.close);
    await network.ready;
    return network;
  };
  const node = await served();
  const local = { nodeId: 'plain', timeoutMs: 60_000, catalogue: 'plain' };
  if (kind !== 'inner') return { network: await networkOver([local, node], narrower), closing };
  const inner = await networkOver([node], narrower);
  const remote = await serveSchema(inner.ownSchema());
  closing.unshift(remote.close);
  const outer = { ...base, nodeId: 'hub', maxDepth: 20, graphqlUrl: remote.url };
  return { network: await networkOver([local, outer], []), closing };
};

const bounds = `doc_count upper_bound exact`;
const wideQuery = `query ($filters: JSON, $under: ID, $max: Int) { network(filters: $filters, aggregations_filter_themselves: true) {
  total upper_bound
  nodes { hits upper_bound }
  aggregations {
    codes { tree(under: $under) { ${bounds} buckets { key ${bounds} nodes { nodeId doc_count } } } buckets(max: $max) { key ${bounds} } unlisted_upper_bound }
    color { buckets { key ${bounds} } }
  }
} }`;

interface Bounds {
  readonly doc_count: number;
  readonly upper_bound: number | null;
}

test('bounds contain the truth where a node has wider codes', async (t) => {
  let exact = 0;
  let inexact = 0;
  for (let seed = 0; seed < Math.ceil(cases / 3); seed++) {
    const random = seeded(2_000_000 + seed);
    const graph = randomGraph(random);
    const narrower = [...graph.keys()].filter(() => random.chance(0.3));
    const [plain, truth] = [randomItems(random, graph), randomItems(random, graph)];
    const stored = withWiderCodes(random, truth, narrower);
    const kind = random.pick(wideKinds);
    const { network, closing } = await openWide(kind, hierarchyOf(graph), narrower, [plain, stored]);
    const items = [...plain, ...truth];
    try {
      for (let n = 0; n < questionsToEach; n++) {
        const { sqon: filters, finds, under } = questionOf(random, graph);
        const max = random.pick([1, 3, 50]);
        const answer = await graphql({
          schema: network.schema(),
          source: wideQuery,
          variableValues: { filters, under, max },
          contextValue: contextOf(),
        });
        t.is(answer.errors, undefined);
        const { network: shown } = JSON.parse(JSON.stringify(answer.data));
        const text = JSON.stringify({
          seed,
          n,
          kind,
          filters,
          under,
          max,
          narrower,
          graph: [...graph],
          items,
          stored,
          shown,
        });
        const found = items.filter(finds);
        const holds = (
          count: number,
          { doc_count: least, upper_bound: most }: Bounds,
          what: string,
        ): void => {
          if (most === least) exact++;
          else inexact++;
          t.true(
            least <= count && (most === null || count <= most),
            `${what}: ${count} in ${least} to ${most}: ${text}`,
          );
        };
        holds(found.length, { doc_count: shown.total, upper_bound: shown.upper_bound }, 'total');
        const [least, most] = ['hits', 'upper_bound'].map((name) =>
          shown.nodes.reduce((sum: number, node: Record<string, number>) => sum + node[name]!, 0),
        );
        holds(found.length, { doc_count: least, upper_bound: most }, 'nodes');
        const counted = levelCounts(graph, found, 'codes', under, 50);
        const { tree, buckets, unlisted_upper_bound: unlisted } = shown.aggregations.codes;
        holds(counted.doc_count, tree, 'level');
        const under0 = { doc_count: 0, upper_bound: 0 };
        for (const { key, doc_count: count } of counted.buckets)
          holds(count, tree.buckets.find((one: { key: string }) => one.key === key) ?? under0, `tree ${key}`);
        for (const code of graph.keys()) {
          const count = found.filter((item) => item.codes.includes(code)).length;
          const bucket = buckets.find((one: { key: string }) => one.key === code);
          holds(count, bucket ?? { doc_count: 0, upper_bound: unlisted }, `code ${code}`);
        }
        for (const color of ['red', 'green', 'blue']) {
          const bucket = shown.aggregations.color.buckets.find((one: { key: string }) => one.key === color);
          holds(found.filter((item) => item.color === color).length, bucket ?? under0, color);
        }
      }
    } finally {
      for (const close of closing) await close();
    }
  }
  t.true(inexact > 0 && exact > inexact);
});

test('records of a wider code count for upper bounds alone, whether a condition is negated or not', async (t) => {
  const graph: Graph = new Map([
    ['T0', []],
    ['T1', ['T0']],
    ['T2', ['T0']],
    ['T3', ['T0']],
  ]);
  const item = (id: string, code: string): Item => ({ id, color: 'red', codes: [code], parts: [] });
  const plain = [item('a', 'T1'), item('b', 'T3')];
  const wide = [item('c', 'wide'), item('d', 'wide'), item('e', 'T1')];
  for (const kind of wideKinds) {
    const { network, closing } = await openWide(kind, hierarchyOf(graph), ['T1', 'T2'], [plain, wide]);
    const countOf = async (op: string, value: readonly string[], negated = false) => {
      const leaf = { op, content: { fieldName: 'codes', value } };
      const filters = negated ? { op: 'not', content: [leaf] } : leaf;
      const answer = await graphql({
        schema: network.schema(),
        source: wideQuery,
        variableValues: { filters },
        contextValue: contextOf(),
      });
      const { total, upper_bound: most, aggregations } = JSON.parse(JSON.stringify(answer.data)).network;
      const { codes } = aggregations;
      for (const { doc_count: count, nodes } of codes.tree.buckets)
        t.is(
          nodes.reduce((sum: number, { doc_count: part }: Bounds) => sum + part, 0),
          count,
        );
      const shown = ({ key, doc_count: least, upper_bound: upper }: Bounds & { key: string }) => [
        key,
        least,
        upper,
      ];
      return {
        total: [total, most],
        tree: codes.tree.buckets.map(shown),
        buckets: codes.buckets.map(shown),
        unlisted: codes.unlisted_upper_bound,
      };
    };
    const [T1, T2, T3] = [
      ['T1', 2, 4],
      ['T2', 0, 2],
      ['T3', 1, 1],
    ];
    t.deepEqual(await countOf('not-in', ['T9']), {
      total: [5, 5],
      tree: [T1, T3, T2],
      buckets: [T1, ['wide', 2, 2], T3, T2],
      unlisted: 0,
    });
    for (const op of ['in', 'under'])
      t.deepEqual(await countOf(op, ['T1']), {
        total: [2, 4],
        tree: [T1, T2],
        buckets: [T1, T2, ['wide', 0, 2]],
        unlisted: 0,
      });
    t.deepEqual((await countOf('in', ['T2'])).total, [0, 2]);
    t.deepEqual((await countOf('in', ['T3'])).total, [1, 1]);
    t.deepEqual((await countOf('in', ['wide'])).total, [2, 2]);
    t.deepEqual((await countOf('in', ['T1*'])).total, [2, 4]);
    t.deepEqual((await countOf('not-in', ['T1'])).total, [1, 3]);
    t.deepEqual((await countOf('in', ['T1'], true)).total, [1, 3]);
    t.deepEqual((await countOf('not-in', ['T1'], true)).total, [2, 4]);
    for (const close of closing) await close();
  }
});

test('bounds are true where other selections of a query show none', async (t) => {
  const graph: Graph = new Map([
    ['T0', []],
    ['T1', ['T0']],
    ['T2', ['T0']],
    ['T3', ['T0']],
  ]);
  const item = (id: string, code: string): Item => ({ id, color: 'red', codes: [code], parts: [] });
  const stored: [Item[], Item[]] = [
    [item('a', 'T1'), item('b', 'T3')],
    [item('c', 'wide'), item('e', 'T1')],
  ];
  const source = `query ($filters: JSON) { network(filters: $filters, aggregations_filter_themselves: true) {
    total upper_bound hits { total }
    aggregations { codes {
      tree { doc_count upper_bound buckets { key doc_count exact } other { doc_count } } buckets { key doc_count exact }
    } color { buckets { doc_count upper_bound } again: buckets { doc_count } } }
  } }`;
  const filters = { op: 'in', content: { fieldName: 'codes', value: ['T1'] } };
  for (const kind of wideKinds) {
    const { network, closing } = await openWide(kind, hierarchyOf(graph), ['T1', 'T2'], stored);
    const answer = await graphql({
      schema: network.schema(),
      source,
      variableValues: { filters },
      contextValue: contextOf(),
    });
    const {
      total,
      upper_bound: most,
      aggregations: { codes, color },
    } = JSON.parse(JSON.stringify(answer.data)).network;
    const reaches = (upper: number | null) => upper === null || upper >= 3;
    t.is(total, 2, kind);
    t.true(
      [most, codes.tree.upper_bound, color.buckets[0].upper_bound].every(reaches),
      `${kind}: ${JSON.stringify(answer)}`,
    );
    for (const { key, exact } of [...codes.tree.buckets, ...codes.buckets])
      t.is(exact, key === 'T3', `${kind} ${key}`);
    for (const close of closing) await close();
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
      const { total, totalBounds, facets } = await search(
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
      const holds = (count: number, lower: number, upper: number): boolean =>
        lower <= count && count <= upper;
      const text = JSON.stringify({ seed, n, filter, set, total, totalBounds, counted });
      t.true(holds(found.length, total!, totalBounds!.upperBound!), text);
      t.true(holds(inSet, counted.count, counted.upperBound!), text);
    }
  }
});
