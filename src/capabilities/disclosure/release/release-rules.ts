import type { DimensionCell } from '../table/released-table.ts';
import type { PrivateTable } from '../renewal/renewal.ts';
import type { Release } from './release.ts';

const dayMs = 86_400_000;

/** The calendar day on which the slot of a moment begins: slots are counted from 1970, regardless of when a series began. */
export const slotOf = (nowMs: number, everyDays: number): string =>
  new Date(Math.floor(nowMs / (everyDays * dayMs)) * everyDays * dayMs).toISOString().slice(0, 10);

/** How many days there are from one slot to another. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs;

/** The slot that follows the slot of a moment. */
export const nextSlot = (nowMs: number, everyDays: number): string =>
  slotOf(nowMs + everyDays * dayMs, everyDays);

/**
 * Why a release begins a new series: its cells cannot be compared with those of the previous one without revealing counts
 * of parts of them. Edges and values may be merged or split.
 * @returns null when it continues the series
 */
export const seriesBreak = (earlier: Made, next: Made): string | null => {
  for (const name of ['threshold', 'order', 'unit', 'stratumField'] as const)
    if (earlier.release[name] !== next.release[name])
      return `${name === 'stratumField' ? 'strata' : name} changed`;
  const [before, after] = [dimensionsOf(earlier), dimensionsOf(next)];
  const names = new Set([...before.keys(), ...after.keys()]);
  for (const name of names) {
    const [old, now] = [before.get(name), after.get(name)];
    if (old === undefined || now === undefined)
      return `the dimension ${name} ${old === undefined ? 'is new' : 'is gone'}`;
    if (!isMergedOrSplit(edgesOf(old), edgesOf(now)) || !isMergedOrSplit(valuesOf(old), valuesOf(now)))
      return `the cells of ${name} are neither merged nor split`;
  }
  return null;
};

/** A release with the table it was computed from, whose dimensions are known even if no stratum has any unit. */
interface Made {
  readonly release: Omit<Release, 'id'>;
  readonly table: Pick<PrivateTable, 'dimensions'>;
}

const dimensionsOf = ({ table }: Made): ReadonlyMap<string, readonly DimensionCell[]> =>
  new Map(table.dimensions.map(({ fieldName, cells }) => [fieldName, cells]));

const edgesOf = (cells: readonly DimensionCell[]): readonly string[] =>
  cells.flatMap((cell) => (cell.kind === 'range' && cell.from !== null ? [String(cell.from)] : []));

const valuesOf = (cells: readonly DimensionCell[]): readonly string[] =>
  cells.flatMap((cell) =>
    cell.kind === 'value'
      ? [`value ${cell.value}`]
      : cell.kind === 'pattern'
        ? [`pattern ${cell.pattern}`]
        : [],
  );

const isMergedOrSplit = (before: readonly string[], after: readonly string[]): boolean => {
  const [old, now] = [new Set(before), new Set(after)];
  return after.every((cell) => old.has(cell)) || before.every((cell) => now.has(cell));
};
