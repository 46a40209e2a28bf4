import assert from 'node:assert/strict';
import test from 'ava';
import fc from '../fast-check.ts';
import { filters } from './random-filter.ts';
import type { Item, OpenedNetwork, Share } from './split-collection.ts';
import { allItems, openShares, shares, whole } from './split-collection.ts';

// a collection split over any nodes, whatever they call its fields and values, answers as it does in one piece

const terms = `{ bucket_count bucket_count_exact unlisted_upper_bound cardinality cardinality_bounds { lower upper exact }
  buckets { key key_as_string doc_count upper_bound exact } }`;
const numbers = (interval: number, edge: number) =>
  `{ stats { count min max sum avg } percentiles(percents: [0, 50, 95, 100]) { percent value lower upper } histogram(interval: ${interval}) { buckets { key doc_count } }
    range(ranges: [{ to: ${edge} }, { from: ${edge}, key: "high" }]) { buckets { key doc_count } } }`;

// documents have one of these at most
const survival = `{ survival(dead: { op: "in", content: { fieldName: "open", value: ["true"] } }, known: { op: "not", content: [{ op: "in", content: { fieldName: "open", value: ["__missing__"] } }] }) {
  times { time events censored } no_time negative_time no_event } }`;

const facetsQuery = `query($filters: JSON, $missing: Boolean, $themselves: Boolean) {
  network(filters: $filters, include_missing: $missing, aggregations_filter_themselves: $themselves) {
    total partial
    aggregations {
      name ${terms} tags ${terms} open ${terms} parts__kind ${terms}
      size ${numbers(7, 0)} weight ${numbers(0.25, 1)} parts__count ${numbers(2, 3)}
      size ${survival} weight ${survival}
      planted { stats { count min max sum avg } histogram(interval: 2592000000) { buckets { key doc_count } }
        date_histogram(interval: "week", timeZone: "Europe/Paris") { buckets { key key_as_string doc_count } } }
    }
  }
}`;

const hitsQuery = `query($filters: JSON, $sort: [Sort], $first: Int, $offset: Int, $after: JSON) {
  network(filters: $filters) {
    hits(first: $first, offset: $offset, sort: $sort, searchAfter: $after) {
      total
      edges { nodeId searchAfter node { id name tags weight planted open parts__kind parts__count } }
    }
  }
}`;

/** Splits in all; SPLIT_CASES=2000 for the full measure. */
const cases = Number(process.env['SPLIT_CASES'] ?? 25);
const casesOf = (share: number): number => Math.ceil(cases * share);

interface Hits {
  readonly total: number;
  readonly edges: readonly {
    readonly searchAfter: readonly unknown[];
    readonly node: { readonly id: string };
  }[];
}

const hitsOf = async ({ runQuery }: OpenedNetwork, variables: Record<string, unknown>): Promise<Hits> =>
  (await runQuery(hitsQuery, variables))['hits'] as Hits;

/** Both networks, closed again whatever happens. */
const compare = async (
  split: readonly Share[],
  overHttp: boolean,
  work: (many: OpenedNetwork, one: OpenedNetwork) => Promise<void>,
): Promise<void> => {
  const opened = [await openShares(split, overHttp), await openShares(whole(split), false)] as const;
  try {
    await work(...opened);
  } finally {
    for (const network of opened) await network.close();
  }
};

const flags = fc.record({ missing: fc.boolean(), themselves: fc.boolean() });

const facetsAgree = (overHttp: boolean, numRuns: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(shares, filters, flags, (split, requested, options) =>
      compare(split, overHttp, async (many, one) => {
        const variables = { filters: requested, ...options };
        assert.deepEqual(
          await many.runQuery(facetsQuery, variables),
          await one.runQuery(facetsQuery, variables),
        );
      }),
    ),
    { numRuns, seed: 20_240_601, includeErrorInReport: true },
  );

test('totals and every facet over any split equal those of one node', (t) =>
  t.notThrowsAsync(facetsAgree(false, casesOf(0.35))));
test('so they do over HTTP', (t) => t.notThrowsAsync(facetsAgree(true, casesOf(0.03))));

/** Only numbers that all nodes hold as integers are averaged: others are rounded at some nodes. */
const withMode = (key: RandomKey): SortKey => {
  const { mode, ...others } = key;
  return mode === undefined || key.fieldName === 'parts.count' || !combining.has(mode) ? key : others;
};
const combining = new Set(['avg', 'sum']);

interface RandomKey extends SortKey {
  readonly missing?: string | undefined;
}

// tags has translated values at some nodes, by which a network does not sort
const sortKeys = fc
  .uniqueArray(
    fc.record(
      {
        fieldName: fc.constantFrom('name', 'size', 'weight', 'planted', 'open', 'parts.count'),
        order: fc.constantFrom('asc', 'desc'),
        missing: fc.constantFrom('first', 'last'),
        mode: fc.constantFrom('min', 'max', 'avg', 'sum'),
      },
      { requiredKeys: ['fieldName', 'order'] },
    ),
    { maxLength: 3, selector: ({ fieldName }) => fieldName },
  )
  .map((keys) => keys.map(withMode));

interface SortKey {
  readonly fieldName: string;
  readonly order: string;
  readonly mode?: string | undefined;
}

