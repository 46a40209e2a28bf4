import { cpSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { audit } from '../../../../src/capabilities/disclosure/audit/audit.ts';
import { publishedBounds } from '../../../../src/capabilities/disclosure/audit/cell-bounds.ts';
import { jointTable, maxColumns } from '../../../../src/capabilities/disclosure/audit/joint-tables.ts';
import { auditSetsApart } from '../../../../src/capabilities/disclosure/release/audit-sets.ts';
import { countCells, publish } from '../../../../src/capabilities/disclosure/table/count-cells.ts';
import type { Dimension } from '../../../../src/capabilities/disclosure/table/released-table.ts';
import { temporaryFolder } from '../../../server/config/temporary-folder.ts';
import { drafted } from '../cohort.ts';
import { columnsOf, randomUnits, seeded } from '../random-units.ts';

const plain = (size: number, index: number): Dimension => ({
  fieldName: `d${index}`,
  isMulti: false,
  cells: Array.from({ length: size }, (_, value) => ({ kind: 'value', value: `v${value}` })),
});

/** A release of so many units in each finest cell, the last dimension fastest. */
const released = (sizes: readonly number[], cells: readonly number[], order: number) => {
  const dimensions = sizes.map(plain);
  const units = cells.flatMap((count, cell) => {
    const at = sizes.map((size, depth) => [
      Math.floor(cell / sizes.slice(depth + 1).reduce((product, one) => product * one, 1)) % size,
    ]);
    return Array<number[][]>(count).fill(at);
  });
  const counts = countCells(columnsOf({ dimensions, units }), units.length, dimensions, order);
  const table = publish(counts, dimensions, { threshold: 10, order });
  return { table, counts, required: 5 };
};

/** All values that a count can have, by trying every joint table. */
const valuesOf = ({ table, counts }: ReturnType<typeof released>, key: string, cell: number): number => {
  const { columns, sums } = jointTable(table, publishedBounds(table, counts), [0, 1, 2])!;
  const sumsOf = Array.from({ length: columns }, (_, column) =>
    sums.flatMap((sum, index) => (sum.columns.includes(column) ? [index] : [])),
  );
  const sought = sums.findIndex((sum) => sum.key === key && sum.cell === cell);
  const found = new Set<number>();
  const values = sums.map(() => 0);
  const extend = (column: number): void => {
    if (column === columns) {
      if (values.every((value, index) => value >= sums[index]!.lower)) found.add(values[sought]!);
      return;
    }
    const own = sumsOf[column]!;
    const most = Math.min(...own.map((index) => sums[index]!.upper - values[index]!));
    for (let units = 0; units <= most; units += 1) {
      own.forEach((index) => (values[index]! += units));
      extend(column + 1);
      own.forEach((index) => (values[index]! -= units));
    }
  };
  extend(0);
  return found.size;
};

test('what tables of two characteristics reveal together is found, exactly, where none of them alone does', async (t) => {
  const task = released([2, 2, 2], [19, 9, 0, 0, 14, 4, 0, 5], 2);
  t.deepEqual(audit(task.table, task.counts).failures, []);
  const place = [
    { dimension: 0, cell: 0 },
    { dimension: 2, cell: 1 },
  ];
  t.deepEqual(await auditSetsApart(task), {
    ...{ kind: 'solved', size: 3, sets: 1, unsolved: 0 },
    failures: [{ cell: place, feasible: 3, knowing: 'zeros' }],
  });
  t.is(valuesOf(task, '0,2', 1), 3);
});

test('what tables of three characteristics reveal of a set of four is found', async (t) => {
  const cells = [9, 10, 9, 0, 14, 9, 19, 10, 14, 14, 4, 0, 14, 14, 14, 0];
  const task = released([2, 2, 2, 2], cells, 3);
  t.deepEqual(audit(task.table, task.counts).failures, []);
  const place = [0, 0, 1].map((cell, dimension) => ({ dimension, cell }));
  t.deepEqual(await auditSetsApart(task), {
    ...{ kind: 'solved', size: 4, sets: 1, unsolved: 0 },
    failures: [{ cell: place, feasible: 3, knowing: 'zeros' }],
  });
});

test('a joint table has a column for every unit that there is, lists included', (t) => {
  for (let seed = 0; seed < 20; seed += 1) {
    const data = randomUnits(seeded(seed), { dimensions: 4, cells: 3, units: 60, lists: true });
    const counts = countCells(columnsOf(data), data.units.length, data.dimensions, 3);
    const table = publish(counts, data.dimensions, { threshold: 10, order: 3 });
    const { columns, sums } = jointTable(table, publishedBounds(table, counts), [0, 1, 2, 3])!;
    const ways = new Set(
      Array.from({ length: columns }, (_, column) =>
        sums
          .flatMap(({ key, cell, columns: own }) => (own.includes(column) ? [`${key} ${cell}`] : []))
          .sort()
          .join(';'),
      ),
    );
    for (const unit of data.units) {
      const cells = [...table.blocks].flatMap(([key, { dimensions, sizes }]) =>
        dimensions
          .reduce<number[]>(
            (all, position, depth) =>
              all.flatMap((cell) => unit[position]!.map((value) => cell * sizes[depth]! + value)),
            [0],
          )
          .map((cell) => `${key} ${cell}`),
      );
      t.true(ways.has([' 0', ...cells].sort().join(';')), `seed ${seed}`);
    }
  }
});

test('tables that are too large are not solved, and the report says so', async (t) => {
  const sizes = [20, 20, 20, 20];
  t.is(
    jointTable(
      released(sizes, [], 2).table,
      publishedBounds(released(sizes, [], 2).table, null),
      [0, 1, 2, 3],
    ),
    null,
  );
  t.true(20 ** 4 > maxColumns);
  const large = await auditSetsApart(released([30, 30, 30], [], 3));
  t.deepEqual(large, { kind: 'unsolved', why: 'the release has more than 20,000 cells' });
});

test('without the optional package, sets of four are not solved', async (t) => {
  const folder = temporaryFolder(t, {});
  cpSync(join(import.meta.dirname, '../../../../src'), folder, { recursive: true });
  const { auditSetsApart: apart } = (await import(
    join(folder, 'capabilities/disclosure/release/audit-sets.ts')
  )) as {
    readonly auditSetsApart: typeof auditSetsApart;
  };
  t.deepEqual(await apart(released([2, 2], [20, 20, 20, 20], 2)), {
    ...{ kind: 'unsolved', why: 'the optional package highs is not installed' },
  });
});

test('a release fails where a set of four does', async (t) => {
  const cells = [9, 10, 9, 0, 14, 9, 19, 10, 14, 14, 4, 0, 14, 14, 14, 0];
  const names = ['sex', 'site', 'study', 'surname'];
  const documents = cells.flatMap((count, cell) =>
    Array.from({ length: count }, (_, number) => ({
      donor_id: `${cell} ${number}`,
      ...Object.fromEntries(names.map((name, depth) => [name, `v${(cell >> (3 - depth)) % 2}`])),
    })),
  );
  const dimensions = names.map((fieldName) => ({
    fieldName,
    values: ['v0', 'v1'],
    other: false,
    mandatory: true,
  }));
  const { audits } = await drafted(documents, { dimensions }, { auditSets: auditSetsApart });
  t.like(audits[0], { joint: { kind: 'solved', sets: 1 } });
  t.is(audits[0]!.failures[0]?.feasible, 3);
});
