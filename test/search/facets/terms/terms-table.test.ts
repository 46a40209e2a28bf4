import test from 'ava';
import fc from '../../../fast-check.ts';
import type { TermsList } from '../../../../src/search/facets/terms/terms-table.ts';
import { knownBound, termsTable as summing } from '../../../../src/search/facets/terms/terms-table.ts';
import { lowerOf } from '../../../../src/search/count.ts';
import { ended } from './ended.ts';

const termsTable = (all: readonly TermsList[]) => ended(summing(all));

const key = fc.oneof(
  fc.constantFrom('a', 'b', 'c', '', '0', '7', '4294967295', '__proto__', 'constructor', 'é'),
  fc.integer({ min: 0, max: 60 }).map((number) => `key ${number}`),
);
const buckets = fc.uniqueArray(fc.record({ key, count: fc.integer({ min: 1, max: 2 ** 31 - 1 }) }), {
  selector: (bucket) => bucket.key,
  maxLength: 40,
});
const lists = fc.array(fc.tuple(buckets, fc.boolean()), { maxLength: 6 }).map((all) =>
  all.map(([listed, isCut], index): TermsList => {
    const counts = listed.map(({ count }) => count);
    const smallest = isCut && listed.length > 0 ? Math.min(...counts) : 0;
    return { nodeId: `n${index}`, buckets: listed, smallest, values: null };
  }),
);

test('every key has the counts of its lists, and what truncated lists may hide', (t) => {
  const holds = fc.property(lists, (all) => {
    const table = termsTable(all);
    const keys = new Set(all.flatMap((list) => list.buckets.map((bucket) => bucket.key)));
    t.deepEqual(table.keys, [...keys]);
    t.is(table.lower.length, keys.size);
    for (const [index, one] of table.keys.entries()) {
      const nodes = all.flatMap(({ nodeId, buckets: listed }) =>
        listed.filter((bucket) => bucket.key === one).map(({ count }) => ({ nodeId, count: lowerOf(count) })),
      );
      const silent = all.filter(({ buckets: listed }) => !listed.some((bucket) => bucket.key === one));
      const lower = nodes.reduce((sum, { count }) => sum + count, 0);
      t.is(table.lower[index], lower);
      t.is(table.upper[index], lower + silent.reduce((sum, { smallest }) => sum + smallest, 0));
      t.deepEqual(table.nodesAt(index), nodes);
    }
  });
  fc.assert(holds);
});

test('a key that a node lists twice counts its largest at least, and all of it at most', (t) => {
  const twice = [
    { key: 'a', count: 3 },
    { key: 'b', count: 1 },
    { key: 'a', count: 5, keyAsString: 'A' },
  ];
  const table = termsTable([
    { nodeId: 'n', buckets: twice, smallest: 0, values: null },
    { nodeId: 'm', buckets: [{ key: 'a', count: 2 }], smallest: 0, values: null },
  ]);
  t.deepEqual([...table.lower], [7, 1]);
  t.deepEqual([...table.upper], [10, 1]);
  t.deepEqual(table.nodesAt(0), [
    { nodeId: 'n', count: 5 },
    { nodeId: 'm', count: 2 },
  ]);
});

test('a count that may be more raises the upper bound, and gives an estimate where every such node has one', (t) => {
  const listed = (nodeId: string, buckets: TermsList['buckets']): TermsList => ({
    nodeId,
    buckets,
    smallest: 0,
    values: null,
  });
  const table = termsTable([
    listed('exact', [
      { key: 'a', count: 4 },
      { key: 'b', count: 1 },
    ]),
    listed('range', [
      { key: 'a', count: { lower: 3, upper: 8, estimate: 5 } },
      { key: 'b', count: { lower: 2, upper: 6 } },
    ]),
    listed('less', [
      { key: 'a', count: { lower: 2, upper: 3, estimate: 1 } },
      { key: 'c', count: { lower: 0, upper: null } },
    ]),
  ]);
  t.deepEqual([...table.lower], [9, 3, 0]);
  t.deepEqual([...table.upper].map(knownBound), [15, 7, null]);
  t.deepEqual([0, 1, 2].map(table.estimateAt), [10, null, null]);
  t.is(termsTable([listed('exact', [{ key: 'a', count: 4 }])]).estimateAt(0), null);
});

