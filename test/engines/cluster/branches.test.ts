import assert from 'node:assert/strict';
import { graphql } from 'graphql';
import test from 'ava';
import { openCatalogue } from '../../../src/local/open-catalogue.ts';
import { buildCatalogueSchema } from '../../../src/local/schema/schema.ts';
import {
  hierarchyOf,
  itemProperties,
  levelCounts,
  randomGraph,
  randomItems,
  randomQuestion,
} from '../../hierarchies/random-branches.ts';
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

await onServers((server, engine) => {
  test.serial(`${server.name}: branches and trees are what set algebra finds`, async (t) => {
    t.timeout(300_000);
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
});
