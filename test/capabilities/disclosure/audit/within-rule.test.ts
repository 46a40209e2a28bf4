import test from 'ava';
import { auditedBounds } from '../../../../src/capabilities/disclosure/audit/audit.ts';
import { countCells, publish } from '../../../../src/capabilities/disclosure/table/count-cells.ts';
import { publishedBounds } from '../../../../src/capabilities/disclosure/audit/cell-bounds.ts';
import type { Dimension } from '../../../../src/capabilities/disclosure/table/released-table.ts';
import { linearProgram } from './linear-program.ts';
import { tableCount } from './table-count.ts';
import { below, columnsOf, seeded, type Random, type RandomUnits } from '../random-units.ts';

const values = (names: readonly string[]): Dimension['cells'] =>
  names.map((value) => ({ kind: 'value', value }));

interface Kind {
  readonly listOfCodes: boolean;
  readonly listOfSites: boolean;
}

/** Codes within sites, other codes within none, and a third characteristic. */
const hierarchy = (random: Random, { listOfCodes, listOfSites }: Kind): RandomUnits => {
  const within = [0, 0, 0, 1, 1, 2, null, null];
  const dimensions: Dimension[] = [
    { fieldName: 'site', isMulti: listOfSites, cells: [...values(['a', 'b']), { kind: 'other' }] },
    {
      fieldName: 'code',
      isMulti: listOfCodes,
      cells: [...values(['a1', 'a2', 'a3', 'b1', 'b2', 'c1']), { kind: 'other' }, { kind: 'missing' }],
      within: { dimension: 0, cells: within },
    },
    { fieldName: 'sex', isMulti: false, cells: values(['f', 'm']) },
  ];
  const units = Array.from({ length: 40 + below(random, 300) }, () => {
    const sites = [0, 1, 2].filter(() => listOfSites && random() < 0.4);
    const all = sites.length === 0 ? [below(random, 3)] : sites;
    const fitting = within.flatMap((site, code) => (site === null || all.includes(site) ? [code] : []));
    const codes = fitting.filter((code) => listOfCodes && code < 7 && random() < 0.5);
    return [all, codes.length === 0 ? [fitting[below(random, fitting.length)]!] : codes, [below(random, 2)]];
  });
  return { dimensions, units };
};

for (const listOfCodes of [false, true])
  for (const listOfSites of [false, true])
    test(`codes${listOfCodes ? ', several each,' : ''} within sites${listOfSites ? ', several each' : ''}: no true count is ruled out`, (t) => {
      const missed: string[] = [];
      for (let seed = 0; seed < tableCount(15, 240); seed += 1) {
        const random = seeded(seed);
        const data = hierarchy(random, { listOfCodes, listOfSites });
        const rules = { threshold: 10, order: 2 + (seed % 2) };
        const counts = countCells(columnsOf(data), data.units.length, data.dimensions, rules.order);
        const table = publish(counts, data.dimensions, rules);
        for (const zeros of [null, counts])
          for (const [key, { lower, upper }] of auditedBounds(table, counts, zeros).blocks)
            counts.blocks.get(key)!.forEach((count, cell) => {
              if (count < lower[cell]! || count > upper[cell]!)
                missed.push(
                  `seed ${seed}, ${key} ${cell}: ${count} is not in [${lower[cell]}, ${upper[cell]}]`,
                );
            });
      }
      t.deepEqual(missed, []);
    });

/** Each code within a site; with others, some within none. */
const table = (seed: number, order: number, others: boolean) => {
  const random = seeded(seed);
  const within = [0, 0, 0, 1, 1, ...(others ? [null] : [])];
  const dimensions: Dimension[] = [
    { fieldName: 'site', isMulti: false, cells: values(['a', 'b']) },
    {
      fieldName: 'code',
      isMulti: false,
      cells: values(['a1', 'a2', 'a3', 'b1', 'b2', ...(others ? ['other'] : [])]),
      within: { dimension: 0, cells: within },
    },
    { fieldName: 'age', isMulti: false, cells: values(['young', 'middle', 'old']) },
  ];
  const units = Array.from({ length: 40 + below(random, 160) }, () => {
    const code = Math.floor(within.length * random() ** 1.5);
    return [[within[code] ?? below(random, 2)], [code], [Math.floor(3 * random() ** 2)]];
  });
  const counts = countCells(columnsOf({ dimensions, units }), units.length, dimensions, order);
  return { counts, table: publish(counts, dimensions, { threshold: 10, order }) };
};

