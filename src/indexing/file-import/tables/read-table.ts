import { invalidInput, type TributaryError } from '../../../lib/errors/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { ReadingOptions, BadRecord, SourceRecord, TableColumn } from '../records/source-record.ts';
import { badRecord } from '../records/source-record.ts';
import { tableColumns, type Cell, type TableRow } from './columns.ts';
import { documentReader } from './row-documents.ts';
import { readHeader } from './header.ts';
import { isComment, tableStart, type ColumnNote, type TableStart } from './table-start.ts';
import { mappingType } from '../../mapping-body.ts';
import { question, shownLines as shownRows, withDelimiter } from './question.ts';
import { shellWord, singleQuoted } from '../../../lib/text/escaped-text.ts';
import { plural } from '../../../lib/text/plural.ts';

/** Rows sampled for column types: the same number as documents for the mapping. */
const sampleRows = 10_000;
const sampleCharacters = 16 * 1024 * 1024;

/** A batch from a table reader: rows in file order, and records that could not be read. */
export type TableBatch = Iterable<TableRow | BadRecord>;

/** Facts about a table that a reader finds before its first row. */
export interface TableLayout {
  /** The separator of its cells; null for a workbook. */
  delimiter: string | null;
}

/**
 * The rows of a table as documents, below its header (`table-start.ts`). Empty rows are skipped, and missing cells at the
 * end of a row are empty.
 * @param properties the mapping to type cells by, or null
 * @throws TributaryError INPUT_INVALID a header without fields, or one that is not evident, or shorter than every row
 */
export const readTable = async function* (
  batches: AsyncIterable<TableBatch>,
  properties: JsonObject | null,
  reading: ReadingOptions,
  layout: TableLayout = { delimiter: null },
): AsyncGenerator<SourceRecord> {
  let convert = null as ((row: TableRow) => SourceRecord) | null;
  let held: (TableRow | BadRecord)[] = [];
  /** The number of sampled rows, without comments above the header. */
  let sampled = 0;
  let characters = 0;
  let totals: TableRow | null = null;
  const short = shortRows();
  const firstLine = firstLineOf(reading);
  const converted = function* (): Generator<SourceRecord> {
    const rows = held;
    held = [];
    const [first] = rows;
    if (first !== undefined && !isRow(first) && reading.header === undefined)
      throw invalidInput(
        `line ${String(first.line)}, where the header should be, cannot be read: ${first.reason}`,
      );
    const tables = rows.filter(isRow);
    const isMapped = (label: string): boolean =>
      properties !== null && mappingType(properties, label) !== null;
    let below: typeof rows;
    try {
      const start = tableStart(tables, reading, isMapped, layout.delimiter === null);
      below = rows.filter((row) => row.line > start.lastLine && !isLaterComment(row, reading));
      convert = converter(start, below.filter(isRow), properties, reading, short.add, layout);
    } catch (error) {
      throw withDelimiter(error, reading.delimiter === undefined ? layout.delimiter : null);
    }
    for (const row of below) yield isRow(row) ? convert(row) : row;
  };
  const take = function* (row: TableRow | BadRecord): Generator<SourceRecord> {
    held.push(row);
    if (sampled > 0 || !isRow(row) || !isComment(row, reading.comment ?? '#')) sampled += 1;
    if (isRow(row)) characters += row.cells.reduce<number>((sum, cell) => sum + String(cell).length, 0);
    if (sampled >= sampleRows || characters >= sampleCharacters) yield* converted();
  };
  for await (const batch of batches)
    for (const row of batch) {
      if (isRow(row) && (row.line < firstLine || isEmptyRow(row.cells))) continue;
      totals = isRow(row) && beginsAsTotals(row) && !isLaterComment(row, reading) ? row : null;
      // the path of most rows: delegating to a generator for each would cost as much as reading it
      if (convert === null) yield* take(row);
      else if (!isLaterComment(row, reading)) yield isRow(row) ? convert(row) : row;
    }
  if (convert === null) yield* converted();
  if (totals !== null) reading.onNotice?.(totalsNotice(totals));
  if (short.notice() !== null) reading.onNotice?.(short.notice()!);
};

