import { kindOf } from '../../../introspection/fields/field.ts';
import type { JsonObject, JsonScalar } from '../../../lib/json/json.ts';
import { mappingType, propertyAt } from '../../mapping-body.ts';
import { plainReading, readingOf, type ReadingOptions } from '../records/source-record.ts';
import { cellParts, type Splitting } from './split-cells.ts';
import { digitLoss } from '../records/lossless-json.ts';
import { parseDate } from '../../../introspection/dates/dates.ts';

/** A column of a table and how its cells become values of the documents. */
export interface Column {
  /** The header split at its dots: `donor.age` is the field `age` of the object `donor`. */
  readonly path: readonly string[];
  readonly type: ColumnType;
  /** A cell that does not fit stays text, and the engine decides. */
  readonly read: CellReader;
  /** How its cells hold several values. */
  readonly split?: Splitting | undefined;
  /** Null words for this column only. */
  readonly nullWords?: ReadonlySet<string> | undefined;
}

/** A row of a table, its line number, and its text for the report if it cannot be loaded. */
export interface TableRow {
  readonly line: number;
  readonly cells: readonly Cell[];
  readonly text: () => string;
}

/**
 * The columns of a table. Types are those requested, else those of the mapping if it has the column, else inferred from the
 * sample: all numbers, all `true`/`false`, all dates of the date format, or text.
 */
export const tableColumns = (
  header: readonly string[],
  sample: readonly (readonly Cell[])[],
  properties: JsonObject | null,
  reading: ReadingOptions = plainReading,
): readonly Column[] =>
  header.map((name, position) => {
    const requested = reading.types.get(name) ?? (properties === null ? null : mappingType(properties, name));
    const own = readingOf(reading, name);
    const split = reading.split?.get(name);
    const nullWords = reading.ofField?.get(name)?.nullWords;
    if (requested === null) {
      const cells = sample.map((row) => row[position] ?? '');
      const type = sampledType(
        split === undefined
          ? cells
          : cells.flatMap((cell): readonly Cell[] => cellParts(String(cell), split) ?? [cell]),
        own,
      );
      return { path: name.split('.'), type, read: sampledReader(type, own), nullWords, split };
    }
    const type = columnType(requested, own);
    return { path: name.split('.'), type, read: mappedReader(type, own, properties, name), nullWords, split };
  });

/** Like `cellReader`, but a date stays as written if the mapping has a format that does not take it in ISO 8601. */
export const mappedReader = (
  type: ColumnType,
  reading: ReadingOptions,
  properties: JsonObject | null,
  path: string,
): CellReader => {
  const read = cellReader(type, reading);
  const format =
    type === 'date' && properties !== null ? propertyAt(properties, path)?.['format'] : undefined;
  if (typeof format !== 'string') return read;
  return (cell) => {
    const date = read(cell);
    return typeof date !== 'string' || parseDate(date, format, 'down') !== null ? date : String(cell);
  };
};

/** How cells of a mapped type are read. */
export const columnType = (mapped: string, { dateFormat }: ReadingOptions): ColumnType => {
  const kind = kindOf(mapped);
  if (kind === 'date') return dateFormat === undefined ? 'text' : 'date';
  return kind === 'number' || kind === 'boolean' ? kind : 'text';
};

const sampledType = (cells: readonly Cell[], reading: ReadingOptions): ColumnType => {
  const { nullWords, decimal, dateFormat } = reading;
  const filled = cells.filter((cell) => cell !== '' && !nullWords.has(String(cell).trim()));
  if (filled.length === 0) return 'any';
  const isNumber = (cell: Cell): boolean =>
    typeof cell === 'string' ? numberOf(cell, decimal) !== undefined : typeof cell === 'number';
  if (filled.every(isNumber)) return 'number';
  if (filled.every((cell) => cell === 'true' || cell === 'false' || typeof cell === 'boolean'))
    return 'boolean';
  const isDate = (cell: Cell): boolean => typeof cell === 'string' && isoDate(cell, reading) !== null;
  return dateFormat !== undefined && filled.every(isDate) ? 'date' : 'text';
};

/** A cell of a table: text in a CSV file, or a typed value in a workbook. */
export type Cell = string | number | boolean;

/** The text of a cell; only spaces, even quoted or typed into a workbook, count as empty. */
export const unlessBlank = (text: string): string => (text.trim() === '' ? '' : text);

/** The type that a column's cells are converted to; `any` if the sample is empty: each cell by its look. */
export type ColumnType = 'text' | 'number' | 'boolean' | 'date' | 'any';

/** Reads the non-empty cells of a column; undefined for a cell that does not fit. */
export type CellReader = (cell: Cell) => JsonScalar | undefined;

/** The reader for columns of a type. */
const cellReader = (type: ColumnType, reading: ReadingOptions): CellReader => {
  const { decimal, dateFormat } = reading;
  switch (type) {
    case 'number':
      return (cell) => (typeof cell === 'string' ? numberOf(cell, decimal) : readNative(cell, 'number'));
    case 'boolean':
      return (cell) => (typeof cell === 'string' ? booleanWord(cell) : readNative(cell, 'boolean'));
    case 'date':
      return (cell) =>
        typeof cell !== 'string'
          ? undefined
          : dateFormat === undefined
            ? cell
            : (isoDate(cell, reading) ?? undefined);
    case 'text':
      return (cell) => String(cell);
    case 'any': {
      const readers = (['number', 'boolean', 'date'] as const).map((one) => sampledReader(one, reading));
      return (cell) => {
        for (const read of readers) {
          const value = read(cell);
          if (value !== undefined) return value;
        }
        return undefined;
      };
    }
  }
};

