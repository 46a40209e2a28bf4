import { TributaryError } from '../../../errors/errors.ts';
import type { JsonObject } from '../../../json/json.ts';
import type { ReadingOptions } from '../records/reading-options.ts';
import type { BadRecord, SourceRecord } from '../records/source-record.ts';
import { badRecord } from '../records/source-record.ts';
import type { Cell } from './cell-reader.ts';
import type { Column, TableRow } from './columns.ts';
import { rowDocument, tableColumns } from './columns.ts';
import type { Header } from './header.ts';
import { readHeader } from './header.ts';

/** Rows sampled for column types: as many as documents for the mapping. */
const sampleRows = 10_000;
const sampleCharacters = 16 * 1024 * 1024;

/** A batch from a table reader: rows in file order, and records that could not be read. */
export type TableBatch = Iterable<TableRow | BadRecord>;

/**
 * The rows of a table as documents; the first row is the header. Empty rows are skipped.
 * @param properties the mapping to type cells by, or null
 * @throws TributaryError INPUT_INVALID a header without fields
 */
export const readTable = async function* (
  batches: AsyncIterable<TableBatch>,
  properties: JsonObject | null,
  reading: ReadingOptions,
): AsyncGenerator<SourceRecord> {
  let header: Header | null = null;
  let convert = null as ((row: TableRow) => SourceRecord) | null;
  let held: (TableRow | BadRecord)[] = [];
  let characters = 0;
  const converted = function* (): Generator<SourceRecord> {
    const rows = held;
    held = [];
    convert ??= converter(header ?? [], rows.filter(isRow), properties, reading);
    for (const row of rows) yield isRow(row) ? convert(row) : row;
  };
  for await (const batch of batches)
    for (const row of batch) {
      if (!isRow(row)) {
        if (convert === null) held.push(row);
        else yield row;
        continue;
      }
      if (isEmptyRow(row.cells)) continue;
      if (header === null) {
        header = readHeader(row.cells);
        rejectUnknown(header, reading);
        reading.onColumns?.(header.filter((name) => name !== null));
        continue;
      }
      if (convert !== null) {
        yield convert(row);
        continue;
      }
      held.push(row);
      characters += row.cells.reduce<number>((sum, cell) => sum + String(cell).length, 0);
      if (held.length >= sampleRows || characters >= sampleCharacters) yield* converted();
    }
  yield* converted();
};

const isRow = (row: TableRow | BadRecord): row is TableRow => 'cells' in row;

const isEmptyRow = (cells: readonly Cell[]): boolean => cells.every((cell) => cell === '');

/** @throws TributaryError INPUT_INVALID a type for a column that does not exist */
const rejectUnknown = (header: Header, { types }: ReadingOptions): void => {
  const unknown = [...types.keys()].find((name) => !header.includes(name));
  if (unknown === undefined) return;
  const names = header.filter((name) => name !== null).join(', ');
  throw new TributaryError('INPUT_INVALID', `--types names ${unknown}, which is not a column: the header has ${names}`); // prettier-ignore
};

const converter = (
  header: Header,
  sample: readonly TableRow[],
  properties: JsonObject | null,
  reading: ReadingOptions,
): ((row: TableRow) => SourceRecord) => {
  const named = header.flatMap((name, position) => (name === null ? [] : [position]));
  const compact = named.length === header.length;
  const select = (cells: readonly Cell[]): readonly Cell[] =>
    compact ? cells : named.map((position) => cells[position] ?? '');
  if (!compact) rejectUnnamed(header, sample);
  const names = named.map((position) => header[position] ?? '');
  const columns = tableColumns(names, sample.map(({ cells }) => select(cells)), properties, reading); // prettier-ignore
  return (row) => {
    const wrong = misfit(header, row.cells, compact);
    if (wrong !== null) return badRecord(row.line, wrong, row.text());
    return rowRecord(row, columns, select(row.cells), reading);
  };
};

/** @throws TributaryError INPUT_INVALID an unnamed column with values */
const rejectUnnamed = (header: Header, sample: readonly TableRow[]): void => {
  const position = header.findIndex((name, at) => name === null && sample.some(({ cells }) => (cells[at] ?? '') !== '')); // prettier-ignore
  if (position < 0) return;
  const line = sample.find(({ cells }) => (cells[position] ?? '') !== '')?.line ?? 0;
  throw new TributaryError('INPUT_INVALID', `the header has an empty column name: column ${String(position + 1)}, which has a value in line ${String(line)}; every column needs a name`); // prettier-ignore
};

/** What is wrong with a row's number of cells, or null. Empty cells past the header are ignored. */
const misfit = (header: Header, cells: readonly Cell[], compact: boolean): string | null => {
  if (cells.length < header.length) return cellCount(header, cells);
  if (cells.length > header.length && cells.slice(header.length).some((cell) => cell !== ''))
    return cellCount(header, cells);
  if (compact) return null;
  const unnamed = header.findIndex((name, position) => name === null && cells[position] !== '');
  return unnamed < 0
    ? null
    : `a value in column ${String(unnamed + 1)}, which has no name: give it one in the header`;
};

const cellCount = (header: Header, cells: readonly Cell[]): string =>
  `${String(cells.length)} ${cells.length === 1 ? 'cell' : 'cells'} where the header has ${String(header.length)}`;

const rowRecord = (
  { line }: TableRow,
  columns: readonly Column[],
  cells: readonly Cell[],
  { nullWords }: ReadingOptions,
): SourceRecord => {
  let bytes = 0;
  for (const cell of cells) bytes += typeof cell === 'string' ? cell.length + 8 : 8;
  const document = rowDocument(columns, cells, nullWords);
  return { kind: 'document', line, id: null, document, rounded: null, bytes };
};
