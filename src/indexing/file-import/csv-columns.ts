import { kindOf } from '../../introspection/field.ts';
import type { JsonObject, JsonScalar } from '../../json.ts';
import { isJsonObject } from '../../json.ts';
import { losesDigits } from './lossless-json.ts';
import { mappingType } from '../mapping-type.ts';

/** What the cells of a column are turned into. A cell that does not fit stays text, for the engine to judge. */
export type ColumnType = 'text' | 'number' | 'boolean';

export interface Column {
  /** The header split at its dots: `donor.age` is the field `age` of the object `donor`. */
  readonly path: readonly string[];
  readonly type: ColumnType;
}

/** Without leading zeros, so that codes like 007 stay text. */
const plainNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const booleans: Readonly<Record<string, boolean>> = { true: true, false: false };

/**
 * The columns of a CSV file, typed by the mapping where there is one for them, else by the sample: all cells plain
 * numbers, or all `true`/`false`, or text.
 */
export const csvColumns = (
  header: readonly string[],
  sample: readonly (readonly string[])[],
  properties: JsonObject | null,
): readonly Column[] =>
  header.map((name, position) => {
    const mapped = properties === null ? null : mappingType(properties, name);
    const type = mapped === null ? sampledType(sample.map((row) => row[position] ?? '')) : columnType(mapped);
    return { path: name.split('.'), type };
  });

const columnType = (mapped: string): ColumnType => {
  const kind = kindOf(mapped);
  return kind === 'number' || kind === 'boolean' ? kind : 'text';
};

const sampledType = (cells: readonly string[]): ColumnType => {
  const filled = cells.filter((cell) => cell !== '');
  if (filled.length === 0) return 'text';
  if (filled.every((cell) => plainNumber.test(cell))) return 'number';
  return filled.every((cell) => cell in booleans) ? 'boolean' : 'text';
};

/** A row as a document. Empty cells are absent fields. */
export const rowDocument = (columns: readonly Column[], row: readonly string[]): JsonObject => {
  const document: Record<string, unknown> = {};
  columns.forEach((column, position) => {
    const cell = row[position] ?? '';
    if (cell !== '') place(document, column.path, cellValue(cell, column.type));
  });
  return document as JsonObject;
};

const cellValue = (cell: string, type: ColumnType): JsonScalar => {
  if (type === 'number') return plainNumber.test(cell) && !losesDigits(cell) ? Number(cell) : cell;
  return type === 'boolean' ? (booleans[cell] ?? cell) : cell;
};

const place = (document: Record<string, unknown>, path: readonly string[], value: JsonScalar): void => {
  let level = document;
  for (const segment of path.slice(0, -1)) {
    const below = level[segment];
    const next = isJsonObject(below) ? (below as Record<string, unknown>) : {};
    level[segment] = next;
    level = next;
  }
  level[path.at(-1) ?? ''] = value;
};
