import test from 'ava';
import { boundsOver } from '../../../../src/capabilities/disclosure/bounds/bounds.ts';
import { formulasOver, shapesOf } from '../../../../src/capabilities/disclosure/bounds/formula.ts';
import { countCells, publish } from '../../../../src/capabilities/disclosure/table/count-cells.ts';
import {
  below,
  columnsOf,
  formulaOf,
  randomSelection,
  randomTree,
  randomUnits,
  satisfies,
  seeded,
} from '../random-units.ts';

/** `npm run test:all -- disclosure` asks for 100 000. */
const trees = Number(process.env['DISCLOSURE_CASES'] ?? 2_000);
const treesOfTable = 40;
/** Every bound of a table of single counts is exact, so one that is a little wrong misses; wide steps hide it. */
const thresholds = [1, 1, 1, 2, 2, 3, 5, 10, 13];

test('every true count lies within its bounds', (t) => {
  const misses: string[] = [];
  for (let seed = 0; seed * treesOfTable < trees; seed += 1) {
    const random = seeded(seed);
    const shape = {
      dimensions: 2 + below(random, 4),
      cells: 2 + below(random, 5),
      units: 10 + below(random, 600),
      lists: random() < 0.6,
    };
    const data = randomUnits(random, shape);
    const { dimensions, units } = data;
    const rules = { threshold: thresholds[below(random, thresholds.length)]!, order: 2 + below(random, 2) };
    const counts = countCells(columnsOf(data), units.length, dimensions, rules.order);
    const table = publish(counts, dimensions, rules);
    const formulas = formulasOver(shapesOf(table));
    const bounds = boundsOver(table);
    for (let round = 0; round < treesOfTable; round += 1) {
      const tree =
        round % 2 === 0
          ? randomTree(random, dimensions, 1 + below(random, 3))
          : randomSelection(random, dimensions, 4);
      const formula = formulaOf(tree, formulas);
      const count = units.filter((unit) => satisfies(unit, tree)).length;
      const { lower, upper } = bounds(formula);
      if (count < lower || count > upper)
        misses.push(`seed ${seed}, ${formula.key}: ${count} is not in [${lower}, ${upper}]`);
    }
  }
  t.deepEqual(misses, []);
});
