import test from 'ava';
import { boundsOver } from '../../../src/capabilities/disclosure/bounds/bounds.ts';
import type { Formula } from '../../../src/capabilities/disclosure/bounds/formula.ts';
import { formulasOver, shapesOf } from '../../../src/capabilities/disclosure/bounds/formula.ts';
import { countCells, publish } from '../../../src/capabilities/disclosure/table/count-cells.ts';
import type { Interval } from '../../../src/capabilities/disclosure/table/interval.ts';
import { auditedBounds } from '../../../src/capabilities/disclosure/audit/audit.ts';
import type { Random } from './random-units.ts';
import { seeded } from './random-units.ts';

const questions = 800;
const values = 24;

/** Units with one frequent characteristic and one of many values, some of them rare, and a sex. */
const population = (random: Random) => {
  const cells = (size: number) =>
    Array.from({ length: size }, (_, value) => ({ kind: 'value', value: `v${value}` }) as const);
  const dimensions = [values, 2, 5].map((size, index) => ({
    fieldName: `d${index}`,
    isMulti: false,
    cells: cells(size),
  }));
  const size = 500;
  const columns = dimensions.map(({ cells: { length } }, index) => ({
    kind: 'one' as const,
    cells: Uint16Array.from({ length: size }, () => Math.floor(length * random() ** (index === 0 ? 4 : 1))),
  }));
  const counts = countCells(columns, size, dimensions, 2);
  return { counts, dimensions, table: publish(counts, dimensions, { threshold: 10, order: 2 }) };
};

/** What all differences of unions with and without the target say of it together. */
const differences = (
  random: Random,
  bounds: (formula: Formula) => Interval,
  union: (others: readonly number[], isWith: boolean) => Formula,
): Interval => {
  let known: Interval = { lower: 0, upper: 9 };
  for (let round = 0; round < questions; round += 2) {
    const share = random();
    const others = Array.from({ length: values - 1 }, (_, value) => value).filter(() => random() < share);
    const [whole, rest] = [bounds(union(others, true)), bounds(union(others, false))];
    known = {
      lower: Math.max(known.lower, whole.lower - rest.upper),
      upper: Math.min(known.upper, whole.upper - rest.lower),
    };
  }
  return known;
};

test('800 questions with and without a small group, or its complement, narrow it no further than the audit found', (t) => {
  for (let seed = 0; seed < 5; seed += 1) {
    const random = seeded(seed);
    const { counts, dimensions, table } = population(random);
    const formulas = formulasOver(shapesOf({ dimensions }));
    const bounds = boundsOver(table);
    const audited = auditedBounds(table, counts, null);
    const rangeOf = (key: string, cell: number): Interval => {
      const { lower, upper } = audited.blocks.get(key)!;
      return { lower: lower[cell]!, upper: upper[cell]! };
    };
    const target = values - 1;
    const among = (cells: readonly number[], isWith: boolean) =>
      formulas.isIn(0, isWith ? [...cells, target] : cells);
    const sex = formulas.isIn(1, [0]);
    const attacks: readonly (readonly [Interval, (others: readonly number[], isWith: boolean) => Formula])[] =
      [
        [rangeOf('0', target), among],
        [rangeOf('0', target), (others, isWith) => formulas.not(among(others, !isWith))],
        [rangeOf('0,1', target * 2), (others, isWith) => formulas.and([sex, among(others, isWith)])],
        [rangeOf('0,1', target * 2 + 1), (others, isWith) => formulas.or([sex, among(others, isWith)])],
      ];
    for (const [feasible, attack] of attacks) {
      const { lower, upper } = differences(random, bounds, attack);
      t.true(lower <= feasible.lower && upper >= feasible.upper, `seed ${seed}: ${lower} to ${upper}`);
      t.true(upper - lower + 1 >= 5);
    }
  }
});
