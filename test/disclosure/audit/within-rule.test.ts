import test from 'ava';
import { auditedBounds } from '../../../src/disclosure/audit/audit.ts';
import { countCells, publish } from '../../../src/disclosure/table/count-cells.ts';
import type { Dimension } from '../../../src/disclosure/table/released-table.ts';
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
      for (let seed = 0; seed < 60; seed += 1) {
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
    ...group(45, 0, 0, 0), ...group(5, 0, 1, 0), ...group(25, 1, 2, 0),
    ...group(25, 0, 0, 1), ...group(20, 0, 1, 1), ...group(25, 1, 2, 1),
  ]; // prettier-ignore
  const counts = countCells(columnsOf({ dimensions, units }), units.length, dimensions, 2);
  const table = publish(counts, dimensions, { threshold: 10, order: 2 });
  const { lower, upper } = auditedBounds(table, counts, null).blocks.get('1,2')!;
  // a2 and f: 50 to 59 of the site, of which a1 has 40 to 49
  t.deepEqual([lower[2], upper[2]], [1, 9]);
});
