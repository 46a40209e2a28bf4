import test from 'ava';
import type { Formula } from '../../../../src/capabilities/disclosure/bounds/formula.ts';
import { selectionsOver } from '../../../../src/capabilities/disclosure/bounds/selections.ts';
import { groupBounds } from '../../../../src/capabilities/disclosure/table/interval.ts';
import type { ReleasedTable } from '../../../../src/capabilities/disclosure/table/released-table.ts';

const whole = { lower: 40, upper: 49 };
const parts = [
  { lower: 30, upper: 39 },
  { lower: 20, upper: 29 },
];

test('two groups overlap by what surely does not fit into all units, at their most', (t) => {
  // 49 units of which the first 30 are in one group and the last 20 in the other share one
  t.deepEqual(groupBounds('and', parts, whole), { lower: 1, upper: 29 });
  t.deepEqual(groupBounds('and', [...parts, { lower: 45, upper: 49 }], whole), { lower: 0, upper: 29 });
});

test('two groups together are at least the larger group, and at most all units', (t) => {
  t.deepEqual(groupBounds('or', parts, whole), { lower: 30, upper: 49 });
  t.deepEqual(groupBounds('or', [parts[1]!], whole), { lower: 20, upper: 29 });
});

test('a selection over a block that is too large is left to the other bounds, however small its other dimensions', (t) => {
  const dimension = (size: number) => ({
    fieldName: `of ${size}`,
    isMulti: false,
    cells: Array.from({ length: size }, (_, at) => ({ kind: 'value', value: String(at) }) as const),
  });
  const table: ReleasedTable = {
    ...{ threshold: 10, order: 2, total: 5, blocks: new Map() },
    dimensions: [dimension(2), dimension(400), dimension(400)],
  };
  const read: number[] = [];
  const formula = { kind: 'in', dimension: 0, cells: [0], key: '0', uses: new Set([0, 1, 2]) };
  t.is(selectionsOver(table, (cells) => read.push(cells))(formula as Formula), null);
  t.deepEqual(read, []);
});
