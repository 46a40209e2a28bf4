import assert from 'node:assert/strict';
import type { Random } from '../../engines/random-documents.ts';
import type { Institution } from './consortium.ts';
import { facetOf, hitsOf } from './oracle.ts';
import type { FilterJson, SortKey } from './oracle.ts';
import type { OpenedConsortium } from './opened.ts';

export interface Question {
  readonly network: OpenedConsortium;
  readonly institutions: readonly Institution[];
  readonly filter: FilterJson | null;
}

interface Bucket {
  readonly key: string;
  readonly doc_count: number;
  readonly upper_bound: number;
  readonly exact: boolean;
}
interface Terms {
  readonly buckets: readonly Bucket[];
  readonly bucket_count: number;
  readonly bucket_count_exact: boolean;
  readonly unlisted_upper_bound: number;
  readonly cardinality: number | null;
  readonly cardinality_bounds: {
    readonly lower: number;
    readonly upper: number | null;
    readonly exact: boolean;
  };
}

const listed = ['k', 'c', 'g', 'b', 'items.k', 'items.c', 'items.g', 'items.subs.k'];
const named = (path: string): string => path.replaceAll('.', '__');

const terms = (max: string): string =>
  `{ bucket_count bucket_count_exact unlisted_upper_bound cardinality cardinality_bounds { lower upper exact } buckets${max} { key doc_count upper_bound exact } }`;
const histogram = 'histogram(interval: 5) { buckets { key doc_count } }';
const ranges =
  'range(ranges: [{ from: 1, key: "high" }, { to: 1, key: "low" }, { from: 0, to: 2, key: "within" }]) { buckets { key doc_count } }';
const wholeQuery = `query($filters: JSON, $themselves: Boolean, $missing: Boolean) {
  network(filters: $filters, aggregations_filter_themselves: $themselves, include_missing: $missing) {
    total
    aggregations {
      ${listed.map((path) => `${named(path)} ${terms('')}`).join(' ')}
      x { stats { count min max } }
      n { ${ranges} stats { count } }
      d { stats { count min max sum avg } }
      items__n { stats { count min max sum } ${ranges} cardinality_bounds { lower upper exact } }
    }
  }
}`;

/** Every facet of every kind, whole. */
export const checkFacets = async (
  { network, institutions, filter }: Question,
  themselves: boolean,
  missing: boolean,
): Promise<void> => {
  const answer = await network.runQuery(wholeQuery, { filters: filter, themselves, missing });
  assert.equal(answer['total'], hitsOf(institutions, filter, []).length, 'total');
  const aggregations = answer['aggregations'] as Record<string, Terms & Numbers>;
  for (const path of listed) {
    const wanted = facetOf(institutions, path, filter, themselves);
    const seen = aggregations[named(path)]!;
    const buckets = inOrder(wanted.counts).map(([key, count]) => bucketOf(key, count));
    const last = missing && wanted.missing > 0 ? [bucketOf('__missing__', wanted.missing)] : [];
    assert.deepEqual(seen.buckets, [...buckets, ...last], `${path} themselves ${themselves}`);
    assert.equal(seen.bucket_count, buckets.length + last.length, path);
    const distinct = wanted.counts.size;
    assert.deepEqual(seen.cardinality_bounds, { lower: distinct, upper: distinct, exact: true }, path);
  }
  for (const path of ['x', 'n', 'd', 'items.n'])
    checkNumbers(aggregations[named(path)]!, facetOf(institutions, path, filter, themselves), path);
};

const bucketOf = (key: string, count: number): Bucket => ({
  key,
  doc_count: count,
  upper_bound: count,
  exact: true,
});

const inOrder = (counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] =>
  [...counts].sort((a, b) => b[1] - a[1] || Buffer.compare(Buffer.from(a[0]), Buffer.from(b[0])));

interface Numbers {
  readonly stats: Readonly<Record<string, number | null>>;
  readonly range?: { readonly buckets: readonly { readonly key: string; readonly doc_count: number }[] };
  readonly histogram?: { readonly buckets: readonly { readonly key: string; readonly doc_count: number }[] };
}

const checkNumbers = ({ stats, range }: Numbers, wanted: ReturnType<typeof facetOf>, path: string): void => {
  const values = wanted.values.map(Number);
  assert.equal(stats['count'], values.length, `${path} count`);
  if ('min' in stats) {
    assert.equal(stats['min'], values.length === 0 ? null : Math.min(...values), `${path} min`);
    assert.equal(stats['max'], values.length === 0 ? null : Math.max(...values), `${path} max`);
  }
  if ('avg' in stats && values.length > 0)
    assert.equal(stats['avg'], values.reduce((sum, value) => sum + value, 0) / values.length, `${path} avg`);
  if (range !== undefined) {
    const counted = (test: (value: number | bigint) => boolean): number =>
      wanted.objects.filter((held) => (held as readonly (number | bigint)[]).some(test)).length;
    assert.deepEqual(
      range.buckets.map(({ key, doc_count }) => [key, doc_count]),
      [
        // by their ends, whatever order was requested
        ['low', counted((value) => value < 1)],
        ['within', counted((value) => value >= 0 && value < 2)],
        ['high', counted((value) => value >= 1)],
      ],
      `${path} ranges`,
    );
  }
};

