import { invalidInput, type TributaryError } from '../../../lib/errors/errors.ts';
import type { ReadingOptions } from '../records/source-record.ts';
import type { Cell, TableRow } from './columns.ts';
import { question, shownLines } from './question.ts';
import {
  filledCells,
  isValue,
  isYear,
  numberNotice,
  rejectNarrow,
  recordDoubt,
  rejectSingleColumn,
} from './doubtful-header.ts';
import { plural } from '../../../lib/text/plural.ts';

/** A column's label, description and type in comments above a header. */
export interface ColumnNote {
  readonly label: string;
  readonly description: string;
  readonly type: StudyType;
}

/** The start of a table. */
export interface TableStart {
  /** The names of the columns as in the header. */
  readonly labels: readonly string[];
  /** Notes about each column in comments above the header; empty if there are none. */
  readonly columnNotes: readonly ColumnNote[];
  /** The last line of the header; rows up to here are not data. */
  readonly lastLine: number;
  /** A sentence for each decision. */
  readonly notices: readonly string[];
  /** The question whether this is the header; absent if it is evident. */
  readonly doubt?: TributaryError;
}

/** Rows searched for the header. */
const lookedAt = 100;
/** The maximum number of rows above a header. */
const maxTitles = 30;

/**
 * Finds the header of a table: the row in the options, else the first row that is not a comment. Where that may be a title,
 * which has at most half as many cells as the table is wide, there is a doubt.
 * @param rows the first rows without empty ones
 * @param isMapped whether a name is a field of the mapping
 * @throws TributaryError INPUT_INVALID no such line; a first line that looks like a record; a single column whose lines
 *   hold several values
 */
export const tableStart = (
  rows: readonly TableRow[],
  reading: ReadingOptions,
  isMapped: (label: string) => boolean,
  isWorkbook: boolean,
): TableStart => {
  const sign = reading.comment ?? '#';
  const first = rows.findIndex((row) => !isComment(row, sign));
  const comments = rows.slice(0, Math.max(0, first)).map(({ cells }) => cells.map(String));
  const body = rows.slice(Math.max(0, first), first + lookedAt);
  const start = startOf(rows, body, comments, reading);
  const labels = start.labels.map((label) => (isMapped(label.trim()) ? label.trim() : oneLine(label)));
  const columnNotes = studyColumns(comments, labels.length, sign);
  let { doubt } = start;
  if (reading.header === undefined && doubt === undefined && !labels.some(isMapped)) {
    const below = rows.filter(({ line }) => line > start.lastLine).slice(0, lookedAt);
    rejectNarrow(labels, below);
    doubt = recordDoubt(labels, start.lastLine, secondLine(body).length > 0 ? below.slice(1) : below);
    if (doubt === undefined && reading.delimiter === undefined)
      rejectSingleColumn(labels, below, start.lastLine, isWorkbook);
  }
  const aboutComments =
    comments.length === 0 || start.isComment === true ? [] : [commentNotice(comments.length, columnNotes)];
  const numbered = reading.header === undefined ? numberNotice(labels) : [];
  const decided = { ...start, labels, columnNotes, ...(doubt !== undefined && { doubt }) };
  return { ...decided, notices: [...aboutComments, ...start.notices, ...numbered] };
};

/** Spreadsheets break long names into lines. */
const oneLine = (label: string): string => label.trim().replace(/\s*[\r\n]+\s*/g, ' ');

interface Found extends Pick<TableStart, 'labels' | 'lastLine' | 'notices' | 'doubt'> {
  /** Whether the header is the last comment. */
  readonly isComment?: boolean;
}

const startOf = (
  rows: readonly TableRow[],
  body: readonly TableRow[],
  comments: readonly (readonly string[])[],
  { header, comment }: ReadingOptions,
): Found => {
  if (header === 'none') return withoutHeader(body, rows[comments.length - 1]?.line ?? 0);
  if (header !== undefined) return namedHeader(rows, header);
  const [first] = body;
  if (comments.length > 0 && comment === undefined && isCommentedHeader(comments, first))
    return commentedHeader(rows, comments);
  return first === undefined ? { labels: [], lastLine: 0, notices: [] } : foundHeader(body);
};