/** The first line that may be part of the table. */
export const firstLineOf = ({ header, skipLines = 0 }: ReadingOptions): number =>
  Math.max(skipLines + 1, typeof header === 'object' ? header[0] : 0);

/** Comments above the header may describe the columns, so they are dropped later. */
const isLaterComment = (row: TableRow | BadRecord, { comment }: ReadingOptions): boolean =>
  comment !== undefined && isRow(row) && isComment(row, comment);

const totalWords = /^(?:(?:grand|sub)[ -]?)?totals?\b|^(?:gesamt|summe|insgesamt|somme|total général)\b/i;

/** Whether a row begins with a word for totals; only the last row of a table can be totals. */
const beginsAsTotals = ({ cells: [first, ...others] }: TableRow): boolean =>
  typeof first === 'string' && first.length < 20 && others.length > 0 && totalWords.test(first);

const totalsNotice = (row: TableRow): string =>
  `line ${String(row.line)} begins like totals and is loaded as a record: ${row.text()} (--comment ${shellWord(String(row.cells[0]))} leaves it out)`;

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
      const where = `${plural(count, 'line')} ${lines.join(', ')}${count > lines.length ? ', …' : ''}`;
      return `${String(count)} ${plural(count, 'row has', 'rows have')} fewer cells than the header, and nothing in the last columns (${where})`;
    },
  };
};

/**
 * The values of an option for columns, by field.
 * @throws TributaryError INPUT_INVALID a column that does not exist
 */
const byField = <Value>(
  columns: readonly TableColumn[],
  byColumn: ReadonlyMap<string, Value>,
  option: string,
  mayLack: ReadonlySet<string> = new Set(),
): ReadonlyMap<string, Value> =>
  new Map(
    [...byColumn].flatMap(([name, value]) => {
      const column =
        columns.find(({ label }) => label === name) ?? columns.find(({ field }) => field === name);
      if (column !== undefined) return [[column.field, value] as const];
      if (mayLack.has(name)) return [];
      const names = columns.flatMap(({ label, isNamed }) => (isNamed ? [label] : [])).join(', ');
      throw invalidInput(`${option} names ${name}, which is not a column: the header has ${names}`);
    }),
  );

const converter = (
  { labels: found, columnNotes, notices: decided, doubt }: TableStart,
  sample: readonly TableRow[],
  properties: JsonObject | null,
  reading: ReadingOptions,
  onShortRow: (line: number) => void,
  layout: TableLayout,
): ((row: TableRow) => SourceRecord) => {
  const labels = [...found];
  if (reading.rowNames === true || hasRowNames(labels, sample, layout)) labels.unshift('');
  else rejectLongRows(labels, sample, layout, { doubt, isChosen: reading.header !== undefined });
  if (doubt !== undefined) throw doubt;
  const { columns: named, notices } = readHeader(labels, properties, reading.dots, reading.dotted);
  const columns = named.map((column, at) => ({ ...column, ...noteOf(columnNotes[at]) }));
  const types = new Map([
    ...textColumns(columns, columnNotes),
    ...byField(columns, reading.types, '--types', reading.mayLack),
  ]);
  const split = byField(columns, reading.split ?? new Map<string, never>(), '--split');
  const ofField = byField(
    columns,
    reading.ofField ?? new Map<string, never>(),
    '--null or --decimal',
    reading.mayLack,
  );
  if (labels.length > 0) reading.onColumns?.(columns);
  if (columnNotes.length > 0) reading.onTypes?.(declaredTypes(columns, columnNotes));
  [...decided, ...notices].forEach((notice) => reading.onNotice?.(notice));
  const filled = ({ position }: TableColumn): boolean =>
    sample.some(({ cells }) => (cells[position] ?? '') !== '');
  const unnamed = columns.filter((column) => !column.isNamed && filled(column)).map(({ field }) => field);
  if (unnamed.length > 0)
    reading.onNotice?.(`columns without a name in the header are loaded as ${unnamed.join(', ')}`);
  const fields = columns.map(({ field }) => field);
  const typed = tableColumns(
    fields,
    sample.map(({ cells }) => cells),
    properties,
    { ...reading, types, ofField, split },
  );
  const inferred =
    properties !== null || reading.decimal !== undefined
      ? []
      : columns.filter(
          ({ field, position }) =>
            typed[position]!.type === 'number' && ofField.get(field)?.decimal === undefined,
        );
  const untyped = inferred.filter(({ field }) => !types.has(field));
  [...groupQuestions(inferred, sample, layout), ...codeQuestions(untyped, sample)].forEach((question) =>
    reading.onNotice?.(question),
  );
  const documentOf = documentReader(typed, reading.nullWords);
  return (row) => {
    const { cells, line } = row;
    const beyond =
      cells.length > labels.length ? cells.findIndex((cell, at) => at >= labels.length && cell !== '') : -1;
    if (beyond >= 0)
      return badRecord(
        line,
        `${cellCount(cells.length)} where the header has ${String(labels.length)}: cell ${String(beyond + 1)} is ${JSON.stringify(cells[beyond])}`,
        row.text(),
      );
    if (cells.length < labels.length) onShortRow(line);
    return rowRecord(row, documentOf);
  };
};

