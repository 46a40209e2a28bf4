import { isDeepStrictEqual } from 'node:util';
import type { AuditReport } from '../audit/audit.ts';
import { audit } from '../audit/audit.ts';
import type { CellValue } from '../cells/cell.ts';
import { cellLabel } from '../cells/cell.ts';
import { chooseCells } from '../cells/choose-cells.ts';
import type { Engine } from '../../engines/engine.ts';
import { TributaryError } from '../../errors/errors.ts';
import type { DimensionConfig, DisclosureConfig } from '../../introspection/fields/catalogue-config.ts';
import type { Field, Fields } from '../../introspection/fields/field.ts';
import type { Counts } from '../table/count-cells.ts';
import { countCells, publish } from '../table/count-cells.ts';
import type { Dimension, DimensionCell, ReleasedTable } from '../table/released-table.ts';
import { blockKey, combinations } from '../table/released-table.ts';
import { disclosureProblems } from './check-disclosure.ts';
import type { Units } from './read-units.ts';
import { readUnits } from './read-units.ts';
import type { Release } from './release.ts';
import type { EarlierRelease, StratumChange, StratumUnits, Part } from './strata.ts';
import { isTooFew, stratumChanges, strataOf } from './strata.ts';
import { cellColumn, countValues, unitFingerprints } from './units.ts';

export interface ReleaseSource {
  readonly engine: Engine;
  readonly index: string;
  readonly catalogueId: string;
  readonly fields: Fields;
  readonly disclosure: DisclosureConfig;
}

/** A release that is not published yet. */
export interface Draft {
  readonly release: Omit<Release, 'id'>;
  /** One for each stratum; null for one whose table is that of the release before. */
  readonly audits: readonly (AuditReport | null)[];
  /** All units counted. */
  readonly units: number;
  readonly withoutUnit: number;
  /** Of each stratum's units with their cells; never published. */
  readonly fingerprints: readonly BigUint64Array[];
  /** Since the release before in the same series; none where there is none, or it has other dimensions. */
  readonly changes: readonly StratumChange[];
}

/** More cells than this in one stratum cannot be kept and audited. */
const maxCells = 30_000_000;

/**
 * Computes a release from the records as they are at one moment: one scan, then everything in memory. A stratum in which
 * too few units changed stays as it was published, if enough did in others.
 * @param earlier the release before in the same series: its listed values stay
 * @throws TributaryError CONFIG_INVALID when disclosure.json does not fit the catalogue, CONFLICT when the records change
 */
export const draftRelease = async (
  { engine, index, catalogueId, fields, disclosure }: ReleaseSource,
  {
    earlier,
    series,
    date,
  }: { readonly earlier: EarlierRelease | null; readonly series: number; readonly date: string },
): Promise<Draft> => {
  const problems = disclosureProblems(disclosure, fields);
  if (problems.length > 0)
    throw new TributaryError('CONFIG_INVALID', problems.join('; '), { details: { problems } });
  const { dimensions, unit, strata, threshold, order } = disclosure;
  const named = dimensions.map(({ fieldName }) => fields.get(fieldName)!);
  const all = strata === null ? named : [...named, fields.get(strata)!];
  const units = await readUnits(engine, index, all, unit === 'record' ? null : fields.get(unit)!);
  const parts = strataOf(units, strata === null ? null : dimensions.length);
  const now = earlier === null ? null : comparableUnits(earlier.release, disclosure, units, parts);
  const changes = earlier === null || now === null ? [] : stratumChanges(earlier, now);
  const few = changes.filter(isTooFew);
  const held = few.length < changes.length ? few : [];
  const before = earlier?.release ?? null;
  const cells = chosenCells(disclosure, named, units, { parts, before, isFrozen: held.length > 0 });
  const isAlike = isCountedAlike(before, disclosure, cells);
  const kept = isAlike ? held : [];
  const made = [
    ...parts.flatMap(({ value, chosen }) => {
      if (kept.some((one) => one.value === value)) return [];
      const { table, audit } = tableOf(chosen, units, cells, disclosure);
      const known = isAlike ? now?.find((one) => one.value === value)?.fingerprints : undefined;
      const fingerprints = known ?? unitFingerprints(units, chosen, cells);
      return [{ stratum: { value, date, table }, audit, fingerprints }];
    }),
    ...kept.map(({ earlier: one }) => ({ ...one!, audit: null })),
  ];
  return {
    release: {
      ...{ catalogueId, series, date, threshold, order, unit },
      stratumField: strata,
      fields: withObjects(named, fields),
      strata: made.map(({ stratum }) => stratum),
    },
    audits: made.map((one) => one.audit),
    units: units.ids.length,
    withoutUnit: units.withoutUnit,
    fingerprints: made.map((one) => one.fingerprints),
    changes,
  };
};

/** By the cells of the release before: other edges are no change of a unit. Null where it has other dimensions. */
const comparableUnits = (
  before: Release,
  { dimensions }: DisclosureConfig,
  { columns, ...units }: Units,
  parts: readonly Part[],
): readonly StratumUnits[] | null => {
  const own = dimensionsOf(before);
  const positions = own.map((one) => dimensions.findIndex(({ fieldName }) => fieldName === one.fieldName));
  if (positions.includes(-1)) return null;
  const compared = { ...units, columns: positions.map((position) => columns[position]!) };
  const cells = own.map((dimension) => dimension.cells);
  return parts.map(({ value, chosen }) => ({
    value,
    fingerprints: unitFingerprints(compared, chosen, cells),
  }));
};

