import test from 'ava';
import type { CursorKey } from '../../../src/engines/semantics/cursor.ts';
import type { CursorValue } from '../../../src/engines/engine.ts';
import { mergeHits, type HitsPart, type MergeKey } from '../../../src/federation/merge/hits.ts';

const keyOf = (type: string, place: 'first' | 'last' = 'last'): CursorKey => ({
  field: { path: 'n', type },
  order: 'asc',
  missing: place,
});

const part = (
  nodeId: string,
  cursors: readonly (readonly CursorValue[])[],
  more: Partial<HitsPart> = {},
): HitsPart => ({
  nodeId,
  hits: cursors.map((cursor, index) => ({ id: `${nodeId}${index}`, source: {}, cursor })),
  sort: [0],
  sortedBy: [keyOf('long')],
  complete: true,
  ...more,
});

const order = (parts: readonly HitsPart[], key: MergeKey): readonly string[] =>
  mergeHits(parts, [key], { offset: 0, first: 50 }, null).map(({ hit }) => hit.id);

const number = { kind: 'number', order: 'asc', missing: 'last' } as const;

test('missing values are missing however a node writes them', (t) => {
  const a = part('a', [
    [1, 'x'],
    ['9223372036854775807', 'y'],
  ]);
  const b = part(
    'b',
    [
      [2, 'x'],
      ['Infinity', 'y'],
    ],
    { sortedBy: [keyOf('double')] },
  );
  const c = part('c', [
    [3, 'x'],
    [null, 'y'],
    [9223372036854776000, 'z'],
  ]);
  t.deepEqual(order([c, b, a], number), ['a0', 'b0', 'c0', 'a1', 'b1', 'c1', 'c2']);
});

test('ties are ordered by node, then as each node has them', (t) => {
  const [a, b] = [
    part('a', [[1, 'z']]),
    part('b', [
      [1, 'y'],
      [1, 'x'],
    ]),
  ];
  t.deepEqual(order([b, a], number), ['a0', 'b0', 'b1']);
});

test('a value never sorts as missing, however large or small it is', (t) => {
  const longs = part('a', [
    ['-9223372036854775808', 'values:0;1'],
    ['-9223372036854775807', 2],
    ['9223372036854775807', 'values:0;3'],
    ['9223372036854775807', 4],
  ]);
  const doubles = part(
    'b',
    [
      [-1e300, 1],
      [9223372036854775808, 2],
      [1e19, 3],
      ['Infinity', 4],
    ],
    {
      sortedBy: [keyOf('double')],
    },
  );
  const unsigned = part(
    'c',
    [
      ['9223372036854775808', 1],
      ['18446744073709551615', 'values:0;2'],
    ],
    {
      sortedBy: [keyOf('unsigned_long')],
    },
  );
  t.deepEqual(order([unsigned, longs, doubles], number), [
    ...['b0', 'a0', 'a1', 'a2', 'b1', 'c0', 'b2', 'c1'],
    ...['a3', 'b3'],
  ]);
});

test('longs past 2^53 compare by their digits', (t) => {
  const a = part('a', [['9007199254740993', 1]]);
  const b = part('b', [['9007199254740992', 1]]);
  t.deepEqual(order([a, b], number), ['b0', 'a0']);
});

test('rows of a node that was not sent the key count as missing', (t) => {
  const without = part('a', [[1], [2]], { sort: [null], sortedBy: [] });
  t.deepEqual(order([without, part('b', [[5, 'x']])], number), ['b0', 'a0', 'a1']);
  t.deepEqual(order([without, part('b', [[5, 'x']])], { ...number, missing: 'first' }), ['a0', 'a1', 'b0']);
});

test('a node that gave less than it has ends the page where nothing more is known', (t) => {
  const cut = part(
    'a',
    [
      [1, 'x'],
      [4, 'y'],
    ],
    { complete: false },
  );
  t.deepEqual(
    order(
      [
        cut,
        part('b', [
          [2, 'x'],
          [9, 'y'],
        ]),
      ],
      number,
    ),
    ['a0', 'b0', 'a1'],
  );
});

test('a row without a tie-break has no position, nor has any after it', (t) => {
  const merged = mergeHits(
    [part('a', [[1, 'x']]), part('b', [[2]])],
    [number],
    { offset: 0, first: 9 },
    null,
  );
  t.deepEqual(
    merged.map(({ position }) => position && [...position]),
    [[['a', [1, 'x']]], null],
  );
});

test('merging reads no cursor: only where a page ends, one of each node', (t) => {
  let read = 0;
  const sealing = (nodeId: string, from: number): HitsPart => ({
    ...part(nodeId, []),
    hits: Array.from({ length: 100 }, (_, n) => ({
      id: `${nodeId}${n}`,
      source: {},
      rank: [from + 2 * n, n],
      get cursor() {
        read += 1;
        return [from + 2 * n, `tie:${n}`];
      },
    })),
  });
  const merged = mergeHits([sealing('a', 0), sealing('b', 1)], [number], { offset: 0, first: 200 }, null);
  t.deepEqual([merged.length, read], [200, 0]);
  t.deepEqual(Object.fromEntries(merged.at(-1)!.position!), { a: [198, 'tie:99'], b: [199, 'tie:99'] });
  t.is(read, 2);
});

test('a node that writes fractions of nanoseconds does not break the order of the others', (t) => {
  const nanos = { sortedBy: [keyOf('date_nanos')] };
  const a = part('a', [['1500000000000000000.5', 'x']], nanos);
  const b = part(
    'b',
    [
      [1.5, 'x'],
      ['1600000000000000000', 'y'],
    ],
    nanos,
  );
  t.deepEqual(order([a, b], { kind: 'date', order: 'asc', missing: 'last' }), ['b0', 'a0', 'b1']);
  const milliseconds = part('c', [[1_500_000_000_001, 'x']], { sortedBy: [keyOf('date')] });
  t.deepEqual(order([a, milliseconds], { kind: 'date', order: 'desc', missing: 'last' }), ['c0', 'a0']);
});