const grouped = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;

/** Questions about numbers with three digits after each point, in a table that seems to have decimal commas. */
const groupQuestions = (
  columns: readonly TableColumn[],
  sample: readonly TableRow[],
  { delimiter }: TableLayout,
): readonly string[] => {
  const hasCommas = (): boolean =>
    sample.some(({ cells }) => cells.some((cell) => /^[+-]?\d+,\d+$/.test(String(cell))));
  const found = columns.flatMap(({ label, position }) => {
    const texts = pointed(sample, position);
    return texts.length > 0 && texts.every((cell) => grouped.test(cell)) ? [[label, texts[0]!]] : [];
  });
  if (found.length === 0 || (delimiter !== ';' && !hasCommas())) return [];
  return found.map(
    ([label = '', example = '']) =>
      `question: --decimal ${singleQuoted(`${label}=,`)}: ${label} has three digits behind each point (${example}), which is read as a decimal point and may group thousands`,
  );
};

/** Questions about numbers that end with a zero although others are shorter: inventory numbers 1932.1 and 1932.10. */
const codeQuestions = (columns: readonly TableColumn[], sample: readonly TableRow[]): readonly string[] =>
  columns.flatMap(({ label, position }) => {
    const texts = pointed(sample, position);
    const decimals = (text: string): number => text.length - text.indexOf('.');
    const shortest = texts.reduce((least, text) => Math.min(least, decimals(text)), Infinity);
    const code = texts.find((text) => /\.\d+0$/.test(text) && decimals(text) > shortest);
    return code === undefined
      ? []
      : [
          `question: --types ${singleQuoted(`${label}=keyword`)}: is ${label} a code? ${code} becomes the number ${String(Number(code))}`,
        ];
  });

/** The texts of a column that contain a point. */
const pointed = (sample: readonly TableRow[], position: number): readonly string[] =>
  sample.flatMap(({ cells: { [position]: cell } }) =>
    typeof cell === 'string' && cell.includes('.') ? [cell] : [],
  );

const noteOf = (note: ColumnNote | undefined) =>
  note === undefined ? {} : { label: note.label, description: note.description };

const declaredTypes = (columns: readonly TableColumn[], notes: readonly ColumnNote[]) =>
  new Map(
    columns.flatMap(({ field }, at) => {
      const type = notes[at]?.type;
      return type === 'STRING' || type === 'NUMBER'
        ? [[field, type === 'STRING' ? 'keyword' : 'double'] as const]
        : [];
    }),
  );

const textColumns = (columns: readonly TableColumn[], notes: readonly ColumnNote[]) =>
  [...declaredTypes(columns, notes)].filter(([, type]) => type === 'keyword');