test('documents that match filters add up, and the first document is that of the first node that has one', (t) => {
  const listed = (
    nodeId: string,
    buckets: TermsList['buckets'],
    documentOf?: TermsList['documentOf'],
  ): TermsList => ({ nodeId, buckets, smallest: 0, values: null, documentOf });
  const table = termsTable([
    listed('none', [
      { key: 'a', count: 9, filtered: [1, 2], topHit: null },
      { key: 'b', count: 3, filtered: [3, 0], topHit: { id: 1 } },
    ]),
    listed(
      'own',
      [
        { key: 'c', count: 1, filtered: [1, 1], topHit: { id: 2 } },
        { key: 'a', count: 1, filtered: [0, 1], topHit: { id: 3 } },
      ],
      ({ id }) => ({ ID: id! }),
    ),
  ]);
  t.deepEqual([0, 1, 2].map(table.filteredAt), [
    [1, 3],
    [3, 0],
    [1, 1],
  ]);
  t.deepEqual([0, 1, 2].map(table.topHitAt), [{ ID: 3 }, { id: 1 }, { ID: 2 }]);
});

test('short lists among very many keys count like any other', (t) => {
  const listed = (nodeId: string, buckets: TermsList['buckets'], smallest: number): TermsList => ({
    nodeId,
    buckets,
    smallest,
    values: null,
  });
  const many = Array.from({ length: 100 }, (_, at) => ({ key: `key ${at}`, count: 10 }));
  const twice = [
    { key: 'key 7', count: 3 },
    { key: 'new', count: 2 },
    { key: 'key 7', count: 2 },
  ];
  const table = termsTable([
    listed('n', many, 0),
    listed('m', twice, 0),
    listed('o', [{ key: 'key 7', count: 5 }], 1),
  ]);
  const boundsOf = (key: string) => {
    const index = table.keys.indexOf(key);
    return [table.lower[index], table.upper[index]];
  };
  t.deepEqual(['key 7', 'new', 'key 8'].map(boundsOf), [
    [18, 20],
    [2, 3],
    [10, 11],
  ]);
});

test('labels are those of the first list that has the key', (t) => {
  const listed = (keyAsString: string) => [
    { key: '1', count: 1, keyAsString },
    { key: '0', count: 1 },
  ];
  const table = termsTable(
    ['true', 'yes'].map((label) => ({
      nodeId: label,
      buckets: listed(label),
      smallest: 0,
      values: null,
    })),
  );
  t.deepEqual(table.labels, ['true', undefined]);
});

test('more different values than can be ordered are refused with a way to narrow them', (t) => {
  const list = (nodeId: string): TermsList => ({
    nodeId,
    buckets: Array.from({ length: 350_000 }, (_, at) => ({ key: `${nodeId}${at}`, count: 1 })),
    smallest: 0,
    values: null,
  });
  const [a, b] = [list('a'), list('b')];
  t.is(termsTable([a, a, b]).keys.length, 700_000);
  t.throws(() => termsTable([a, b, list('c')]), {
    code: 'BAD_USER_INPUT',
    message:
      /^the nodes have more than 1000000 different values together: ask for the most frequent ones with max/,
  });
});

test('of two listed values shown as one, a truncated list hides no more than both counts', (t) => {
  const listed = new Map([
    ['m', 'Male'],
    ['M', 'Male'],
  ]);
  const values = {
    toNetwork: (value: string) => listed.get(value) ?? value,
    toNode: () => ['m', 'M'],
    listed,
  };
  const buckets = [
    { key: 'm', count: 5 },
    { key: 'M', count: 3 },
  ];
  const table = termsTable([{ nodeId: 'n', buckets, smallest: 3, values }]);
  t.deepEqual([table.keys, [...table.lower], [...table.upper]], [['Male'], [5], [8]]);
});