/** Whether a row is a comment; a quoted cell is not. */
export const isComment = ({ cells: [first], text }: TableRow, sign: string): boolean =>
  typeof first === 'string' && first.startsWith(sign) && !text().startsWith(`"${sign}`);

const studyTypes = ['STRING', 'NUMBER', 'BOOLEAN', 'DATETIME'] as const;
type StudyType = (typeof studyTypes)[number];

/**
 * The comment lines of a cBioPortal clinical file: display names, descriptions, types, (in older files the attribute's
 * level,) priorities; empty for other comments.
 * @see https://docs.cbioportal.org/file-formats/#clinical-data
 */
const studyColumns = (
  comments: readonly (readonly string[])[],
  width: number,
  sign: string,
): readonly ColumnNote[] => {
  const [labels, descriptions, types] = comments.map(([first = '', ...others]) => [
    first.slice(sign.length).trim(),
    ...others,
  ]);
  if (labels?.length !== width || descriptions?.length !== width || types?.length !== width) return [];
  const known = types.map((type) => studyTypes.find((one) => one === type.toUpperCase()));
  return known.flatMap((type, at) =>
    type === undefined || known.includes(undefined)
      ? []
      : [{ label: labels[at]!, description: descriptions[at]!, type }],
  );
};

const commentNotice = (count: number, notes: readonly ColumnNote[]): string => {
  const lines = `${String(count)} ${plural(count, 'comment line')}`;
  return notes.length === 0
    ? `${lines} above the header ${plural(count, 'is', 'are')} not loaded`
    : `${lines} above the header give the columns' labels, descriptions and types`;
};

const withoutHeader = (body: readonly TableRow[], lastLine: number): Found => ({
  labels: Array.from({ length: Math.max(0, ...body.map(({ cells }) => cells.length)) }, () => ''),
  lastLine,
  notices: [],
});

const namedHeader = (rows: readonly TableRow[], [from, to]: readonly [number, number]): Found => {
  const lines = rows.filter(({ line }) => line >= from && line <= to);
  if (lines.length === 0)
    throw invalidInput(`--header-row ${String(from)}: that line has no cells, or the file ends before it`);
  return { labels: joinedLabels(lines.map(({ cells }) => cells)), lastLine: to, notices: [] };
};

/** A name in an upper row also applies to columns to its right without one. */
const joinedLabels = (lines: readonly (readonly Cell[])[]): readonly string[] => {
  const width = Math.max(...lines.map(({ length }) => length));
  const filled = lines.map((cells, at) => {
    let last = '';
    return Array.from({ length: width }, (_, column) => {
      const text = String(cells[column] ?? '').trim();
      if (at === lines.length - 1) return text;
      return (last = text === '' ? last : text);
    });
  });
  return Array.from({ length: width }, (_, column) =>
    [...new Set(filled.map((cells) => cells[column]!))]
      .filter((part) => part !== '' && !isImportId(part))
      .join(' '),
  );
};

/** `#CHROM POS ID`: the last comment is the header if only it is as wide as the rows. */
const isCommentedHeader = (
  comments: readonly (readonly string[])[],
  first: TableRow | undefined,
): boolean => {
  const width = (cells: readonly Cell[]): number => cells.length;
  const [last, before] = [comments.at(-1)!, comments.at(-2)];
  if (first === undefined) return comments.length === 1;
  return (
    width(last) > 1 &&
    width(last) === width(first.cells) &&
    (before === undefined || width(before) !== width(last))
  );
};

