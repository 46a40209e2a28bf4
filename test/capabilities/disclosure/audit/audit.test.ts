import test from 'ava';
import { audit, auditedBounds } from '../../../../src/capabilities/disclosure/audit/audit.ts';
import { publishedBounds } from '../../../../src/capabilities/disclosure/audit/cell-bounds.ts';
import { countCells, publish } from '../../../../src/capabilities/disclosure/table/count-cells.ts';
import type { Dimension } from '../../../../src/capabilities/disclosure/table/released-table.ts';
import { below, columnsOf, randomUnits, seeded, type RandomUnits, type Shape } from '../random-units.ts';
import { linearProgram } from './linear-program.ts';
import { tableCount } from './table-count.ts';

const released = (data: RandomUnits, rules: { readonly threshold: number; readonly order: number }) => {
  const counts = countCells(columnsOf(data), data.units.length, data.dimensions, rules.order);
  return { counts, table: publish(counts, data.dimensions, rules) };
};

/** Some hidden cells of every block, and what each method finds of them. */
const compared = (seed: number, shape: Shape, order: number, cellsOfBlock: number) => {
  const random = seeded(seed);
  const { counts, table } = released(randomUnits(random, shape), { threshold: 10, order });
  return [null, counts].flatMap((zeros) => {
    const found = auditedBounds(table, counts, zeros);
    const exact = linearProgram(table, publishedBounds(table, zeros));
    return [...table.blocks].flatMap(([key, { levels }]) => {
      const hidden = [...levels.keys()].filter((cell) => levels[cell] === 0);
      const chosen = Array.from(
        { length: Math.min(cellsOfBlock, hidden.length) },
        () => hidden[below(random, hidden.length)]!,
      );
      return chosen.map((cell) => {
        const { lower, upper } = found.blocks.get(key)!;
        return {
          name: `seed ${seed}, ${key} ${cell}`,
          audited: { lower: lower[cell]!, upper: upper[cell]! },
          exact: exact(key, cell),
        };
      });
    });
  });
};

/** The cubes have up to 600 cells where there are many. */
const cubes = tableCount(2, 12);
const cellsOfSide = cubes > 2 ? 7 : 6;

test('in a two-way table the audit finds exactly the values that linear programming finds', (t) => {
  for (let seed = 0; seed < 3; seed += 1) {
    const cells = compared(seed, { dimensions: 2, cells: 6, units: 60 + 60 * seed, lists: false }, 2, 8);
    t.deepEqual(
      cells.map(({ name, audited }) => ({ name, ...audited })),
      cells.map(({ name, exact }) => ({ name, ...exact })),
    );
  }
});

for (const { order, lists } of [
  { order: 2, lists: false },
  { order: 3, lists: false },
  { order: 3, lists: true },
])
  test(`in a cube at order ${order}${lists ? ' with lists' : ''} the audit never rules out what is possible`, (t) => {
    let [all, wider, missed] = [0, 0, 0];
    for (let seed = 100; seed < 100 + cubes; seed += 1)
      for (const { name, audited, exact } of compared(
        seed,
        { dimensions: 3, cells: cellsOfSide, units: 400, lists },
        order,
        6,
      )) {
        t.true(audited.lower <= exact.lower && audited.upper >= exact.upper, name);
        all += 1;
        const [found, possible] = [audited, exact].map(({ lower, upper }) => upper - lower + 1) as [
          number,
          number,
        ];
        if (found > possible) wider += 1;
        if (found >= 5 && possible < 5) missed += 1;
      }
    t.log(`${all} hidden cells: of ${wider} linear programming says more, of ${missed} fewer than 5 values`);
  });

const plain = (fieldName: string, values: readonly string[], isMulti = false): Dimension => ({
  fieldName,
  isMulti,
  cells: [...values.map((value) => ({ kind: 'value', value }) as const), { kind: 'missing' }],
});

test('a release whose sums pin down a hidden cell fails, and names the cell', (t) => {
  // nine letters of nine units: 80 to 89 in all, of which the others are at most 72
  const dimensions = [plain('letter', [...'abcdefghi'])];
  const units = Array.from({ length: 81 }, (_, unit) => [[unit % 9]]);
  const { table, counts } = released({ dimensions, units }, { threshold: 10, order: 2 });
  const report = audit(table, counts);
  t.deepEqual(
    { ...report, failures: report.failures.length },
    { cells: 10, hidden: 10, required: 5, failures: 9 },
  );
  t.deepEqual(report.failures[0], { cell: [{ dimension: 0, cell: 0 }], feasible: 2, knowing: 'zeros' });
});

test('a release passes although a hidden cell surely has someone in it', (t) => {
  const dimensions = [plain('letter', [...'abc'])];
  const units = Array.from({ length: 21 }, (_, unit) => [[unit % 3]]);
  const { table, counts } = released({ dimensions, units }, { threshold: 10, order: 2 });
  t.deepEqual(audit(table, counts).failures, []);
});

test('what everyone can tell is reported once, as such', (t) => {
  // ten letters of nine units: 90 in all, of which nine are at most 81
  const dimensions = [plain('letter', [...'abcdefghij'])];
  const units = Array.from({ length: 90 }, (_, unit) => [[unit % 10]]);
  const { table, counts } = released({ dimensions, units }, { threshold: 10, order: 2 });
  const { failures } = audit(table, counts);
  // of the empty cell for no letter, everyone knows that it has at most nine
  t.deepEqual(
    failures.map(({ cell, knowing }) => [cell[0]!.cell, knowing]),
    [...'abcdefghij'].map((_, cell) => [cell, 'zeros']),
  );
  const closed = [{ ...dimensions[0]!, cells: dimensions[0]!.cells.slice(0, 10) }];
  const without = released({ dimensions: closed, units }, { threshold: 10, order: 2 });
  t.deepEqual(
    audit(without.table, without.counts).failures,
    [...'abcdefghij'].map((_, cell) => ({
      cell: [{ dimension: 0, cell }],
      feasible: 1,
      knowing: 'release' as const,
    })),
  );
});
