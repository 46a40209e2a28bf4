import { TributaryError } from '../../../errors/errors.ts';
import type { JsonObject } from '../../../json/json.ts';
import type { ReadingOptions, BadRecord, SourceRecord, TableColumn } from '../records/source-record.ts';
import { badRecord } from '../records/source-record.ts';
import type { Cell, Column, TableRow } from './columns.ts';
import { roundedRow, rowDocument, tableColumns } from './columns.ts';
import { readHeader } from './header.ts';

/** Rows sampled for column types: as many as documents for the mapping. */
const sampleRows = 10_000;
const sampleCharacters = 16 * 1024 * 1024;

/** A batch from a table reader: rows in file order, and records that could not be read. */
export type TableBatch = Iterable<TableRow | BadRecord>;

/**
 * The rows of a table as documents; the first row is the header. Empty rows are skipped, and cells that a row lacks at
 * its end are empty.
 * @param properties the mapping to type cells by, or null
 * @throws TributaryError INPUT_INVALID a header without fields
 */
export const readTable = async function* (
  batches: AsyncIterable<TableBatch>,
  properties: JsonObject | null,
  reading: ReadingOptions,
): AsyncGenerator<SourceRecord> {
  let header: readonly Cell[] | null = null;
  let convert = null as ((row: TableRow) => SourceRecord) | null;
  let held: (TableRow | BadRecord)[] = [];
  let characters = 0;
  const short = shortRows();
  const converted = function* (): Generator<SourceRecord> {
    const rows = held;
    held = [];
    convert ??= converter(header ?? [], rows.filter(isRow), properties, reading, short.add);
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
        header = row.cells;
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
  if (short.notice() !== null) reading.onNotice?.(short.notice()!);
};

const isRow = (row: TableRow | BadRecord): row is TableRow => 'cells' in row;

const isEmptyRow = (cells: readonly Cell[]): boolean => cells.every((cell) => cell === '');

const shownLines = 5;

/** Counts rows with fewer cells than the header. */
const shortRows = () => {
  const lines: number[] = [];
  let count = 0;
  return {
    add: (line: number): void => {
      count += 1;
      if (lines.length < shownLines) lines.push(line);
    },
    notice: (): string | null => {
      if (count === 0) return null;
      const where = `${count === 1 ? 'line' : 'lines'} ${lines.join(', ')}${count > lines.length ? ', …' : ''}`;
      return `${String(count)} ${count === 1 ? 'row has' : 'rows have'} fewer cells than the header, and nothing in the last columns (${where})`;
    },
  };
};

/**
 * What an option says of columns, by their fields.
 * @throws TributaryError INPUT_INVALID a column that does not exist
 */
const byField = <Said>(
  columns: readonly TableColumn[],
  said: ReadonlyMap<string, Said>,
  option: string,
): ReadonlyMap<string, Said> =>
  new Map(
    [...said].map(([name, value]) => {
      const column =
        columns.find(({ label }) => label === name) ?? columns.find(({ field }) => field === name);
      if (column !== undefined) return [column.field, value] as const;
      const names = columns.flatMap(({ label, isNamed }) => (isNamed ? [label] : [])).join(', ');
      throw new TributaryError('INPUT_INVALID', `${option} names ${name}, which is not a column: the header has ${names}`); // prettier-ignore
    }),
  );

const converter = (
  header: readonly Cell[],
  sample: readonly TableRow[],
  properties: JsonObject | null,
  reading: ReadingOptions,
  onShortRow: (line: number) => void,
): ((row: TableRow) => SourceRecord) => {
  const labels = header.map((cell) => String(cell).trim());
  if (lacksFirstName(labels, sample)) labels.unshift('');
  const { columns, notices } = readHeader(labels, properties, reading.dots);
  const types = byField(columns, reading.types, '--types');
  const ofField = byField(columns, reading.ofField ?? new Map<string, never>(), '--null or --decimal');
  if (header.length > 0) reading.onColumns?.(columns);
  notices.forEach((notice) => reading.onNotice?.(notice));
  const filled = ({ position }: TableColumn): boolean =>
    sample.some(({ cells }) => (cells[position] ?? '') !== '');
  const unnamed = columns.filter((column) => !column.isNamed && filled(column)).map(({ field }) => field);
  if (unnamed.length > 0)
    reading.onNotice?.(`columns without a name in the header are loaded as ${unnamed.join(', ')}`);
  const fields = columns.map(({ field }) => field);
  const typed = tableColumns(fields, sample.map(({ cells }) => cells), properties, { ...reading, types, ofField }); // prettier-ignore
  return (row) => {
    const { cells, line } = row;
    const beyond = cells.length > labels.length ? cells.findIndex((cell, at) => at >= labels.length && cell !== '') : -1; // prettier-ignore
    if (beyond >= 0) return badRecord(line, `${cellCount(cells.length)} where the header has ${String(labels.length)}: cell ${String(beyond + 1)} is ${JSON.stringify(cells[beyond])}`, row.text()); // prettier-ignore
    if (cells.length < labels.length) onShortRow(line);
    return rowRecord(row, typed, reading);
  };
};

/** Whether the header lacks the name of the first column, where R puts the names of rows. */
const lacksFirstName = (labels: readonly string[], sample: readonly TableRow[]): boolean =>
  labels.length > 0 &&
  sample.length > 0 &&
  labels.every((label) => label !== '') &&
  sample.every(({ cells }) => cells.length === labels.length + 1) &&
  sample.some(({ cells }) => cells.at(-1) !== '') &&
  new Set(sample.map(({ cells }) => cells[0])).size === sample.length;

const cellCount = (count: number): string => `${String(count)} ${count === 1 ? 'cell' : 'cells'}`;

const rowRecord = (
  { line, cells }: TableRow,
  columns: readonly Column[],
  { nullWords }: ReadingOptions,
): SourceRecord => {
  let bytes = 0;
  for (const cell of cells) bytes += typeof cell === 'string' ? cell.length + 8 : 8;
  const document = rowDocument(columns, cells, nullWords);
  const rounded = roundedRow(columns, document, cells);
  return { kind: 'document', line, id: null, document, rounded, bytes };
};
