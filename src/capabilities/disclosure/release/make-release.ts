import { audit, type AuditReport } from '../audit/audit.ts';
import { cellLabel, type CellValue } from '../cells/cell.ts';
import { chooseCells } from '../cells/choose-cells.ts';
import type { Engine } from '../../../engines/engine.ts';
import { invalidConfig } from '../../../lib/errors/errors.ts';
import type { DimensionConfig, DisclosureConfig } from '../../../introspection/fields/catalogue-config.ts';
import type { Field, Fields } from '../../../introspection/fields/field.ts';
import { countCells, publish, type Counts } from '../table/count-cells.ts';
import type { Dimension, DimensionCell, ReleasedTable } from '../table/released-table.ts';
import { blockKey, combinations } from '../table/released-table.ts';
import { disclosureProblems } from './check-disclosure.ts';
import { readUnits, type Units } from './read-units.ts';
import type { AuditSets } from './audit-sets.ts';
import type { Release, Stratum } from './release.ts';
import type { PrivateTable } from '../renewal/renewal.ts';
import type { StratumVectors } from '../renewal/unit-changes.ts';
import { chooseTable, type DatedShortfall, type KeptRelease, type WaitingChanges } from './choose-table.ts';
import { cellColumns, countValues, strataOf, unitVectors, type Part } from './units.ts';

export interface ReleaseSource {
  readonly engine: Engine;
  readonly index: string;
  readonly catalogueId: string;
  readonly fields: Fields;
  readonly disclosure: DisclosureConfig;
  /** Unset: the audit ends with tables of three dimensions. */
  readonly auditSets?: AuditSets;
}

/** A release that is not published yet. */
export interface Draft {
  readonly release: Omit<Release, 'id'>;
  /** One for each stratum; null for a stratum whose table comes from the previous release. */
  readonly audits: readonly (AuditReport | null)[];
  /** All units counted. */
  readonly units: number;
  readonly withoutUnit: number;
  /** The data it was computed from; never published. */
  readonly table: PrivateTable;
  /** The changes that wait, for the operator. */
  readonly waiting: readonly WaitingChanges[];
  /** Why it may not follow the previous releases, for the operator. */
  readonly shortfalls: readonly DatedShortfall[];
}

/** A stratum with more cells cannot be kept and audited. */
const maxCells = 30_000_000;

/**
 * Computes a release from the records at one moment: one scan, then everything in memory. It is compared with every
 * earlier release that is kept; where it may not follow them, small changes wait (hold-changes.ts).
 * @param earlier the kept releases of the index, the most recent last
 * @param former the previous release of the same series: its listed values stay
 * @throws TributaryError CONFIG_INVALID when disclosure.json does not fit the catalogue, CONFLICT when the records change
 */
export const draftRelease = async (
  { engine, index, catalogueId, fields, disclosure, auditSets }: ReleaseSource,
  {
    earlier,
    former,
    series,
    date,
  }: {
    readonly earlier: readonly KeptRelease[];
    readonly former: KeptRelease | null;
    readonly series: number;
    readonly date: string;
  },
): Promise<Draft> => {
  const problems = disclosureProblems(disclosure, fields);
  if (problems.length > 0) throw invalidConfig(problems.join('; '), { details: { problems } });
  const { dimensions: configs, unit, strata, threshold, order } = disclosure;
  const named = configs.map(({ fieldName }) => fields.get(fieldName)!);
  const all = strata === null ? named : [...named, fields.get(strata)!];
  const units = await readUnits(engine, index, all, unit === 'record' ? null : fields.get(unit)!);
  const parts = strataOf(units, strata === null ? null : configs.length);
  const before = former?.table ?? null;
  const counted = (isFrozen: boolean): PrivateTable => {
    const cells = chosenCells(disclosure, named, units, { parts, before, isFrozen });
    const vectors = parts.map((part) => unitVectors(units, part, cells, named));
    return { threshold, order, dimensions: dimensionsOf(configs, cells, vectors), strata: vectors };
  };
  const chosen = await chooseTable(counted, { earlier, former, stableIds: disclosure.stableIds === true });
  const made: { readonly stratum: Stratum; readonly audit: AuditReport | null }[] = [];
  for (const [position, stratum] of chosen.table.strata.entries()) {
    const stays = chosen.stays.get(stratum.value);
    if (stays !== undefined) {
      made.push({ stratum: stays, audit: null });
      continue;
    }
    const { table, audit } = await tableOf(stratum, chosen.table, auditSets);
    const waits = Math.floor((chosen.waitingUnits[position] ?? 0) / threshold) * threshold;
    made.push({ stratum: { value: stratum.value, date, ...(waits > 0 && { waits }), table }, audit });
  }
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
    table: chosen.table,
    waiting: chosen.waiting,
    shortfalls: chosen.shortfalls,
  };
};