/** What a record is sorted by: records with the same text are ties. */
const sortText = (item: Item, sort: readonly SortKey[]): string =>
  JSON.stringify(
    sort.map(({ fieldName, order, mode = order === 'asc' ? 'min' : 'max' }) => {
      const values = valuesOf(item, fieldName);
      if (typeof values[0] !== 'number') return values[0] ?? null;
      const sum = (values as number[]).reduce((total, value) => total + value, 0);
      if (mode === 'sum') return sum;
      if (mode === 'avg') return Math.round(sum / values.length);
      return mode === 'min' ? Math.min(...(values as number[])) : Math.max(...(values as number[]));
    }),
  );

const valuesOf = (item: Item, fieldName: string): readonly unknown[] => {
  const value =
    fieldName === 'parts.count' ? item.parts.map(({ count }) => count) : item[fieldName as keyof Item];
  return [value].flat().filter((one) => one !== null);
};

/** A page of many nodes is that of one node up to the order of ties, and shows each record as it is there. */
const pagesAgree = (
  split: readonly Share[],
  sort: readonly SortKey[],
  seen: Hits['edges'],
  wanted: Hits['edges'],
): void => {
  const items = new Map(allItems(split).map((item) => [item.id, item]));
  const texts = (edges: Hits['edges']): string[] =>
    edges.map(({ node }) => sortText(items.get(node.id)!, sort));
  assert.deepEqual(texts(seen), texts(wanted));
  assert.equal(new Set(seen.map(({ node }) => node.id)).size, seen.length, 'nothing is repeated');
};

const byId = (edges: Hits['edges']): readonly unknown[] =>
  edges.map(({ node }) => node).sort((a, b) => (a.id < b.id ? -1 : 1));

const walksAgree = (overHttp: boolean, numRuns: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(
      shares,
      filters,
      sortKeys,
      fc.integer({ min: 1, max: 9 }),
      (split, requested, sort, first) =>
        compare(split, overHttp, async (many, one) => {
          const variables = { filters: requested, sort };
          const wanted = await hitsOf(one, { ...variables, first: 100 });
          const seen: Hits['edges'][number][] = [];
          for (let after: readonly unknown[] | null = null; ;) {
            const page: Hits = await hitsOf(many, { ...variables, first, after });
            assert.equal(page.total, wanted.total);
            assert.ok(page.edges.length <= first);
            seen.push(...page.edges);
            if (page.edges.length < first) break;
            after = page.edges.at(-1)!.searchAfter;
            assert.ok(Array.isArray(after));
          }
          pagesAgree(split, sort, seen, wanted.edges);
          assert.deepEqual(
            byId(seen),
            byId(wanted.edges),
            'nothing is skipped, and each record is shown as it is',
          );
        }),
    ),
    { numRuns, seed: 20_240_602, includeErrorInReport: true },
  );

test('a walk by cursor over any split gives every record once, in the order of one node', (t) =>
  t.notThrowsAsync(walksAgree(false, casesOf(0.23))));
test('so it does over HTTP', (t) => t.notThrowsAsync(walksAgree(true, casesOf(0.02))));

const cardinalityFields = ['name', 'tags', 'parts__kind', 'size', 'weight', 'planted', 'parts__count'];
const cardinalityQuery = `query($filters: JSON) { network(filters: $filters) { aggregations {
  ${cardinalityFields.map((name) => `${name} { cardinality cardinality_bounds { lower upper exact } }`).join(' ')}
} } }`;

interface Cardinality {
  readonly cardinality: number | null;
  readonly cardinality_bounds: {
    readonly lower: number;
    readonly upper: number | null;
    readonly exact: boolean;
  };
}
type Cardinalities = Readonly<Record<string, Cardinality>>;

const cardinalitiesHold = (overHttp: boolean, numRuns: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(shares, filters, (split, requested) =>
      compare(split, overHttp, async (many, one) => {
        const runQuery = async (network: OpenedNetwork) =>
          (await network.runQuery(cardinalityQuery, { filters: requested }))['aggregations'] as Cardinalities;
        const [seen, truth] = [await runQuery(many), await runQuery(one)];
        for (const name of cardinalityFields) {
          const { cardinality, cardinality_bounds: bounds } = seen[name]!;
          const distinct = truth[name]!.cardinality!;
          assert.ok(truth[name]!.cardinality_bounds.exact, `${name} at one node`);
          // the number of the only node with values is shown without being sure of it
          assert.ok(cardinality === (bounds.exact ? bounds.lower : null) || cardinality === distinct, name);
          if (bounds.exact) assert.equal(cardinality, bounds.lower);
          assert.ok(bounds.lower <= distinct, `${name}: at least ${bounds.lower}, but it is ${distinct}`);
          assert.ok(
            distinct <= (bounds.upper ?? Infinity),
            `${name}: at most ${bounds.upper}, but it is ${distinct}`,
          );
          if (bounds.exact) assert.deepEqual([bounds.lower, bounds.upper], [distinct, distinct]);
        }
      }),
    ),
    { numRuns, seed: 20_240_606, includeErrorInReport: true },
  );

test('how many values there are lies within the published bounds', (t) =>
  t.notThrowsAsync(cardinalitiesHold(false, casesOf(0.17))));
test('so it does when a node only says its own number over HTTP', (t) =>
  t.notThrowsAsync(cardinalitiesHold(true, casesOf(0.02))));
