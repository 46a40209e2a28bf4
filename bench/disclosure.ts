import { performance } from 'node:perf_hooks';
import { contextFor } from '../test/search/request-context.ts';
import { audit } from '../src/capabilities/disclosure/audit/audit.ts';
import { boundsOver } from '../src/capabilities/disclosure/bounds/bounds.ts';
import type { CellsFormula } from '../src/capabilities/disclosure/bounds/formula.ts';
import { formulasOver, shapesOf } from '../src/capabilities/disclosure/bounds/formula.ts';
import type { Interval } from '../src/capabilities/disclosure/table/interval.ts';
import { groupBounds, sumOf } from '../src/capabilities/disclosure/table/interval.ts';
import { guardedSearch } from '../src/capabilities/disclosure/guard/guarded-search.ts';
import type { Counts } from '../src/capabilities/disclosure/table/count-cells.ts';
import { countCells, publish } from '../src/capabilities/disclosure/table/count-cells.ts';
import type { Dimension, ReleasedTable } from '../src/capabilities/disclosure/table/released-table.ts';
import { blockKey, intervalOf } from '../src/capabilities/disclosure/table/released-table.ts';
import { readFields } from '../src/introspection/mapping/mapping.ts';
import type { CatalogueQuery } from '../src/search/query.ts';
import { parseSqon } from '../src/sqon/parse.ts';
import { sized } from './size.ts';

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
  cellsOf = (index: number) => sizes[index]!,
  hierarchies = 0,
) => {
  const isInner = (index: number): boolean => index % 2 === 1 && index < 2 * hierarchies;
  const outerOf = (cell: number): number => Math.floor(cell / 3);
  const dimensions = Array.from({ length: dimensionCount }, (_, index): Dimension => {
    const own = [...Array(cellsOf(index)).keys()];
    return {
      fieldName: `d${index}`,
      isMulti: false,
      cells: own.map((value) => ({ kind: 'value', value: `v${value}` })),
      ...(isInner(index) && { within: { dimension: index - 1, cells: own.map(outerOf) } }),
    };
  });
  const profiles = Uint8Array.from({ length: units }, () => Math.floor(4 * random()));
  const columns = dimensions.map(({ cells: { length } }, index) => ({
    kind: 'one' as const,
    cells: Uint16Array.from({ length: units }, (_, unit) =>
      random() < 0.3 ? (profiles[unit]! * 7 + index) % length : Math.floor(length * random() ** 2),
    ),
  }));
  columns.forEach(({ cells }, index) => {
    if (isInner(index)) columns[index - 1]!.cells.set(cells.map(outerOf));
  });
  const started = performance.now();
  const counts = countCells(columns, units, dimensions, order);
  const table = publish(counts, dimensions, { threshold: 10, order });
  return { counts, table, countMs: performance.now() - started };
};

const median = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;

/** Ten facets under three ticks, as a portal requests them: processor time of a server that knows its release. */
const tickedFacets = async (table: ReleasedTable): Promise<number> => {
  const { fields } = readFields(
    Object.fromEntries(table.dimensions.map(({ fieldName }) => [fieldName, { type: 'keyword' }])),
  );
  const release = {
    ...{ id: 'bench', catalogueId: 'bench', series: 1, date: '2026-01-01', unit: 'record' },
    ...{ threshold: 10, order: 3, stratumField: null, fields: [...fields.values()] },
    strata: [{ value: null, date: '2026-01-01', table }],
  };
  const search = guardedSearch(release, {
    catalogueId: 'bench',
    lowerBoundsToOldClients: false,
    nameKey: Buffer.alloc(32),
  });
  const context = contextFor();
  const times: number[] = [];
  // the ticks differ each time, as nothing but the release would be remembered of another visitor
  for (let visit = 0; visit < 21; visit += 1) {
    const content = [1, 4, 7].map((dimension) => {
      const { length } = table.dimensions[dimension]!.cells;
      const value = [visit % length, (visit + 1 + (visit % (length - 1))) % length].map((cell) => `v${cell}`);
      return { op: 'in', content: { fieldName: `d${dimension}`, value } };
    });
    const query: CatalogueQuery = {
      filters: parseSqon({ op: 'and', content }),
      filterThemselves: false,
      includeMissing: true,
      hits: null,
      facets: table.dimensions.map(({ fieldName }) => ({
        field: fieldName,
        measure: { kind: 'terms', max: null },
        bounded: true,
      })),
    };
    const started = process.cpuUsage();
    await search(query, context, 'counts');
    const { user, system } = process.cpuUsage(started);
    times.push((user + system) / 1000);
  }
  return median(times);
};

