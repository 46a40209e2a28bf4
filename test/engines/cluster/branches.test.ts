import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { graphql } from 'graphql';
import test from 'ava';
import { openEmbeddedEngine } from '../../../src/engines/embedded/embedded-engine.ts';
import type { Engine } from '../../../src/engines/engine.ts';
import { openCatalogue } from '../../../src/local/open-catalogue.ts';
import { buildCatalogueSchema } from '../../../src/local/schema/schema.ts';
import {
  hierarchyOf,
  itemProperties,
  levelCounts,
  type Graph,
  type Item,
  randomGraph,
  randomItems,
  randomQuestion,
} from '../../introspection/hierarchies/random-branches.ts';
import { bookConfig, contextWith } from '../../local/catalogue-fixture.ts';
import { seeded } from '../random-documents.ts';
import { onServers } from './on-servers.ts';

// branches and levels of trees on search servers, compared with set algebra in plain JavaScript

const cases = Number(process.env['BRANCH_CASES'] ?? 4);
const questionsEach = 15;
const level = '{ key doc_count buckets { key doc_count own_count has_children } other { doc_count } }';
const query = `query ($filters: JSON, $under: ID, $max: Int) { item {
  hits(filters: $filters) { total }
  aggregations(filters: $filters, aggregations_filter_themselves: true) { codes { tree(under: $under, max: $max) ${level} } }
  alone: aggregations { parts__code { tree(under: $under, max: $max) ${level} } } } }`;

/** A level of 5 000 terms under W, and a branch of more codes than one clause of a server takes; X is of both. */
const wide: Graph = new Map<string, readonly string[]>([
  ['W', []],
  ...Array.from({ length: 5_000 }, (_, at): [string, string[]] => [`W${at}`, ['W']]),
  ['L', []],
  ['X', ['W7', 'L']],
  ...Array.from({ length: 66_000 }, (_, at): [string, string[]] => [`L${at}`, ['L']]),
]);

const wideItems: readonly Item[] = Array.from({ length: 600 }, (_, at) => ({
  id: `i${at}`,
  color: 'red',
  codes: [`W${(at * 37) % 5_000}`, `L${at * 110}`, at % 5 === 0 ? 'X' : 'W7'].slice(at % 3),
  parts: [
    { code: [`L${65_999 - at}`], size: 1 },
    { code: [`W${at % 9}`, 'W'], size: at % 2 },
  ],
}));

const wideHierarchy = hierarchyOf(wide);

/** Everything that is queried of the wide items. */
const wideAnswers = async (engine: Engine, index: string): Promise<readonly unknown[]> => {
  await engine.manage({ kind: 'delete', index });
  await engine.manage({ kind: 'create', index, mapping: { properties: itemProperties } });
  await engine.write(
    index,
    wideItems.map((item) => ({ kind: 'upsert', id: item.id, document: { ...item } as never })),
  );
  const fieldHierarchies = new Map(['codes', 'parts.code'].map((path) => [path, wideHierarchy]));
  const config = bookConfig({ documentType: 'item', esIndex: index, extended: [], fieldHierarchies });
  const state = await openCatalogue(config, engine, {});
  assert(state.status === 'available');
  const schema = buildCatalogueSchema(state.catalogue);
  const leaf = (op: string, fieldName: string, value: unknown, except: readonly string[] = []) => ({
    op,
    content: { fieldName, value, ...(except.length > 0 && { except }) },
  });
  const branch = leaf('under', 'codes', ['L']);
  const oneObject = {
    op: 'and',
    pivot: 'parts',
    content: [leaf('under', 'parts.code', ['W']), leaf('in', 'parts.size', [1])],
  };
  const filters = [
    branch,
    { op: 'not', content: [branch] },
    leaf('under', 'codes', ['L', 'W'], ['X', 'W7']),
    leaf('under', 'parts.code', ['L'], ['L65999']),
    oneObject,
  ];
  const sets = [
    { key: 'all', under: ['L', 'W'] },
    { key: 'both', under: ['W7'], values: ['L0', 'none'] },
    { key: 'empty' },
  ];
  const counted = `groups(sets: $sets) { buckets { key doc_count } }`;
  const source = `query ($filters: JSON, $under: ID, $max: Int, $sets: JSON) { item {
    hits(filters: $filters) { total }
    aggregations(filters: $filters, aggregations_filter_themselves: true) {
      codes { ${counted} tree(under: $under, max: $max) ${level} } parts__code { ${counted} tree(under: $under, max: $max) ${level} } } } }`;
  const levels = [
    { under: 'W', max: 5_000 },
    { under: 'L', max: 5 },
    ...filters.slice(1).map(() => ({ under: 'W7' })),
  ];
  const answers: unknown[] = [];
  for (const [at, filter] of [null, ...filters].entries()) {
    // the set of all codes is 1 MB in each of its searches: beside no filter, and beside the branch
    const variableValues = { filters: filter, sets: at < 2 ? sets : sets.slice(1), ...levels[at] };
    const { data, errors } = await graphql({ schema, source, variableValues, contextValue: contextWith() });
    assert.equal(errors, undefined);
    answers.push(JSON.parse(JSON.stringify(data)));
  }
  return answers;
};

