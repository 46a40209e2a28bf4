import type { CellAddress, CellObject, DenseWorkSheet, RowInfo } from '@e965/xlsx';
import { invalidInput, type TributaryError } from '../../../lib/errors/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { wholeFile } from '../records/decode-text.ts';
import { plainReading, type ReadingOptions, type SourceRecord } from '../records/source-record.ts';
import { unlessBlank, type Cell } from './columns.ts';
import { question } from './question.ts';
import { readTable, type TableBatch } from './read-table.ts';
import { checkWorkbook } from './workbook-size.ts';
import { shellWord } from '../../../lib/text/escaped-text.ts';
import { countOf, plural } from '../../../lib/text/plural.ts';

const maxBytes = 128 * 1024 * 1024;

/**
 * A sheet of an Excel workbook. Dates become ISO 8601; times of day, durations and leading zeros are read as displayed.
 * @throws TributaryError INPUT_INVALID too large, damaged, no such sheet, several sheets and none named
 */
export const readXlsx = (
  chunks: AsyncIterable<Buffer>,
  _maxRecordBytes: number,
  properties: JsonObject | null,
  reading: ReadingOptions = plainReading,
): AsyncGenerator<SourceRecord> => readTable(rowsOf(chunks, reading), properties, reading);

const rowsOf = async function* (
  chunks: AsyncIterable<Buffer>,
  reading: ReadingOptions,
): AsyncGenerator<TableBatch> {
  const bytes = await wholeFile(chunks, maxBytes, 'save the sheet as CSV');
  const hasIsoDates = await checkWorkbook(bytes);
  const { sheet, is1904 } = await openSheet(bytes, reading.sheet, hasIsoDates);
  const rows = sheetRows(sheet, is1904);
  for (const notice of noticesOf(sheet, rows)) reading.onNotice?.(notice);
  yield rows.map((cells, at) => ({ line: at + 1, cells, text: () => JSON.stringify(cells) }));
};

interface OpenedSheet {
  readonly sheet: DenseWorkSheet;
  /** Whether days are counted from 1904, as on old Macs. */
  readonly is1904: boolean;
}

const openSheet = async (
  bytes: Buffer,
  name: string | undefined,
  hasIsoDates: boolean,
): Promise<OpenedSheet> => {
  const { read } = await import('@e965/xlsx');
  const workbook = readable(() =>
    read(bytes, {
      type: 'buffer',
      dense: true,
      cellNF: true,
      cellHTML: false,
      cellStyles: true,
      sheetStubs: true,
    }),
  );
  const names = workbook.SheetNames;
  const sheetOf = (one: string): DenseWorkSheet | undefined =>
    workbook.Sheets[one] as DenseWorkSheet | undefined;
  const filled = names.filter((one) => sheetOf(one)?.['!data']?.some((row) => row?.some(isFilled)));
  if (name !== undefined && !names.includes(name))
    throw invalidInput(`the workbook has no sheet ${name}: it has ${names.join(', ')}`);
  if (name === undefined && filled.length > 1) {
    const cellsIn = (one: string): number =>
      (sheetOf(one)?.['!data'] ?? []).reduce((sum, row) => sum + (row?.filter(isFilled).length ?? 0), 0);
    const fullest = filled.reduce((best, one) => (cellsIn(one) > cellsIn(best) ? one : best));
    throw question(
      `the workbook has several sheets: name one with --sheet (${filled.join(', ')})`,
      `--sheet ${shellWord(fullest)}`,
    );
  }
  const chosen = name ?? filled[0] ?? names[0] ?? '';
  const sheet = sheetOf(chosen);
  if (sheet === undefined) throw unreadable();
  if (hasIsoDates) {
    // the first reading made numbers of them, as exact as those that are formatted as dates
    const dated = readable(() =>
      read(bytes, { type: 'buffer', dense: true, cellDates: true, sheets: chosen }),
    );
    markDates(sheet, dated.Sheets[chosen] as DenseWorkSheet);
  }
  return { sheet, is1904: workbook.Workbook?.WBProps?.date1904 === true };
};

const markDates = (sheet: DenseWorkSheet, dated: DenseWorkSheet): void => {
  for (const [row, cells] of (dated['!data'] ?? []).entries())
    for (const [column, cell] of (cells ?? []).entries()) {
      const marked = sheet['!data']?.[row]?.[column];
      if (cell?.t === 'd' && marked?.t === 'n') marked.t = 'd';
    }
};

const isFilled = (cell: CellObject | undefined): boolean => cell !== undefined && cell.t !== 'z';

const readable = <Result>(read: () => Result): Result => {
  try {
    return read();
  } catch (cause) {
    throw unreadable(cause);
  }
};

const unreadable = (cause?: unknown): TributaryError =>
  invalidInput('the workbook cannot be read: save it again as .xlsx, or as CSV', { cause });

/** The rows searched for the header; they are as wide as the sheet, even if they lack cells at their end. */
const firstRows = 100;

const sheetRows = (sheet: DenseWorkSheet, is1904: boolean): Cell[][] => {
  const rows = Array.from(sheet['!data'] ?? [], (row) =>
    Array.from(row ?? [], (cell) => (cell === undefined ? '' : cellOf(cell, is1904))),
  );
  const width = rows.reduce((widest, { length }) => Math.max(widest, length), 0);
  for (const row of rows.slice(0, firstRows)) while (row.length < width) row.push('');
  return rows;
};