const chosenCells = (
  { dimensions, threshold }: DisclosureConfig,
  fields: readonly Field[],
  { columns }: Units,
  chosen: {
    readonly parts: readonly Part[];
    readonly before: PrivateTable | null;
    readonly isFrozen: boolean;
  },
): readonly (readonly DimensionCell[])[] =>
  dimensions.map((config, index) => {
    const levels = new Map<CellValue, number>();
    for (const part of chosen.parts)
      for (const [value, count] of countValues(columns[index]!, part.chosen))
        levels.set(value, (levels.get(value) ?? 0) + Math.floor(count / threshold));
    const listed = listedIn(chosen.before, config);
    // tables that stay have no cells for additional values
    const declared = chosen.isFrozen ? { ...config, most: listed.length } : config;
    return chooseCells(declared, fields[index]!, levels, listed);
  });

/** The table has dimensions even if the release has no stratum. */
const listedIn = (before: PrivateTable | null, { fieldName }: DimensionConfig) => {
  const dimension = before?.dimensions.find((one) => one.fieldName === fieldName);
  return (dimension?.cells ?? []).flatMap((cell) => (cell.kind === 'value' ? [cell.value] : []));
};

const dimensionsOf = (
  configs: readonly DimensionConfig[],
  cells: readonly (readonly DimensionCell[])[],
  strata: readonly StratumVectors[],
): readonly Dimension[] =>
  configs.map((config, index): Dimension => {
    const within = withinOf(config, configs, cells, index);
    return {
      fieldName: config.fieldName,
      isMulti: strata.some(({ vectors }) =>
        vectors.some((vector) => vector.split(';')[index]!.includes(',')),
      ),
      cells: cells[index]!,
      ...(config.mandatory === true && { mandatory: true as const }),
      ...(within && { within }),
    };
  });

const tableOf = async (
  stratum: StratumVectors,
  { dimensions: all, threshold, order }: PrivateTable,
  auditSets: AuditSets | undefined,
): Promise<{ readonly table: ReleasedTable; readonly audit: AuditReport }> => {
  const columns = cellColumns(stratum, all.length);
  const dimensions = all.map((one, index) => ({ ...one, isMulti: columns[index]!.kind === 'list' }));
  assertSize(dimensions, order);
  const counts = countCells(columns, stratum.ids.length, dimensions, order);
  assertWithin(dimensions, counts);
  assertMandatory(dimensions, counts);
  const table = publish(counts, dimensions, { threshold, order });
  return { table, audit: await wholeAudit(table, counts, auditSets) };
};

/** A table that has already failed needs no further examination. */
const wholeAudit = async (
  table: ReleasedTable,
  counts: Counts,
  auditSets: AuditSets | undefined,
): Promise<AuditReport> => {
  const report = audit(table, counts);
  if (auditSets === undefined || report.failures.length > 0) return report;
  const joint = await auditSets({ table, counts, required: report.required });
  return { ...report, joint, failures: joint.kind === 'solved' ? joint.failures : [] };
};

/** The audit relies on a declared hierarchy, so the records must satisfy it. */
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
        throw invalidConfig(
          `disclosure.json, dimensions, ${fieldName}, within: some units with ${cellLabel(cells[cell]!)} do not have the value of ${dimensions[within.dimension]!.fieldName} that it is declared to lie within`,
        );
    });
  });
};

/** The audit also relies on mandatory fields having a value. */
const assertMandatory = (dimensions: readonly Dimension[], { blocks }: Counts): void => {
  dimensions.forEach(({ fieldName, mandatory, cells }, position) => {
    const missing = cells.findIndex(({ kind }) => kind === 'missing');
    if (mandatory === true && blocks.get(blockKey([position]))![missing]! > 0)
      throw invalidConfig(
        `disclosure.json, dimensions, ${fieldName}: some units have no value, but it is declared to be mandatory`,
      );
  });
};

const assertSize = (dimensions: readonly Dimension[], order: number): void => {
  const size = combinations(dimensions, order)
    .map((chosen) => chosen.reduce((product, position) => product * dimensions[position]!.cells.length, 1))
    .reduce((sum, cells) => sum + cells, 0);
  if (size > maxCells)
    throw invalidConfig(
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

/** The name of a cell in disclosure.json. */
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
  // the parent of a multi-field is a separate field, which is not released
  return [...fields.values()].filter(
    (field) =>
      chosen.includes(field) ||
      (paths.has(field.path) && (field.kind === 'object' || field.kind === 'nested')),
  );
};
