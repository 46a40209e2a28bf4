/**
 * Prints the processor time of executing a query with facets kept out of the executor, and by graphql-js alone:
 * milliseconds, medians of ten interleaved runs of each.
 *
 *     node bench/completion.ts
 */
import { loadavg } from 'node:os';
import { execute, parse } from 'graphql';
import { contextFor } from '../test/search/request-context.ts';
import { DeferredValues } from '../src/lib/graphql/execution.ts';
import { kindOf, type Field } from '../src/introspection/fields/field.ts';
import { buildCatalogueSchema } from '../src/local/schema/schema.ts';
import type { Catalogue } from '../src/search/catalogue.ts';
import type { CatalogueResult } from '../src/search/query.ts';
import { percentile } from './engine/median.ts';
import { sized } from './size.ts';

const paths = { id: 'keyword', title: 'keyword', year: 'long', width: 'double' };
const fields = new Map(
  Object.entries(paths).map(([path, type]): [string, Field] => {
    const inIndex = { path, type, nestedIn: [] };
    return [path, { path, type, kind: kindOf(type), nestedIn: [], isArray: false, indexField: inIndex }];
  }),
);

const hitsOf = (count: number): CatalogueResult['hits'] =>
  Array.from({ length: count }, (_, n) => ({
    id: `p${n}`,
    source: { id: `p${n}`, title: `Painting ${n}`, year: 1_500 + (n % 500), width: n * 1.37 },
    cursor: [n, `p${n}`],
  }));

const buckets = Array.from({ length: 1_000 }, (_, n) => ({ key: `Painting ${n}`, count: 2_000 - n }));

const catalogueOf = (hits: number): Catalogue =>
  ({
    id: 'painting',
    config: {
      catalogueId: 'painting',
      documentType: 'painting',
      switches: {},
      extended: [],
      table: {},
      facets: {},
    },
    fields,
    mapping: {},
    aliases: [],
    warnings: [],
    generatedAt: '2020-01-01T00:00:00.000Z',
    search: ({ facets }: { facets: readonly unknown[] }) =>
      Promise.resolve({
        total: hits,
        hits: hitsOf(hits),
        facets: facets.map(() => ({ kind: 'terms', buckets, missing: 0, distinct: buckets.length })),
        warnings: [],
      }),
  }) as never;

const page = (first: number): string =>
  `{ painting { hits(first: ${first}) { total edges { searchAfter node { id title year width } } } } }`;

const cases = [
  { what: 'a page of 20 hits', hits: 20, query: page(20), times: 1_000 },
  { what: 'a page of 1 000 hits', hits: 1_000, query: page(1_000), times: 40 },
  { what: 'a page of 10 000 hits', hits: 10_000, query: page(10_000), times: 4 },
  {
    what: 'a facet of 1 000 buckets',
    hits: 0,
    query: '{ painting { aggregations { title { buckets { key doc_count } } } } }',
    times: 100,
  },
];

for (const { what, hits, query, times: usual } of sized(cases, cases.slice(0, 1))) {
  const times = sized(usual, 1);
  const contextValue = contextFor();
  const schema = buildCatalogueSchema(catalogueOf(hits));
  const document = parse(query);
  const answer = async (isDeferred: boolean): Promise<void> => {
    const rootValue = isDeferred ? new DeferredValues() : undefined;
    const { data, errors } = await execute({ schema, document, contextValue, rootValue });
    rootValue?.insertInto(data);
    if (errors) throw new Error(JSON.stringify(errors));
    JSON.stringify(data);
  };
  const run = async (way: number, rounds: number): Promise<number> => {
    const before = process.cpuUsage();
    for (let round = 0; round < rounds; round += 1) await answer(way === 0);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000 / rounds;
  };
  const runs: [number[], number[]] = [[], []];
  for (const way of [0, 1]) await run(way, times);
  for (let round = 0; round < sized(10, 1); round += 1)
    for (const way of [0, 1] as const) runs[way].push(await run(way, times));
  const [beside, alone] = runs.map((all) => percentile(all, 0.5)) as [number, number];
  const spread = runs.map((all) => `${Math.min(...all).toFixed(2)} to ${Math.max(...all).toFixed(2)}`);
  console.log(
    `${what}: ${beside.toFixed(2)} ms (${spread[0]}), graphql-js alone ${alone.toFixed(2)} ms (${spread[1]}), x ${(alone / beside).toFixed(2)}`,
  );
}
console.log(`load average ${loadavg()[0]!.toFixed(1)}`);