/** A table of codes within sites, code by code, with as many columns. */
const tableOf = (within: readonly number[], columns: number, grid: readonly number[], order: number) => {
  const plain = (fieldName: string, size: number): Dimension => ({
    fieldName,
    isMulti: false,
    cells: values(Array.from({ length: size }, (_, value) => `v${value}`)),
  });
  const dimensions: Dimension[] = [
    plain('site', 3),
    { ...plain('code', within.length), within: { dimension: 0, cells: within } },
    plain('age', columns),
  ];
  const units = grid.flatMap((count, cell) => {
    const code = Math.floor(cell / columns);
    return Array.from({ length: count }, () => [[within[code]!], [code], [cell % columns]]);
  });
  const counts = countCells(columnsOf({ dimensions, units }), units.length, dimensions, order);
  return { counts, table: publish(counts, dimensions, { threshold: 10, order }) };
};

/** Each cell of a table by its name, with what the audit and linear programming find of it. */
const compared = (seed: number, made: ReturnType<typeof table>) => {
  return [null, made.counts].flatMap((zeros) => {
    const exact = linearProgram(made.table, publishedBounds(made.table, zeros));
    return [...auditedBounds(made.table, made.counts, zeros).blocks].flatMap(([key, { lower, upper }]) =>
      [...lower.keys()].map((cell) => ({
        name: `seed ${seed}, ${key} ${cell}`,
        audited: { lower: lower[cell]!, upper: upper[cell]! },
        exact: exact(key, cell),
      })),
    );
  });
};

for (const order of [2, 3])
  test(`where each code is within a site, at order ${order}, the audit finds exactly the values that linear programming finds`, (t) => {
    for (let seed = 0; seed < 3; seed += 1) {
      const cells = compared(seed, table(seed, order, false));
      t.deepEqual(
        cells.map(({ name, audited }) => ({ name, ...audited })),
        cells.map(({ name, exact }) => ({ name, ...exact })),
      );
    }
  });

test('so it does where sums one after the other tell less than a flow over the whole hierarchy', (t) => {
  const tables = [
    tableOf(
      [0, 1, 2, 1, 1, 1, 0],
      4,
      [1, 0, 0, 5, 0, 0, 0, 0, 5, 6, 0, 9, 0, 6, 3, 1, 5, 0, 2, 10, 6, 4, 2, 0, 0, 0, 10, 0],
      2,
    ),
    tableOf([0, 1, 2, 0, 0, 1], 3, [1, 0, 0, 0, 2, 1, 2, 2, 0, 0, 2, 8, 8, 0, 0, 0, 0, 10], 3),
  ];
  tables.forEach((made, number) => {
    const cells = compared(number, made);
    t.deepEqual(
      cells.map(({ name, audited }) => ({ name, ...audited })),
      cells.map(({ name, exact }) => ({ name, ...exact })),
    );
  });
});

test('where some codes are within none, the audit never rules out what is possible', (t) => {
  let [all, wider] = [0, 0];
  for (let seed = 0; seed < 4; seed += 1)
    for (const { name, audited, exact } of compared(seed, table(seed, 2 + (seed % 2), true))) {
      t.true(audited.lower <= exact.lower && audited.upper >= exact.upper, name);
      all += 1;
      if (audited.lower < exact.lower || audited.upper > exact.upper) wider += 1;
    }
  t.log(`${all} cells: of ${wider} linear programming says more`);
});

test('what the other codes of a site leave over is known of a code', (t) => {
  const dimensions: Dimension[] = [
    { fieldName: 'site', isMulti: false, cells: values(['a', 'b']) },
    {
      fieldName: 'code',
      isMulti: false,
      cells: values(['a1', 'a2', 'b1']),
      within: { dimension: 0, cells: [0, 0, 1] },
    },
    { fieldName: 'sex', isMulti: false, cells: values(['f', 'm']) },
  ];
  const group = (size: number, site: number, code: number, sex: number) =>
    Array.from({ length: size }, () => [[site], [code], [sex]]);
  const units = [
    ...group(45, 0, 0, 0),
    ...group(5, 0, 1, 0),
    ...group(25, 1, 2, 0),
    ...group(25, 0, 0, 1),
    ...group(20, 0, 1, 1),
    ...group(25, 1, 2, 1),
  ];
  const counts = countCells(columnsOf({ dimensions, units }), units.length, dimensions, 2);
  const table = publish(counts, dimensions, { threshold: 10, order: 2 });
  const { lower, upper } = auditedBounds(table, counts, null).blocks.get('1,2')!;
  // a2 and f: 50 to 59 of the site, of which a1 has 40 to 49
  t.deepEqual([lower[2], upper[2]], [1, 9]);
});