const commentedHeader = (rows: readonly TableRow[], comments: readonly (readonly string[])[]): Found => {
  const cells = comments.at(-1)!;
  const isPlain = comments.length === 1;
  const notice = `the header is the last of ${String(comments.length)} comment lines; the others are not loaded`;
  return {
    labels: isPlain ? cells : [cells[0]!.replace(/^#+\s*(?=.)/, ''), ...cells.slice(1)],
    lastLine: rows[comments.length - 1]!.line,
    notices: isPlain ? [] : [notice],
    isComment: true,
  };
};

const foundHeader = (body: readonly TableRow[]): Found => {
  const found = headerAfterTitles(body);
  const at = found !== null && isEvident(body, found) ? found : 0;
  const { cells, line } = body[at]!;
  const header = { labels: cells.map(String), lastLine: line };
  if (found === null) return { ...header, notices: secondLine(body) };
  if (at === 0)
    return {
      ...header,
      notices: [
        `proposed: --header-row ${String(body[found]!.line)} if line ${String(line)} is a title above the header`,
      ],
    };
  const above = body[at - 1]!;
  const group =
    filledCells(above.cells).length > 1
      ? `, --header-row ${String(above.line)}-${String(line)} if two lines are the header`
      : '';
  const doubt = question(
    `the header seems to be line ${String(line)}, below titles (${shownLines(body.slice(0, at + 1))}): load with --header-row ${String(line)}${group}, or --header-row ${String(body[0]!.line)} if line ${String(body[0]!.line)} is the header`,
    `--header-row ${String(line)}`,
  );
  return { ...header, notices: [], doubt };
};

/** The position of the header below rows that are at most half as wide as most; null if the first row is the header. */
const headerAfterTitles = (rows: readonly TableRow[]): number | null => {
  const reach = rows.map(({ cells }) => cells.findLastIndex((cell) => cell !== '') + 1).sort((a, b) => a - b);
  const width = reach[Math.floor(reach.length * 0.75)] ?? 0;
  const isWide = ({ cells }: TableRow): boolean => filledCells(cells).length * 2 > width;
  const at = rows.slice(0, maxTitles).findIndex(isWide);
  const below = rows.slice(at + 1);
  // a few lines of one column may contain a separator
  const isTable = below.filter(({ cells }) => cells.length > 1).length * 2 >= below.length;
  return at > 0 && width > 1 && isTable && isHeaderLike(rows[at]!.cells) ? at : null;
};

/** Whether cells are distinct names, none of them a value. */
const isHeaderLike = (cells: readonly Cell[]): boolean => {
  const names = filledCells(cells);
  return (
    names.length > 1 &&
    new Set(names).size === names.length &&
    names.every((name) => !isValue(name) || isYear(name))
  );
};

const isEvident = (rows: readonly TableRow[], at: number): boolean =>
  at > 1 ||
  rows[at]!.line > rows[0]!.line + at ||
  rows[0]!.cells.some((cell) => /\s/.test(String(cell).trim())) ||
  hasValuesBelow(
    rows,
    at,
    rows[at]!.cells.map((_, column) => column),
  );

const hasValuesBelow = (rows: readonly TableRow[], at: number, columns: readonly number[]): boolean =>
  columns.some((column) => {
    const below = filledCells(rows.slice(at + 1).map(({ cells }) => cells[column] ?? ''));
    return below.length > 0 && below.every(isValue);
  });

/** A proposal if units or a second header row follow: texts above values. */
const secondLine = (rows: readonly TableRow[]): readonly string[] => {
  const [first, second, third] = rows;
  if (first === undefined || second === undefined || rows.length < 4) return [];
  if (third!.cells.every(isImportId))
    return [
      `proposed: --header-row ${String(first.line)}-${String(third!.line)} if the two lines below line ${String(first.line)} belong to the header`,
    ];
  const texts = [...second.cells.keys()].filter((at) => second.cells[at] !== '');
  if (texts.length === 0 || texts.some((at) => isValue(second.cells[at]!))) return [];
  const columns = texts.filter((at) => !isValue(first.cells[at] ?? ''));
  return hasValuesBelow(rows, 1, columns) &&
    columns.filter((at) => hasValuesBelow(rows, 1, [at])).length * 2 >= texts.length
    ? [
        `proposed: --header-row ${String(first.line)}-${String(second.line)} if line ${String(second.line)} belongs to the header`,
      ]
    : [];
};

/** The JSON that Qualtrics writes below the names and texts of questions. */
const isImportId = (cell: Cell): boolean => String(cell).startsWith('{"ImportId":');
