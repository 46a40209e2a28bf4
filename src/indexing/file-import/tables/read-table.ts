import { TributaryError } from '../../../errors/errors.ts';
import type { JsonObject } from '../../../json/json.ts';
import type { ReadingOptions, BadRecord, SourceRecord } from '../records/source-record.ts';
import { badRecord } from '../records/source-record.ts';
import type { Cell, Column, TableRow } from './columns.ts';
import { roundedRow, rowDocument, tableColumns } from './columns.ts';
import { fieldNameOffers, nameCollision } from '../../../introspection/fields/field.ts';

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
const rejectUnknown = (header: Header, { types, ofField }: ReadingOptions): void => {
  const unknown = [...types.keys(), ...(ofField?.keys() ?? [])].find((name) => !header.includes(name));
  if (unknown === undefined) return;
  const names = header.filter((name) => name !== null).join(', ');
  throw new TributaryError('INPUT_INVALID', `${types.has(unknown) ? '--types' : '--null or --decimal'} names ${unknown}, which is not a column: the header has ${names}`); // prettier-ignore
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
  const rounded = roundedRow(columns, document, cells);
  return { kind: 'document', line, id: null, document, rounded, bytes };
};

/** The names of a table's columns; null for an unnamed column, which must be empty. */
export type Header = readonly (string | null)[];

/**
 * A header line as field names. Trailing unnamed columns are kept as such: spreadsheets export empty ones.
 * @throws TributaryError INPUT_INVALID two columns that map to one field, or a column that is both a field and an
 *   object, naming both and suggesting other names
 */
const readHeader = (cells: readonly Cell[]): Header => {
  const header = cells.map((cell) => (String(cell).trim() === '' ? null : String(cell).trim()));
  const names = header.filter((name) => name !== null);
  rejectDuplicate(header);
  const dotted = names.find((name) => name.split('.').some((part) => part.trim() === ''));
  if (dotted !== undefined)
    throw invalid(`the column "${dotted}" has an empty part beside a dot, which separates objects: rename it, for example to ${dotted.split('.').filter((part) => part.trim() !== '').join('.')}`); // prettier-ignore
  const inside = names.find((name) => names.some((other) => other.startsWith(`${name}.`)));
  if (inside !== undefined)
    throw invalid(`the column "${inside}" cannot hold values and be the object of "${names.find((other) => other.startsWith(`${inside}.`)) ?? ''}": rename it, for example to ${inside}.value`); // prettier-ignore
  const collision = nameCollision(names);
  if (collision !== null) throw columnsCollide(collision);
  return header;
};

const rejectDuplicate = (header: Header): void => {
  const second = header.findIndex((name, at) => name !== null && header.indexOf(name) !== at);
  const name = header[second];
  if (name === undefined || name === null) return;
  const first = header.indexOf(name);
  throw invalid(
    `the header has the column name ${name} twice, in columns ${String(first + 1)} and ${String(second + 1)}: rename one, for example to ${name}_2`,
  );
};

const columnsCollide = ({
  first,
  second,
  name,
}: {
  first: string;
  second: string;
  name: string;
}): TributaryError => {
  const [one, other] = fieldNameOffers(first, second);
  return invalid(
    `the columns "${first}" and "${second}" would both be ${name} in GraphQL: rename them in the header, for example to ${one} and ${other}`,
    { columns: [first, second], offered: [one, other] },
  );
};

const invalid = (message: string, details?: Readonly<Record<string, unknown>>): TributaryError =>
  new TributaryError('INPUT_INVALID', message, details === undefined ? {} : { details });
