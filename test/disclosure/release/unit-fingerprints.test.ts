import { createHash } from 'node:crypto';
import test from 'ava';
import { unitFingerprints } from '../../../src/disclosure/release/unit-fingerprints.ts';

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
  t.deepEqual([...unitFingerprints(units, cells)], [...BigUint64Array.from(expected).sort()]);
});