/** The rows that have something beyond the header. */
const longerRows = (labels: readonly string[], sample: readonly TableRow[]): readonly TableRow[] =>
  labels.length === 0
    ? []
    : sample.filter(({ cells }) => cells.some((cell, at) => at >= labels.length && cell !== ''));

/** Numbers and the words that R writes without quotes. */
const unquotedWord = /^(?:[-+]?[\d.]+(?:[eE][-+]?\d+)?|NA|NaN|-?Inf|TRUE|FALSE|)$/;

/**
 * Whether the header certainly lacks the name of the first column, as in R's tables: all texts have quotes, so that no
 * separator is part of one, nor a decimal comma of a number.
 */
const hasRowNames = (
  labels: readonly string[],
  sample: readonly TableRow[],
  { delimiter }: TableLayout,
): boolean => {
  if (delimiter === null || labels.length === 0 || sample.length === 0) return false;
  if (!sample.every(({ cells }) => cells.length === labels.length + 1)) return false;
  const words = sample.map((row) =>
    row
      .text()
      .replace(/"(?:[^"]|"")*"/g, '"')
      .split(delimiter),
  );
  return (
    words.every(
      (row) => row[0] === '"' && row.every((word) => word === '"' || unquotedWord.test(word.trim())),
    ) &&
    (delimiter !== ',' || words.some((row) => !row.join(',').match(/\d,\d/)))
  );
};

interface HeaderChoice {
  /** A question about the header, which is asked together with the one about long rows. */
  readonly doubt: TributaryError | undefined;
  /** Whether an option names the header. */
  readonly isChosen: boolean;
}

/**
 * @throws TributaryError INPUT_INVALID all rows are longer than the header, so that a value would get the wrong name; or
 *   most are and nobody has chosen the header, so that most records would be rejected for a guess
 */
const rejectLongRows = (
  labels: readonly string[],
  sample: readonly TableRow[],
  { delimiter }: TableLayout,
  { doubt, isChosen }: HeaderChoice,
): void => {
  const longer = longerRows(labels, sample);
  const areAll = longer.length === sample.length;
  if (longer.length === 0 || (!areAll && (isChosen || longer.length * 2 <= sample.length))) return;
  const widths = [...new Set(longer.map(({ cells }) => cells.length))].sort((a, b) => a - b);
  const before = doubt === undefined ? '' : `${doubt.message}; but `;
  const rows = areAll ? 'every row has' : 'most rows have';
  const found = `${before}${rows} ${widths.length === 1 ? '' : 'at least '}${cellCount(widths[0]!)}, the header ${String(labels.length)} (${shownRows(longer)})`;
  const sign = delimiter === '\t' ? 'a tab' : JSON.stringify(delimiter);
  if (delimiter !== null && labels.length === 1 && areAll)
    throw question(
      `${found}: if it is one column of texts with ${sign}, load with --delimiter ${delimiter === '\t' ? "'|'" : 'tab'}; if the header is below, with --header-row N`,
      `--delimiter ${delimiter === '\t' ? "'|'" : 'tab'}`,
    );
  const quotes =
    delimiter === null ? 'write a name above each column' : `put quotes around texts that contain ${sign}`;
  const plain = `--skip ${String(sample[0]!.line - 1)} --no-header`;
  const below = areAll ? '' : '; if the header is below, load with --header-row N';
  const rowNames =
    areAll && delimiter !== null && widths[0] === labels.length + 1 && widths.length === 1
      ? '; if the header lacks the name of the first column, as in tables of R, load with --row-names'
      : '';
  throw question(
    `${found}: ${quotes}${below}${rowNames}; ${plain} loads all cells, into columns column_1 and so on`,
    plain,
  );
};

const cellCount = (count: number): string => `${String(count)} ${plural(count, 'cell')}`;

const rowRecord = (
  { line, cells }: TableRow,
  documentOf: ReturnType<typeof documentReader>,
): SourceRecord => {
  let bytes = 0;
  for (const cell of cells) bytes += typeof cell === 'string' ? cell.length + 8 : 8;
  return { kind: 'document', line, id: null, ...documentOf(cells), bytes };
};