/** For a type that was not requested: only `true` and `false` are booleans, since `1` or `yes` may mean something else. */
const sampledReader = (type: ColumnType, reading: ReadingOptions): CellReader => {
  if (type !== 'boolean') return cellReader(type, reading);
  return (cell) =>
    typeof cell === 'boolean' ? cell : cell === 'true' ? true : cell === 'false' ? false : undefined;
};

const readNative = (cell: number | boolean, type: 'number' | 'boolean'): JsonScalar | undefined =>
  typeof cell === type ? cell : undefined;

/** Numbers that a double would round stay text, which engines parse exactly. */
const numberOf = (text: string, decimal: '.' | ',' | undefined): JsonScalar | undefined => {
  const plain = plainNumberText(text, decimal);
  if (plain === null) return undefined;
  switch (digitLoss(plain)) {
    case 'none':
      return Number(plain);
    case 'of a long':
    case 'of a fraction':
      return plain;
    case 'of a text':
      return undefined;
  }
};

const words: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'y', 'ja', 'j', 'wahr', 'oui', 'o', 'vrai', '1'].map((word) => [word, true] as const),
  ...['false', 'no', 'n', 'nein', 'falsch', 'non', 'faux', '0'].map((word) => [word, false] as const),
]);

/** The boolean that a word means in English, German or French, ignoring case; undefined if none. */
export const booleanWord = (text: string): boolean | undefined => words.get(text.toLowerCase());

/**
 * Converts a date in `format` to ISO 8601 of the same precision: `2020-12-31`, `2020-12`, or with time in UTC. ISO 8601
 * dates are unchanged; null if the text is neither.
 */
const isoDate = (text: string, { dateFormat = '', onDate }: ReadingOptions): string | null => {
  for (const format of dateFormat.split('||').map((one) => one.trim())) {
    const ms = parseDate(text, format, 'down', 0);
    if (ms === null || /now|\|\|/.test(text)) continue;
    onDate?.();
    return new Date(withCentury(ms, format)).toISOString().replace(partsBeyond(format), '');
  }
  return isIsoDate(text) ? text : null;
};

/** The range of two-digit years, as in spreadsheets. */
export const twoDigitYears = '1930 to 2029';

const lastTwoDigitYear = 2029;

const withCentury = (ms: number, format: string): number => {
  const date = new Date(ms);
  if (!/(?<![yu])(?:yy|uu)(?![yu])/.test(format) || date.getUTCFullYear() <= lastTwoDigitYear) return ms;
  return date.setUTCFullYear(date.getUTCFullYear() - 100);
};

/** Whether a text is a full ISO 8601 date, with or without time. */
export const isIsoDate = (text: string): boolean =>
  /^[+-]?\d{4,}-\d\d-\d\d/.test(text) && parseDate(text, 'strict_date_optional_time', 'down') !== null;

/** The parts of an ISO date that the format does not cover. */
const partsBeyond = (format: string): RegExp => {
  const letters = format.replace(/'[^']*'/g, '');
  if (/[Hhms]|time|epoch/.test(letters)) return /$/;
  if (/d|date/.test(letters)) return /T.*$/;
  return letters.includes('M') ? /-\d\dT.*$/ : /-\d\d-\d\dT.*$/;
};

/**
 * Without leading zeros, so that codes like 007 stay text. Digits, E and digits are a code too, but `1e-8` and `1.5E3`
 * are numbers. A plus sign before eight or more digits begins a telephone number.
 */
const plainNumber =
  /^(?!\+\d{8,}$)[+-]?(?:(?:(?:0|[1-9]\d*)\.\d*|\.\d+)(?:[eE][+-]?\d+)?|(?:0|[1-9]\d*)(?:[eE][+-]\d+)?)$/;
/** `1 234,56` or `1.234,56`; a point groups exactly three digits. */
const commaNumber = /^(?!\+\d{8,}$)[+-]?(0|[1-9]\d*|[1-9]\d{0,2}(?:[. \u00a0\u202f'’]\d{3})+)(,\d+)?$/;
/** `1,234.56` */
const pointNumber = /^(?!\+\d{8,}$)[+-]?(0|[1-9]\d*|[1-9]\d{0,2}(?:[, \u00a0\u202f'’]\d{3})+)(\.\d+)?$/;
const groupSigns = { ',': /[. \u00a0\u202f'’+]/g, '.': /[, \u00a0\u202f'’+]/g } as const;

/** Whether a text is a number without leading zeros or digit groups: `-1.5`, `+5`, `.5`, `5.`, `1e-8`. */
export const isPlainNumber = (text: string): boolean => plainNumber.test(text);

/** Whether a text is a number with this decimal separator, with or without digit grouping. */
export const isNumberWith = (text: string, decimal: '.' | ','): boolean =>
  (decimal === ',' ? commaNumber : pointNumber).test(text);

/**
 * A number's text in JSON notation, or null if it is not a number.
 * @param decimal the decimal separator; undefined: JSON notation
 */
const plainNumberText = (text: string, decimal: '.' | ',' | undefined): string | null => {
  const plain = text.startsWith('+') ? text.slice(1) : text;
  if (decimal === undefined) return plainNumber.test(text) ? plain : null;
  if (!isNumberWith(text, decimal)) return decimal === '.' && plainNumber.test(text) ? plain : null;
  return text.replace(groupSigns[decimal], '').replace(',', '.');
};
