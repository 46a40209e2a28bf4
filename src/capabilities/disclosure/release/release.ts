import { createHash } from 'node:crypto';
import { invalidConfig, type TributaryError } from '../../../lib/errors/errors.ts';
import type { Field } from '../../../introspection/fields/field.ts';
import type { Block, Dimension, ReleasedTable } from '../table/released-table.ts';
import { blockKey, combinations } from '../table/released-table.ts';

/** Everything that is published about a catalogue: one table for each stratum. */
export interface Release {
  /** The SHA-256 of the published text. */
  readonly id: string;
  readonly catalogueId: string;
  /** Releases of one series have comparable cells. */
  readonly series: number;
  /** The calendar day of its slot, `2026-11-01`: every count was in its interval when it was computed. */
  readonly date: string;
  readonly threshold: number;
  readonly order: number;
  /** The field whose distinct values are counted, or `record`. */
  readonly unit: string;
  readonly stratumField: string | null;
  /** The fields of the dimensions, and the objects that contain them, in mapping order. */
  readonly fields: readonly Field[];
  readonly strata: readonly Stratum[];
}

export interface Stratum {
  /** null: without strata all units; with strata the units that are in none. */
  readonly value: string | null;
  /** The release's date, or that of the earlier release since which too few of its units changed. */
  readonly date: string;
  /** The number of units whose changes wait for more of their kind, rounded down to the threshold; unset for none. */
  readonly waits?: number;
  readonly table: ReleasedTable;
}

/** Names the stratum, to follow "cells" and similar words; empty without strata. */
export const stratumLabel = (
  { value }: Pick<Stratum, 'value'>,
  { stratumField }: Pick<Release, 'stratumField'>,
): string =>
  stratumField === null ? '' : value === null ? ` without ${stratumField}` : ` of stratum ${value}`;

interface PublishedTable {
  readonly total: number;
  readonly dimensions: readonly Dimension[];
  /** The blocks in the order of `combinations`: cells with at least `threshold` units, each with its level. */
  readonly blocks: readonly (readonly number[])[];
}

type Published = Omit<Release, 'id' | 'strata'> & {
  readonly strata: readonly {
    readonly value: string | null;
    /** Unset: the release's date. */
    readonly date?: string;
    readonly waits?: number;
    readonly table: PublishedTable;
  }[];
};

const format = 1;

/** The published text. Its hash is the release's id. */
export const releaseText = (release: Omit<Release, 'id'>): string => {
  const published: Published = {
    ...withoutId(release),
    fields: release.fields.map(withoutHierarchy),
    strata: release.strata.map(({ table, ...stratum }) => ({ ...stratum, table: publishedTable(table) })),
  };
  return JSON.stringify({ format, ...published });
};

const withoutId = (release: Omit<Release, 'id'>): Omit<Release, 'id'> =>
  Object.fromEntries(Object.entries(release).filter(([key]) => key !== 'id')) as unknown as Omit<
    Release,
    'id'
  >;

/** Hierarchies come from the current configuration. */
const withoutHierarchy = (field: Field): Field => {
  const { hierarchy: _, ...plain } = field;
  return plain;
};

/** The id of a release: the SHA-256 of its stored text, in hexadecimal. */
export const idOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const publishedTable = ({ total, dimensions, order, blocks }: ReleasedTable): PublishedTable => ({
  total,
  dimensions,
  blocks: combinations(dimensions, order).map((chosen) => {
    const { levels } = blocks.get(blockKey(chosen))!;
    const shown: number[] = [];
    levels.forEach((level, cell) => level > 0 && shown.push(cell, level));
    return shown;
  }),
});

/**
 * The release of a published text.
 * @param id the hash it must have
 * @throws TributaryError CONFIG_INVALID when the text is damaged
 */
export const readRelease = (text: string, id: string): Release => {
  if (idOf(text) !== id) throw damaged();
  let read: Published & { readonly format?: unknown };
  try {
    read = JSON.parse(text) as typeof read;
  } catch (cause) {
    throw damaged(cause);
  }
  if (read.format !== format)
    throw invalidConfig('the release is of another version of this program: make a new one');
  const { threshold, order } = read;
  return {
    id,
    catalogueId: read.catalogueId,
    series: read.series,
    date: read.date,
    threshold,
    order,
    unit: read.unit,
    stratumField: read.stratumField,
    fields: read.fields.map(withoutHierarchy),
    strata: read.strata.map(({ value, date = read.date, waits, table }) => ({
      ...{ value, date },
      ...(waits !== undefined && { waits }),
      table: tableOf(table, threshold, order),
    })),
  };
};

const damaged = (cause?: unknown): TributaryError =>
  invalidConfig('the release is damaged: it does not have the hash it was stored with', { cause });

const tableOf = (
  { total, dimensions, blocks }: PublishedTable,
  threshold: number,
  order: number,
): ReleasedTable => {
  const all = combinations(dimensions, order).map((chosen, index): [string, Block] => {
    const sizes = chosen.map((position) => dimensions[position]!.cells.length);
    const levels = new Uint32Array(sizes.reduce((product, size) => product * size, 1));
    const shown = blocks[index]!;
    for (let at = 0; at < shown.length; at += 2) levels[shown[at]!] = shown[at + 1]!;
    return [blockKey(chosen), { dimensions: chosen, sizes, levels }];
  });
  return { threshold, order, dimensions, total, blocks: new Map(all) };
};
