import { kindOf } from '../../../introspection/fields/field.ts';
import type { JsonObject } from '../../../json/json.ts';
import { isJsonObject, setOwn } from '../../../json/json.ts';
import { mappingType } from '../../mapping-body.ts';
import type { ReadingOptions } from '../records/source-record.ts';
import { plainReading } from '../records/source-record.ts';
import type { Cell, CellReader, ColumnType } from './cell-reader.ts';
import { cellReader, isoDate, plainNumberText } from './cell-reader.ts';

/** A column of a table and how its cells become values of the documents. */
export interface Column {
  /** The header split at its dots: `donor.age` is the field `age` of the object `donor`. */
  readonly path: readonly string[];
  readonly type: ColumnType;
  /** A cell that does not fit stays text, and the engine decides. */
  readonly read: CellReader;
}

/** A row of a table, its line number, and its text for the report if it cannot be loaded. */
export interface TableRow {
  readonly line: number;
  readonly cells: readonly Cell[];
  readonly text: () => string;
}

/**
 * The columns of a table, typed by the caller's request, else by the mapping if it has them, else by the sample: all
 * numbers, all `true`/`false`, all dates of the date format, or text.
 */
export const tableColumns = (
  header: readonly string[],
  sample: readonly (readonly Cell[])[],
  properties: JsonObject | null,
  reading: ReadingOptions = plainReading,
): readonly Column[] =>
  header.map((name, position) => {
    const asked = reading.types.get(name) ?? (properties === null ? null : mappingType(properties, name));
    const type =
      asked === null ? sampledType(sample.map((row) => row[position] ?? ''), reading) : columnType(asked, reading); // prettier-ignore
    return { path: name.split('.'), type, read: cellReader(type, reading) };
  });

const columnType = (mapped: string, { dateFormat }: ReadingOptions): ColumnType => {
  const kind = kindOf(mapped);
  if (kind === 'date') return dateFormat === undefined ? 'text' : 'date';
  return kind === 'number' || kind === 'boolean' ? kind : 'text';
};

const sampledType = (
  cells: readonly Cell[],
  { nullWords, decimal, dateFormat }: ReadingOptions,
): ColumnType => {
  const filled = cells.filter((cell) => cell !== '' && !nullWords.has(String(cell)));
  if (filled.length === 0) return 'text';
  const isNumber = (cell: Cell): boolean =>
    typeof cell === 'string' ? plainNumberText(cell, decimal) !== null : typeof cell === 'number';
  if (filled.every(isNumber)) return 'number';
  if (filled.every((cell) => cell === 'true' || cell === 'false' || typeof cell === 'boolean'))
    return 'boolean';
  const isDate = (cell: Cell, format: string): boolean =>
    typeof cell === 'string' && isoDate(cell, format) !== null;
  return dateFormat !== undefined && filled.every((cell) => isDate(cell, dateFormat)) ? 'date' : 'text';
};

/** A row as a document. Empty cells and null words are absent fields. */
export const rowDocument = (
  columns: readonly Column[],
  row: readonly Cell[],
  nullWords: ReadonlySet<string> = plainReading.nullWords,
): JsonObject => {
  const document: Record<string, unknown> = {};
  for (let position = 0; position < columns.length; position += 1) {
    const cell = row[position] ?? '';
    if (cell === '' || (nullWords.size > 0 && nullWords.has(String(cell)))) continue;
    const { path, read } = columns[position]!;
    const value = read(cell) ?? String(cell);
    if (path.length === 1) setOwn(document, path[0]!, value);
    else place(document, path, value);
  }
  return document as JsonObject;
};

const place = (document: Record<string, unknown>, path: readonly string[], value: unknown): void => {
  let level = document;
  for (const segment of path.slice(0, -1)) {
    const below = Object.hasOwn(level, segment) ? level[segment] : undefined;
    const next = isJsonObject(below) ? (below as Record<string, unknown>) : {};
    if (next !== below) setOwn(level, segment, next);
    level = next;
  }
  setOwn(level, path.at(-1) ?? '', value);
};