const dimensionsOf = (release: Release | null): readonly Dimension[] =>
  release?.strata[0]?.table.dimensions ?? [];

/** Whether the tables of a release have these cells, in this order. */
const isCountedAlike = (
  release: Release | null,
  { dimensions }: DisclosureConfig,
  cells: readonly (readonly DimensionCell[])[],
): boolean =>
  isDeepStrictEqual(
    dimensionsOf(release).map((one) => [one.fieldName, one.cells]),
    dimensions.map(({ fieldName }, index) => [fieldName, cells[index]]),
  );

const chosenCells = (
  { dimensions, threshold }: DisclosureConfig,
  fields: readonly Field[],
  { columns }: Units,
  chosen: { readonly parts: readonly Part[]; readonly before: Release | null; readonly isFrozen: boolean },
): readonly (readonly DimensionCell[])[] =>
  dimensions.map((config, index) => {
    const levels = new Map<CellValue, number>();
    for (const part of chosen.parts)
      for (const [value, count] of countValues(columns[index]!, part.chosen))
        levels.set(value, (levels.get(value) ?? 0) + Math.floor(count / threshold));
    const listed = listedIn(chosen.before, config);
    // tables that stay have no cells for further values
    const declared = chosen.isFrozen ? { ...config, most: listed.length } : config;
    return chooseCells(declared, fields[index]!, levels, listed);
  });

const listedIn = (before: Release | null, { fieldName }: DimensionConfig) => {
  const dimension = dimensionsOf(before).find((one) => one.fieldName === fieldName);
  return (dimension?.cells ?? []).flatMap((cell) => (cell.kind === 'value' ? [cell.value] : []));
};

const tableOf = (
  chosen: readonly number[],
  units: Units,
  cells: readonly (readonly DimensionCell[])[],
  { dimensions: configs, threshold, order }: DisclosureConfig,
): { readonly table: ReleasedTable; readonly audit: AuditReport } => {
  const columns = configs.map((_, index) => cellColumn(units.columns[index]!, chosen, cells[index]!));
  const dimensions = configs.map((config, index): Dimension => {
    const within = withinOf(config, configs, cells, index);
    return {
      fieldName: config.fieldName,
      isMulti: columns[index]!.kind === 'list',
      cells: cells[index]!,
      ...(within && { within }),
    };
  });
  assertSize(dimensions, order);
  const counts = countCells(columns, chosen.length, dimensions, order);
  assertWithin(dimensions, counts);
  const table = publish(counts, dimensions, { threshold, order });
  return { table, audit: audit(table, counts) };
};

/** The audit takes a declared hierarchy for granted, so the records must have it. */
const assertWithin = (dimensions: readonly Dimension[], { blocks }: Counts): void => {
  dimensions.forEach(({ fieldName, within, cells }, position) => {
    if (within === undefined) return;
    const isFirst = position < within.dimension;
    const both = blocks.get(blockKey(isFirst ? [position, within.dimension] : [within.dimension, position]))!;
    const outerSize = dimensions[within.dimension]!.cells.length;
    within.cells.forEach((outer, cell) => {
      if (outer === null) return;
      const shared = both[isFirst ? cell * outerSize + outer : outer * cells.length + cell];
      if (shared !== blocks.get(blockKey([position]))![cell])
        throw new TributaryError(
          'CONFIG_INVALID',
          `disclosure.json, dimensions, ${fieldName}, within: some units with ${cellLabel(cells[cell]!)} do not have the value of ${dimensions[within.dimension]!.fieldName} that it is declared to lie within`,
        );
    });
  });
};

const assertSize = (dimensions: readonly Dimension[], order: number): void => {
  const size = combinations(dimensions, order)
    .map((chosen) => chosen.reduce((product, position) => product * dimensions[position]!.cells.length, 1))
    .reduce((sum, cells) => sum + cells, 0);
  if (size > maxCells)
    throw new TributaryError(
      'CONFIG_INVALID',
      `disclosure.json: the dimensions have ${size} cells together, at most ${maxCells} are accepted: declare fewer values, or "order": 2`,
    );
};

const withinOf = (
  { within }: DimensionConfig,
  configs: readonly DimensionConfig[],
  cells: readonly (readonly DimensionCell[])[],
  index: number,
): Dimension['within'] | undefined => {
  if (within === undefined) return undefined;
  const dimension = configs.findIndex(({ fieldName }) => fieldName === within.fieldName);
  const above = cells[dimension]!;
  return {
    dimension,
    cells: cells[index]!.map((cell) => {
      const name = labelOf(cell);
      const outer = name === null ? undefined : within.values[name];
      const found = above.findIndex((one) => labelOf(one) === outer);
      return outer === undefined || found < 0 ? null : found;
    }),
  };
};

/** A cell as disclosure.json names it. */
const labelOf = (cell: DimensionCell): string | null =>
  cell.kind === 'value' ? String(cell.value) : cell.kind === 'pattern' ? cell.pattern : null;

/** The fields and the objects above them, in mapping order. */
const withObjects = (chosen: readonly Field[], fields: Fields): readonly Field[] => {
  const paths = new Set(
    chosen.flatMap(({ path }) => {
      const parts = path.split('.');
      return parts.map((_, index) => parts.slice(0, index + 1).join('.'));
    }),
  );
  return [...fields.values()].filter(({ path }) => paths.has(path));
};