await onServers((server, engine) => {
  test.serial(`${server.name}: branches and trees are what set algebra finds`, async (t) => {
    t.timeout(120_000);
    for (let seed = 0; seed < cases; seed++) {
      const random = seeded(3_000_000 + seed);
      const graph = randomGraph(random);
      const items = randomItems(random, graph);
      const index = 'tributary-branches';
      await engine.manage({ kind: 'delete', index });
      const settings = { number_of_shards: 1 + (seed % 2), number_of_replicas: 0 };
      await engine.manage({ kind: 'create', index, mapping: { properties: itemProperties }, settings });
      await engine.write(
        index,
        items.map((item) => ({ kind: 'upsert', id: item.id, document: { ...item } as never })),
      );
      const hierarchy = hierarchyOf(graph);
      const fieldHierarchies = new Map(['codes', 'parts.code'].map((path) => [path, hierarchy]));
      const config = bookConfig({ documentType: 'item', esIndex: index, extended: [], fieldHierarchies });
      const state = await openCatalogue(config, engine, {});
      assert(state.status === 'available');
      const schema = buildCatalogueSchema(state.catalogue);
      for (let n = 0; n < questionsEach; n++) {
        const { sqon: filters, finds } = randomQuestion(random, graph);
        const under = random.chance(0.5) ? null : random.pick([...graph.keys()]);
        const max = random.pick([1, 2, 50]);
        const answer = await graphql({
          schema,
          source: query,
          variableValues: { filters, under, max },
          contextValue: contextWith(),
        });
        const found = items.filter(finds);
        t.deepEqual(
          JSON.parse(JSON.stringify(answer)),
          {
            data: {
              item: {
                hits: { total: found.length },
                aggregations: { codes: { tree: levelCounts(graph, found, 'codes', under, max) } },
                alone: { parts__code: { tree: levelCounts(graph, items, 'parts.code', under, max) } },
              },
            },
          },
          `seed ${seed}, question ${n}: ${JSON.stringify({ filters, under, max, graph: [...graph], items })}`,
        );
      }
    }
  });

  test.serial(`${server.name}: wide levels and branches are counted as by the embedded engine`, async (t) => {
    t.timeout(240_000);
    const folder = await mkdtemp(join(tmpdir(), 'tributary-branches-'));
    const embedded = openEmbeddedEngine(folder);
    try {
      const expected = await wideAnswers(embedded, 'tributary-wide');
      t.deepEqual(await wideAnswers(engine, 'tributary-wide'), expected);
      const found = wideItems.filter(({ codes }) =>
        codes.some((code) => code.startsWith('L') || code === 'X'),
      );
      t.like(expected[1], { item: { hits: { total: found.length } } });
    } finally {
      await embedded.close();
      await rm(folder, { recursive: true, force: true });
    }
  });

  return () =>
    Promise.all(
      ['branches', 'wide'].map((name) => engine.manage({ kind: 'delete', index: `tributary-${name}` })),
    );
});