/** One facet cut to its first buckets: these are exact and in order, and the bound of all others holds. */
export const checkListed = async (
  { network, institutions, filter }: Question,
  random: Random,
): Promise<void> => {
  const [path, max] = [random.pick(listed), 1 + random.below(3)];
  const small = `query($filters: JSON) { network(filters: $filters) { aggregations {
    ${named(path)} ${terms(`(max: ${max})`)}
    items__n { ${histogram} }
  } } }`;
  const { aggregations } = (await network.runQuery(small, { filters: filter })) as {
    aggregations: Record<string, Terms & Numbers>;
  };
  const wanted = facetOf(institutions, path, filter, false);
  const seen = aggregations[named(path)]!;
  const shown = seen.buckets.filter(({ key }) => key !== '__missing__');
  assert.ok(shown.length <= max, 'max');
  const counted = new Map(shown.map(({ key }) => [key, wanted.counts.get(key) ?? 0]));
  assert.deepEqual(
    shown,
    inOrder(counted).map(([key, count]) => bucketOf(key, count)),
    path,
  );
  for (const [key, count] of wanted.counts)
    if (!shown.some((bucket) => bucket.key === key))
      assert.ok(
        count <= seen.unlisted_upper_bound,
        `${path} ${key} unlisted: ${count} <= ${seen.unlisted_upper_bound}`,
      );
  checkHistogram(aggregations['items__n']!, facetOf(institutions, 'items.n', filter, false));
};

const checkHistogram = ({ histogram: seen }: Numbers, { objects }: ReturnType<typeof facetOf>): void => {
  const counts = new Map<number, number>();
  for (const held of objects)
    for (const step of new Set(held.map((value) => Math.floor(Number(value) / 5))))
      counts.set(step, (counts.get(step) ?? 0) + 1);
  const steps = [...counts.keys()];
  const first = Math.min(...steps);
  const wanted = Array.from({ length: steps.length === 0 ? 0 : Math.max(...steps) - first + 1 }, (_, at) => ({
    key: String((first + at) * 5),
    doc_count: counts.get(first + at) ?? 0,
  }));
  assert.deepEqual(seen!.buckets, wanted, 'histogram');
};

const hitsQuery = `query($filters: JSON, $sort: [Sort], $first: Int, $offset: Int, $after: JSON) {
  network(filters: $filters) {
    hits(first: $first, offset: $offset, sort: $sort, searchAfter: $after) { total edges { searchAfter node { id } } }
  }
}`;

/** A walk by cursor to the end, or a page by offset; a refusal where a node has values of its own. */
export const checkHits = async (
  { network, institutions, filter }: Question,
  sort: readonly SortKey[],
  first: number,
  random: Random,
): Promise<void> => {
  const wanted = hitsOf(institutions, filter, sort);
  const page = async (variables: Record<string, unknown>) =>
    (
      (await network.runQuery(hitsQuery, { filters: filter, sort, first, ...variables })) as {
        hits: { total: number; edges: readonly { searchAfter: unknown; node: { id: string } }[] };
      }
    ).hits;
  const refused = sort.find(({ fieldName }) => institutions.some(({ values }) => fieldName in values));
  if (refused !== undefined) {
    const { nodeId } = institutions.find(({ values }) => refused.fieldName in values)!;
    const message = `node "${nodeId}" writes ${refused.fieldName} in its own values: sort by another field`;
    return assert.rejects(page({}), { message });
  }
  if (random.chance(0.3)) {
    const offset = random.below(10);
    const { edges } = await page({ offset });
    assert.deepEqual(
      edges.map(({ node }) => node.id),
      wanted.slice(offset, offset + first),
      `offset ${offset} ${JSON.stringify(sort)}`,
    );
    return;
  }
  const seen: string[] = [];
  for (let after: unknown = null; seen.length <= wanted.length;) {
    const { total, edges } = await page({ after });
    assert.equal(total, wanted.length, 'total');
    seen.push(...edges.map(({ node }) => node.id));
    if (edges.length < first) break;
    after = edges.at(-1)!.searchAfter;
  }
  assert.deepEqual(seen, wanted, `sort ${JSON.stringify(sort)} by ${first}`);
};