/** The width of questions of some conditions: by their parts alone, by the joint cells alone, and by all rules. */
const widths = (table: ReleasedTable, conditions: number) => {
  const formulas = formulasOver(shapesOf(table));
  const bounds = boundsOver(table);
  const found = { naive: [] as number[], atoms: [] as number[], all: [] as number[] };
  for (let count = 0; count < 500; count += 1) {
    const chosen = table.dimensions.map((_, index) => index).sort(() => random() - 0.5);
    const parts = chosen.slice(0, conditions).map((dimension) => {
      const { length } = table.dimensions[dimension]!.cells;
      const cells = Array.from({ length: 1 + Math.floor(3 * random()) }, () =>
        Math.floor(length * random() ** 2),
      );
      return formulas.isIn(dimension, cells);
    });
    if (parts.some(({ kind }) => kind !== 'in')) continue;
    const whole = intervalOf(table.total, table.threshold);
    const width = ({ lower, upper }: Interval): number => upper - lower + 1;
    found.naive.push(width(groupBounds('and', parts.map(bounds), whole)));
    if (conditions <= table.order)
      found.atoms.push(width(sumOf(jointCells(table, parts as readonly CellsFormula[]))));
    found.all.push(width(bounds(formulas.and(parts))));
  }
  const atoms = found.atoms.length === 0 ? '' : `by cells ${median(found.atoms)}, `;
  return `by parts ${median(found.naive)}, ${atoms}by all rules ${median(found.all)}`;
};

/** The cells of a block that satisfy a condition on each of its dimensions. */
const jointCells = (table: ReleasedTable, parts: readonly CellsFormula[]): Interval[] => {
  const known = parts.toSorted((left, right) => left.dimension - right.dimension).slice(0, table.order);
  const { levels, sizes } = table.blocks.get(blockKey(known.map(({ dimension }) => dimension)))!;
  return known
    .reduce<number[]>(
      (indexes, { cells }, depth) =>
        indexes.flatMap((index) => cells.map((cell) => index * sizes[depth]! + cell)),
      [0],
    )
    .map((index) => intervalOf(levels[index]!, table.threshold));
};

/** A failed one may end early, so its outcome is printed too. */
const audited = (table: ReleasedTable, counts: Counts): string => {
  const [started, used] = [performance.now(), process.cpuUsage()];
  const { failures } = audit(table, counts);
  const { user, system } = process.cpuUsage(used);
  const seconds = (performance.now() - started) / 1000;
  const verdict = failures.length === 0 ? 'passed' : 'failed';
  return `audited in ${seconds.toFixed(2)} s, ${((user + system) / 1e6).toFixed(2)} s of processor: ${verdict}`;
};

for (const units of sized([4_000, 100_000], [500])) {
  const { table } = released(units, 10, 3);
  console.log(`${units} units, order 3, median width of three conditions: ${widths(table, 3)}`);
  console.log(`${units} units, order 3, median width of four conditions: ${widths(table, 4)}`);
  console.log(
    `${units} units, order 3, ten facets under three ticks: ${(await tickedFacets(table)).toFixed(1)} ms of processor`,
  );
}
const audits = [
  [100_000, 2, 0],
  [100_000, 3, 0],
  [1_000_000, 3, 0],
  [100_000, 2, 3],
  [100_000, 3, 3],
] as const;
for (const [units, order, hierarchies] of sized<readonly (typeof audits)[number][]>(
  audits,
  audits.slice(0, 1),
)) {
  const { table, counts, countMs } = released(units, 12, order, () => 21, hierarchies);
  const declared = hierarchies === 0 ? '' : `, ${hierarchies} of which lie within others`;
  console.log(
    `${units} units, 12 dimensions of 21 cells${declared}, order ${order}: counted in ${(countMs / 1000).toFixed(2)} s, ${audited(table, counts)}`,
  );
}
