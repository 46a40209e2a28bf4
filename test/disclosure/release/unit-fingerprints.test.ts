import { createHash } from 'node:crypto';
import test from 'ava';
import { changedUnits, unitFingerprints } from '../../../src/disclosure/release/units.ts';

test('a fingerprint is that of the id with its cells as JSON, whatever release it is of', (t) => {
  const values = ['a', 'b', 'c', 'd'];
  const cells = [
    [
      ...['a', 'b'].map((value) => ({ kind: 'value', value }) as const),
      { kind: 'other' } as const,
      { kind: 'missing' } as const,
    ],
    [{ kind: 'value', value: 'a' } as const, { kind: 'other' } as const],
  ];
  const units = {
    ids: ['D1', 'D"2"', 'D3', 'D4'],
    columns: [
      { values, first: [1, -1, 0, 2], several: new Map([[2, new Set([2, 0, 3])]]) },
      { values, first: [0, 0, 1, -1], several: new Map() },
    ],
    withoutUnit: 0,
  };
  const expected = [
    ['D1', [[1], [0]]],
    ['D"2"', [[], [0]]],
    ['D3', [[0, 2], [1]]],
    ['D4', [[2], []]],
  ].map((own) => createHash('sha256').update(JSON.stringify(own)).digest().readBigUInt64LE(0));
  t.deepEqual([...unitFingerprints(units, [3, 2, 1, 0], cells)], [...BigUint64Array.from(expected).sort()]);
});

test('units that were added, removed or changed are counted once, whatever the others are', (t) => {
  const changes = (before: readonly number[], now: readonly number[]): number =>
    changedUnits(BigUint64Array.from(before, BigInt), BigUint64Array.from(now, BigInt));
  t.is(changes([], []), 0);
  t.is(changes([1, 2, 3], [1, 2, 3]), 0);
  t.is(changes([1, 2, 3], [2, 3]), 1);
  t.is(changes([1, 3], [1, 2, 3]), 1);
  t.is(changes([1, 2, 3, 9], [2, 3, 9]), 1);
  // a changed one is gone and come, one of each
  t.is(changes([1, 2, 3], [1, 3, 7]), 1);
  t.is(changes([1, 2], [3, 4, 5]), 3);
  t.is(changes([3, 4, 5], [1, 2]), 3);
  t.is(changes([], [1, 2]), 2);
  t.is(changes([1, 2], []), 2);
  // two of one value are two units
  t.is(changes([1, 1], [1]), 1);
});
