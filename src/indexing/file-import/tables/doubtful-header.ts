import { invalidInput, type TributaryError } from '../../../lib/errors/errors.ts';
import { singleQuoted } from '../../../lib/text/escaped-text.ts';
import { question, settledBy, shownLines } from './question.ts';
import { isIsoDate, isPlainNumber, type Cell, type TableRow } from './columns.ts';

/** The notice about numbers as names in a header, if there are any. */
export const numberNotice = (labels: readonly string[]): readonly string[] => {
  const numbers = labels.filter(isValue);
  return numbers.length === 0
    ? []
    : [
        `the header contains numbers (${numbers.slice(0, 3).join(', ')}${numbers.length > 3 ? ', …' : ''}): if this line is data, load with --no-header`,
      ];
};

/** The question about labels that look like the first record, if they do; `line` is theirs. */
export const recordDoubt = (
  labels: readonly string[],
  line: number,
  rows: readonly Pick<TableRow, 'cells'>[],
): TributaryError | undefined => {
  const below = labels.map((_, at) => filledCells(rows.map(({ cells }) => cells[at] ?? '')).map(String));
  const numbers = labels.filter(isValue);
  // a line of only numbers may be a record, even if they are evenly spaced
  const isPlain = numbers.length === labels.length && below.every((cells) => cells.every(isWhole));
  const isRun =
    !isPlain &&
    numbers.length > 2 &&
    numbers.every(
      (name, at) =>
        at === 0 || Number(name) - Number(numbers[at - 1]) === Number(numbers[1]) - Number(numbers[0]),
    );
  const isIdentifier = (label: string, at: number): boolean => {
    const pattern = identifierPattern(label);
    return pattern !== null && below[at]!.length > 0 && below[at]!.every((value) => pattern.test(value));
  };
  const isRecordValue = (label: string, at: number): boolean => {
    const values = below[at]!;
    if (isIdentifier(label, at)) return true;
    if (rows.length === 0) return numbers.length === labels.length;
    if (label === '' || values.length === 0) return false;
    if (isValue(label)) return !isRun && values.every(isValue) && (!isYear(label) || values.every(isYear));
    return (
      values.includes(label) &&
      new Set(values).size > 1 &&
      !rows.some(({ cells }) => labels.every((name, column) => String(cells[column] ?? '') === name))
    );
  };
  const found = labels.filter(isRecordValue);
  if (found.length === 0) return undefined;
  const isHeader = `--header-row ${String(line)}`;
  return question(
    `the first line looks like a record, not like a header (${found.slice(0, 3).join(', ')}): load with --no-header, which names the columns column_1 and so on, or with ${isHeader} if it has the names`,
    found.some(isValue) || labels.some(isIdentifier) ? '--no-header' : isHeader,
  );
};

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** What the other identifiers of a column look like, if a label may be one: a UUID, or a word with numbers, such as `P0017`. */
const identifierPattern = (label: string): RegExp | null => {
  if (uuid.test(label)) return uuid;
  if (/\s/.test(label) || !/\p{L}/u.test(label) || !/\d/.test(label)) return null;
  const parts = label.split(/\d+/).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('\\d+')}$`);
};

/** @throws TributaryError INPUT_INVALID a single label above rows of many cells, e.g. a line about the file and no header */
export const rejectNarrow = (labels: readonly string[], rows: readonly TableRow[]): void => {
  const [label, second] = filledCells(labels).map(String);
  const width = Math.min(...rows.map(({ cells }) => filledCells(cells).length));
  if (label === undefined || second !== undefined || rows.length === 0 || width < 3) return;
  throw question(
    `the first line has one cell (${label.slice(0, 40)}), but those below have ${String(width)}: load with --header-row N if line N has the names of the columns, or with --skip 1 --no-header if no line has`,
    '--skip 1 --no-header',
  );
};

const separators: readonly (readonly [string | RegExp, string, string | null])[] = [
  [';', ';', "--delimiter ';'"],
  ['|', '|', "--delimiter '|'"],
  ['\t', 'tabs', '--delimiter tab'],
  [' ', 'spaces', "--delimiter ' '"],
  [/ {2,}/, 'several spaces', null],
];

/**
 * @param line the line of the header
 * @throws TributaryError INPUT_INVALID lines of a single column that each contain as many values as the header has names
 */
export const rejectSingleColumn = (
  labels: readonly string[],
  rows: readonly TableRow[],
  line: number,
  isWorkbook: boolean,
): void => {
  if (labels.length !== 1 || rows.length === 0) return;
  const texts = [labels[0]!, ...rows.map(({ cells }) => String(cells[0]))];
  if (texts.every((text) => /^\w+: \S/.test(text))) {
    const data = texts.find((text) => text.startsWith('data_filename: '))?.slice('data_filename: '.length);
    throw invalidInput(
      `the file describes data (${labels[0]!}) but has no records: load ${data ?? 'the file that has them'}`,
    );
  }
  if (!isWorkbook) rejectUneven(labels[0]!, rows);
  for (const [separator, name, option] of separators) {
    const [count = 1, ...counts] = texts.map((text) => text.split(separator).length);
    const alike = counts.filter((one) => one === count).length;
    if (count === 1 || alike * 10 < counts.length * 9) continue;
    const seen = `has a single column, but each line seems to hold ${String(count)} values, separated by ${name}`;
    if (!isWorkbook) {
      const advice = option === null ? 'save it with tabs or commas between them' : `load with ${option}`;
      const [first = [], ...others] = texts.map((text) => text.split(separator));
      const doubt =
        option === null
          ? undefined
          : recordDoubt(
              first,
              line,
              others.map((cells) => ({ cells })),
            );
      const settled = [option ?? '--delimiter ,', ...(doubt === undefined ? [] : [settledBy(doubt)])].join(
        ' ',
      );
      throw question(
        `the file ${seen}: ${advice}, or with --delimiter , if it is one column${doubt === undefined ? '' : `; ${doubt.message}`}`,
        settled,
      );
    }
    // cells of a workbook are texts of several words
    if (name.endsWith('spaces')) continue;
    const isHeader = `--header-row ${String(line)}`;
    throw question(
      `the sheet ${seen}: make columns of them in the spreadsheet, or load with ${isHeader} if it is one column`,
      isHeader,
    );
  }
};

/** @throws TributaryError INPUT_INVALID a single name above lines most of which hold several values, but not equally many */
const rejectUneven = (label: string, rows: readonly TableRow[]): void => {
  for (const sign of [',', ';', '\t', '|']) {
    const several = rows.filter(({ cells: [cell] }) => String(cell).split(sign).length > 2);
    if (label.includes(sign) || several.length * 2 <= rows.length) continue;
    const [name, option] = sign === '\t' ? ['tabs', 'tab'] : [sign, singleQuoted(sign)];
    const line = `--header-row ${String(several[0]!.line)}`;
    throw question(
      `the first line has one cell (${label.slice(0, 40)}), but most below seem to hold several, separated by ${name} (${shownLines(several)}): load with ${line} if that line has the names, or with --header-row 1${sign === ',' ? '' : ` --delimiter ${option}`} if it is one column`,
      line,
    );
  }
};

/** Whether a cell is a number, a boolean or a date. */
export const isValue = (cell: Cell): boolean =>
  typeof cell !== 'string' ||
  isPlainNumber(cell) ||
  isIsoDate(cell) ||
  /^\d{1,2}([./-])\d{1,2}\1\d{2,4}$/.test(cell);

const isWhole = (cell: Cell): boolean => /^-?\d+$/.test(String(cell));

/** Whether a cell may be a year. */
export const isYear = (cell: Cell): boolean => /^(1[5-9]|20)\d\d$/.test(String(cell));

/** The cells that are not empty. */
export const filledCells = (cells: readonly Cell[]): readonly Cell[] => cells.filter((cell) => cell !== '');
