import { isDeepStrictEqual } from 'node:util';
import { yieldToEventLoop } from '../../../lib/concurrency/yield-to-event-loop.ts';
import { holdChanges } from '../renewal/hold-changes.ts';
import { compareTables, requiredChanges, type PrivateTable, type Shortfall } from '../renewal/renewal.ts';
import { stratumVectors } from '../renewal/unit-changes.ts';
import type { Release, Stratum } from './release.ts';

/** Waiting changes of one kind in one stratum. */
export interface WaitingChanges {
  readonly stratum: string | null;
  /** null: units that were added or removed. */
  readonly fieldName: string | null;
  readonly units: number;
  readonly required: number;
}

/** A block in which too few units changed since a release. */
export interface DatedShortfall extends Shortfall {
  readonly since: string;
  readonly areIdsStable: boolean;
}

/** A published release with the table that it was computed from. */
export interface KeptRelease {
  readonly release: Release;
  readonly table: PrivateTable;
}

/** The table to be published, and the changes left out of it. */
export interface ChosenTable {
  readonly table: PrivateTable;
  /** By value, the strata with too few changes: they stay as they were published. */
  readonly stays: ReadonlyMap<string | null, Stratum>;
  readonly waiting: readonly WaitingChanges[];
  /** For each stratum, how many units are not counted in their current state. */
  readonly waitingUnits: readonly number[];
  /** Empty: the table may be published. */
  readonly shortfalls: readonly DatedShortfall[];
}

/**
 * The current records, if they may follow the previous releases in every stratum; else with small changes held back,
 * including added and removed units if necessary; else why not.
 * @param counted the current units; frozen: without further listed values
 */
export const chooseTable = async (
  counted: (isFrozen: boolean) => PrivateTable,
  {
    earlier,
    former,
    stableIds,
  }: {
    readonly earlier: readonly KeptRelease[];
    readonly former: KeptRelease | null;
    readonly stableIds: boolean;
  },
): Promise<ChosenTable> => {
  const table = counted(false);
  const stale = staleStrata(table, earlier.at(-1), stableIds);
  const isStale = ({ stratum }: Shortfall): boolean => stale.some((one) => one.stratum === stratum);
  const areAllStale = stale.length > 0 && stale.length >= table.strata.length;
  const blocks = areAllStale
    ? []
    : (await shortfallsOf(table, earlier, stableIds)).filter((one) => !isStale(one));
  const shortfalls = [...stale, ...blocks];
  const plain: ChosenTable = { table, shortfalls, stays: new Map(), waiting: [], waitingUnits: [] };
  if (shortfalls.length === 0 || former === null) return plain;
  const frozen = counted(true);
  if (!isCountedAlike(former.table, frozen) || !compareTables(former.table, frozen, stableIds).areIdsStable)
    return plain;
  for (const holdsMoves of [false, true]) {
    const held = holdStrata(former, frozen, holdsMoves);
    if (
      held.stays.size < held.table.strata.length &&
      (await shortfallsOf(held.table, earlier, stableIds)).length === 0
    )
      return { ...held, shortfalls: [] };
  }
  return plain;
};

/** Strata with too few changes to be published again, whatever their blocks. */
const staleStrata = (
  table: PrivateTable,
  last: KeptRelease | undefined,
  stableIds: boolean,
): readonly DatedShortfall[] => {
  if (last === undefined) return [];
  return last.table.strata.flatMap((former, position): readonly DatedShortfall[] => {
    const now = table.strata.find(({ value }) => value === former.value) ?? stratumVectors(former.value, []);
    const { changed, areIdsStable } = compareTables(
      { ...last.table, strata: [former] },
      { ...table, strata: [now] },
      stableIds,
    );
    const required = requiredChanges(table.threshold, Math.max(former.ids.length, now.ids.length));
    if (changed >= required) return [];
    const since = last.release.strata[position]!.date;
    return [{ stratum: former.value, fieldNames: null, changed, required, since, areIdsStable }];
  });
};

/** Yields between comparisons, so that the server can answer requests. */
const shortfallsOf = async (
  table: PrivateTable,
  earlier: readonly KeptRelease[],
  stableIds: boolean,
): Promise<readonly DatedShortfall[]> => {
  const found: DatedShortfall[] = [];
  for (const { release, table: before } of earlier) {
    await yieldToEventLoop();
    const { areIdsStable, shortfalls } = compareTables(before, table, stableIds);
    found.push(...shortfalls.map((one) => ({ ...one, since: release.date, areIdsStable })));
  }
  return found;
};

/** Whether two tables have the same cells, in the same order. */
const isCountedAlike = (before: PrivateTable, now: PrivateTable): boolean =>
  isDeepStrictEqual(cellsOf(before), cellsOf(now)) &&
  before.threshold === now.threshold &&
  before.order === now.order;

const cellsOf = ({ dimensions }: PrivateTable) =>
  dimensions.map(({ fieldName, cells, within }) => [fieldName, cells, within]);

const holdStrata = (
  { release, table: before }: KeptRelease,
  now: PrivateTable,
  holdsMoves: boolean,
): Omit<ChosenTable, 'shortfalls'> => {
  const gone = before.strata.filter(({ value }) => !now.strata.some((one) => one.value === value));
  const held = [...now.strata, ...gone.map(({ value }) => stratumVectors(value, []))].map((stratum) => {
    const former = before.strata.find(({ value }) => value === stratum.value);
    // a new stratum has nothing to be compared with
    if (former === undefined) return { vectors: stratum, stays: null, waiting: [], waitingUnits: 0 };
    const required = requiredChanges(now.threshold, Math.max(former.ids.length, stratum.ids.length));
    const { vectors, waiting, waitingUnits, isFormer } = holdChanges(former, stratum, now.dimensions, {
      required,
      holdsMoves,
    });
    const stays = isFormer ? release.strata.find(({ value }) => value === stratum.value)! : null;
    return {
      ...{ vectors, stays, waitingUnits },
      waiting: waiting.map(({ dimension, units }) => ({
        stratum: stratum.value,
        fieldName: dimension === null ? null : now.dimensions[dimension]!.fieldName,
        ...{ units, required },
      })),
    };
  });
  const renewed = held.filter(({ vectors, stays }) => stays !== null || vectors.ids.length > 0);
  // unchanged strata come last, in their previous order
  const ordered = [
    ...renewed.filter(({ stays }) => stays === null),
    ...renewed.filter(({ stays }) => stays !== null),
  ];
  return {
    table: { ...now, strata: ordered.map(({ vectors }) => vectors) },
    stays: new Map(ordered.flatMap(({ stays }) => (stays === null ? [] : [[stays.value, stays] as const]))),
    waiting: held.flatMap(({ waiting }) => waiting),
    waitingUnits: ordered.map((one) => one.waitingUnits),
  };
};
