import test from 'ava';
import { audit } from '../../../../src/capabilities/disclosure/audit/audit.ts';
import { coordinatesOf } from '../../../../src/capabilities/disclosure/audit/cell-bounds.ts';
import { publish, type Counts } from '../../../../src/capabilities/disclosure/table/count-cells.ts';
import {
  blockKey,
  combinations,
  type Dimension,
} from '../../../../src/capabilities/disclosure/table/released-table.ts';

/** What the audit says of a table with these counts in its finest cells, the last dimension fastest. */
const verdict = (sizes: readonly number[], cells: readonly number[], threshold = 10) => {
  const order = Math.max(2, sizes.length);
  const dimensions = sizes.map((size, index): Dimension => ({
    fieldName: `d${index}`,
    isMulti: false,
    cells: Array.from({ length: size }, (_, value) => ({ kind: 'value', value })),
  }));
  const blocks = combinations(dimensions, order).map((chosen): [string, Uint32Array] => {
    const own = chosen.map((position) => sizes[position]!);
    const counts = new Uint32Array(own.reduce((product, size) => product * size, 1));
    cells.forEach((count, cell) => {
      const at = coordinatesOf(cell, sizes);
      const place = chosen.reduce((sum, position, depth) => sum * own[depth]! + at[position]!, 0);
      counts[place] = counts[place]! + count;
    });
    return [blockKey(chosen), counts];
  });
  const counts: Counts = { total: cells.reduce((sum, count) => sum + count, 0), blocks: new Map(blocks) };
  const { failures } = audit(publish(counts, dimensions, { threshold, order }), counts);
  return failures.map(({ cell, feasible, knowing }) => [
    cell.map((part) => `d${part.dimension}=${part.cell}`).join(),
    feasible,
    knowing,
  ]);
};

const full = (groups: number, threshold: number): number[] =>
  Array.from({ length: groups }, () => threshold - 1);

test('the last group of some that are as full as hidden ones can be may have as many values as are required', (t) => {
  // 54 of six groups: 50 at least, of which five are at most 45, so the sixth is 5 to 9
  t.deepEqual(verdict([6], full(6, 10)), []);
  t.deepEqual(
    verdict([7], full(7, 10)),
    full(7, 10).map((_, cell) => [`d0=${cell}`, 4, 'release']),
  );
});

test('a larger threshold requires half of it', (t) => {
  t.deepEqual(verdict([8], full(8, 14), 14), []);
  t.deepEqual(
    verdict([9], full(9, 14), 14),
    full(9, 14).map((_, cell) => [`d0=${cell}`, 6, 'release']),
  );
});

test('all units together are a hidden count too, when they are few', (t) => {
  // six groups that are known to have someone
  t.deepEqual(verdict([6], [1, 1, 1, 1, 1, 1]).at(-1), ['', 4, 'zeros']);
  t.deepEqual(verdict([5], [1, 1, 1, 1, 1]), []);
});

test('what two characteristics say together is found by maximum flow, where no single sum tells it', (t) => {
  const cells = [0, 9, 4, 5, 9, 1, 5, 0, 8, 5, 9, 2, 0, 7, 0, 0, 0, 6];
  t.deepEqual(verdict([3, 3, 2], cells), [
    ['d0=0,d1=0', 4, 'zeros'],
    ['d0=0,d1=1', 4, 'zeros'],
    ['d0=2,d1=0', 4, 'zeros'],
  ]);
});

test('so is what two say of those with a third', (t) => {
  const cells = [10, 0, 0, 3, 9, 0, 0, 6, 9, 3, 0, 0, 10, 0, 7, 0, 10, 8, 8, 6, 8, 6, 9, 8, 9, 2, 9];
  t.deepEqual(verdict([3, 3, 3], cells), [
    ['d0=0,d1=1,d2=1', 4, 'zeros'],
    ['d0=2,d1=2,d2=1', 4, 'zeros'],
  ]);
});

test('of an empty cell, everyone may tell too much although who knows the empty ones learns nothing of it', (t) => {
  // the first column has 60 at least, of which six are at most 54, so the seventh is 6 to 9; its row has 19 at most,
  // of which the second is at least 10, so that 3 are left for the third
  const cells = [[6, 10, 0], ...Array.from({ length: 6 }, () => [9, 25, 25])].flat();
  const found = verdict([7, 3], cells);
  t.deepEqual(
    found.filter(([cell]) => cell === 'd0=0,d1=2'),
    [['d0=0,d1=2', 4, 'release']],
  );
});
