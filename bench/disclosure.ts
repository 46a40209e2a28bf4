// What disclosure costs and how wide its intervals are: node bench/disclosure.ts
import { performance } from 'node:perf_hooks';
import { audit } from '../src/disclosure/audit/audit.ts';
import { boundsOver } from '../src/disclosure/bounds/bounds.ts';
import { estimateOver } from '../src/disclosure/bounds/estimate.ts';
import { formulasOver } from '../src/disclosure/bounds/formula.ts';
import { shapesOf } from '../src/disclosure/bounds/shapes.ts';
import { countCells, publish, type Counts } from '../src/disclosure/table/count-cells.ts';
import type { Dimension, ReleasedTable } from '../src/disclosure/table/released-table.ts';

/** Numbers from 0 to 1, the same each time (mulberry32). */
const random = (() => {
  let state = 1;
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
})();

const sizes = [2, 3, 4, 5, 6, 6, 8, 8, 10, 12, 15, 21];

/** Skewed, and dependent through one of four profiles. */
const released = (
  units: number,
  dimensionCount: number,
  order: number,
  cellsOf = (place: number) => sizes[place]!,
) => {
  const dimensions = Array.from({ length: dimensionCount }, (_, place): Dimension => ({
    fieldName: `d${place}`,
    isMulti: false,
    cells: Array.from({ length: cellsOf(place) }, (_cell, value) => ({ kind: 'value', value: `v${value}` })),
  }));
  const profiles = Uint8Array.from({ length: units }, () => Math.floor(4 * random()));
  const columns = dimensions.map(({ cells: { length } }, place) => ({
    kind: 'one' as const,
    cells: Uint16Array.from({ length: units }, (_, unit) =>
      random() < 0.3 ? (profiles[unit]! * 7 + place) % length : Math.floor(length * random() ** 2),
    ),
  }));
  const started = performance.now();
  const counts = countCells(columns, units, dimensions, order);
  const table = publish(counts, dimensions, { threshold: 10, order });
  return { counts, table, countMs: performance.now() - started };
};

const median = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;

/** Every bucket of ten facets under three ticks, as a portal asks for them. */
const tickedFacets = (table: ReleasedTable) => {
  const formulas = formulasOver(shapesOf(table));
  const [bounds, estimate] = [boundsOver(table), estimateOver(table)];
  const ticked = [1, 4, 7].map((dimension) => formulas.isIn(dimension, [0, 1]));
  const widths: number[] = [];
  const started = process.cpuUsage();
  for (let dimension = 0; dimension < 10; dimension += 1)
    for (let cell = 0; cell < table.dimensions[dimension]!.cells.length; cell += 1) {
      const others = ticked.filter(({ uses }) => !uses.has(dimension));
      const formula = formulas.and([...others, formulas.isIn(dimension, [cell])]);
      const found = bounds(formula);
      estimate(formula, found);
      widths.push(found.upper - found.lower + 1);
    }
  const { user, system } = process.cpuUsage(started);
  return { median: median(widths), cpuMs: (user + system) / 1000 };
};

const audited = (table: ReleasedTable, counts: Counts): number => {
  const started = performance.now();
  audit(table, counts);
  return performance.now() - started;
};

for (const units of [4_000, 100_000]) {
  const { table } = released(units, 10, 3);
  tickedFacets(table);
  const { median: width, cpuMs } = tickedFacets(released(units, 10, 3).table);
  console.log(
    `${units} units, order 3, three ticks: median width ${width}, ten facets in ${cpuMs.toFixed(1)} ms of processor`,
  );
}
for (const [units, order] of [
  [100_000, 2],
  [100_000, 3],
  [1_000_000, 3],
] as const) {
  const { table, counts, countMs } = released(units, 12, order, () => 21);
  console.log(
    `${units} units, 12 dimensions of 21 cells, order ${order}: counted in ${(countMs / 1000).toFixed(2)} s, audited in ${(audited(table, counts) / 1000).toFixed(2)} s`,
  );
}