const cellOf = ({ t, v, w, z }: CellObject, is1904: boolean): Cell => {
  if (t === 's') return unlessBlank(String(v));
  if (t === 'b') return v === true;
  if ((t !== 'n' && t !== 'd') || typeof v !== 'number') return '';
  const number = numberOf(v, w, String(z ?? 'General'), is1904);
  return t === 'd' && typeof number === 'number' ? (isoText(number, is1904) ?? w ?? number) : number;
};

/** Formats whose leading zeros are displayed, as for postal codes, and `"A"0000`. */
const zeros = /^[ -]*0[ -]*0[0 -]*$/;
const literals = /"[^"]*"|\\./g;

const numberOf = (value: number, shown: string | undefined, format: string, is1904: boolean): Cell => {
  if (zeros.test(format.replace(literals, ''))) return shown ?? value;
  const letters = format.replace(/"[^"]*"|\\.|\[(?![hms]+\])[^\]]*\]|General/gi, '');
  if (!/[dmyhs]/i.test(letters)) return value;
  const hasDay = /[dy]|m{3,}/i.test(letters) || !/[hs]/i.test(letters);
  if (!hasDay || /\[[hms]+\]/i.test(letters)) return shown ?? value;
  return isoText(value, is1904) ?? shown ?? value;
};

const dayMs = 86_400_000;
/** 1899-12-30, so that day 61 is 1 March 1900: the count includes 29 February 1900, which did not exist. */
const firstDay = Date.UTC(1899, 11, 30);
const firstDay1904 = Date.UTC(1904, 0, 1);

/** A count of days as ISO 8601, to the millisecond; midnight is a date without time. Null before day 1. */
const isoText = (days: number, is1904: boolean): string | null => {
  if (days < 1 && !is1904) return null;
  const start = is1904 ? firstDay1904 : days < 60 ? firstDay + dayMs : firstDay;
  const date = new Date(start + Math.round(days * dayMs));
  return Number.isNaN(date.getTime()) ? null : date.toISOString().replace('T00:00:00.000Z', '');
};

type Merges = readonly { readonly s: CellAddress; readonly e: CellAddress }[];

/** Merged cells of several rows; merged cells in one row are titles and groups of columns. */
const tall = (merges: Merges): Merges => merges.filter(({ s, e }) => e.r > s.r);

const noticesOf = (sheet: DenseWorkSheet, rows: readonly Cell[][]): readonly string[] => {
  const formulas = new Places(
    (count) => `${cellsHave(count)} a formula without a stored value and ${plural(count, 'is', 'are')} empty`,
    '; open the workbook and save it',
  );
  const errors = new Places(
    (count) => `${cellsHave(count)} an error and ${plural(count, 'is', 'are')} empty`,
  );
  const long = new Places(
    (count) =>
      count === 1
        ? '1 cell has a whole number of more digits than a number in a workbook keeps'
        : `${cellsHave(count)} whole numbers of more digits than a number in a workbook keeps`,
    '; format such cells as text before typing',
  );
  const hidden = new Places(
    (count) => `${countOf(count, 'hidden row')} ${plural(count, 'is', 'are')} loaded too`,
  );
  const merges = new Places(
    (count) =>
      `${countOf(count, 'group')} of merged cells ${plural(count, 'has its', 'have their')} value in the first cell only`,
    '; unmerge and fill them to have it in every row',
  );
  for (const [row, cells] of (sheet['!data'] ?? []).entries())
    for (const [column, cell] of (cells ?? []).entries()) {
      if (cell?.t === 'e') errors.add(`${addressOf(row, column)}: ${cell.w ?? ''}`);
      if (cell?.t === 'n' && Number.isInteger(cell.v) && !Number.isSafeInteger(cell.v))
        long.add(addressOf(row, column));
      if (cell?.t === 'z' && cell.f !== undefined) formulas.add(addressOf(row, column));
    }
  const properties: readonly (RowInfo | undefined)[] = sheet['!rows'] ?? [];
  for (const [row, property] of properties.entries())
    if (property?.hidden === true && rows[row]?.some((cell) => cell !== '') === true)
      hidden.add(String(row + 1));
  for (const { s, e } of tall(sheet['!merges'] ?? []))
    merges.add(`${addressOf(s.r, s.c)}:${addressOf(e.r, e.c)}`);
  return [formulas, errors, long, merges, hidden].flatMap((places) => places.notices());
};

const cellsHave = (count: number): string => `${countOf(count, 'cell')} ${plural(count, 'has', 'have')}`;

const shownPlaces = 5;

/** Places of one kind: their number, and the first of them for display. */
class Places {
  readonly #what: (count: number) => string;
  readonly #advice: string;
  readonly #first: string[] = [];
  #count = 0;

  constructor(what: (count: number) => string, advice = '') {
    this.#what = what;
    this.#advice = advice;
  }

  add(place: string): void {
    this.#count += 1;
    if (this.#first.length < shownPlaces) this.#first.push(place);
  }

  notices(): readonly string[] {
    if (this.#count === 0) return [];
    const more = this.#count > shownPlaces ? ', …' : '';
    return [`${this.#what(this.#count)} (${this.#first.join(', ')}${more})${this.#advice}`];
  }
}

const addressOf = (row: number, column: number): string => `${columnName(column)}${String(row + 1)}`;

const columnName = (column: number): string =>
  (column >= 26 ? columnName(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26));
