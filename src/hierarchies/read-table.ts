import { TributaryError } from '../errors/errors.ts';
import type { HierarchyBuilder } from './build-hierarchy.ts';
import type { Line } from './text-lines.ts';

/** A row of a table, with the line that it begins in. */
export interface Row {
  readonly line: number;
  /** Trimmed. */
  readonly cells: readonly string[];
}

/**
 * A table with the columns `code`, `parent`, `label` and `synonyms` (separated by `|`), in any order, among others; a term
 * with several parents has a line for each. The columns `obsolete` and `replaced_by` are optional.
 * @param relations further columns whose values are parents, such as `part_of`
 * @throws TributaryError CONFIG_INVALID
 */
export const readTable = (
  lines: Iterable<Line>,
  relations: ReadonlySet<string>,
  builder: HierarchyBuilder,
  file: string,
): void => {
  let columns: Columns | null = null;
  for (const { line, cells } of tableRows(lines, file)) {
    if (columns === null) {
      columns = columnsOf(cells, relations);
      if (columns === null)
        throw new TributaryError(
          'CONFIG_INVALID',
          `${file} line ${line}: a header with the columns code and parent expected`,
        );
      continue;
    }
    const cell = (column: number): string => cells[column] ?? '';
    builder.addLine({
      id: cell(columns.code),
      label: cell(columns.label),
      synonyms: listIn(cell(columns.synonyms)),
      parents: columns.parents.map(cell).filter((parent) => parent !== ''),
      obsolete: /^(true|1|yes|x)$/i.test(cell(columns.obsolete)),
      replacedBy: cell(columns.replacedBy) || null,
      line,
    });
  }
};

const listIn = (cell: string): readonly string[] =>
  cell === '' ? [] : cell.split('|').map((text) => text.trim()).filter((text) => text !== ''); // prettier-ignore

/** Positions of columns; -1 for a missing one. */
interface Columns {
  readonly code: number;
  readonly label: number;
  readonly synonyms: number;
  readonly obsolete: number;
  readonly replacedBy: number;
  readonly parents: readonly number[];
}

const columnsOf = (header: readonly string[], relations: ReadonlySet<string>): Columns | null => {
  const names = header.map(plainName);
  const at = (...known: readonly string[]): number => names.findIndex((name) => known.includes(name));
  const code = at('code', 'id');
  const parent = at('parent', 'isa', 'subclassof', 'broader');
  if (code < 0 || parent < 0) return null;
  const further = [...relations].map((relation) => at(plainName(relation))).filter((column) => column >= 0);
  return {
    code,
    label: at('label', 'name', 'display'),
    synonyms: at('synonyms', 'synonym'),
    obsolete: at('obsolete', 'isobsolete', 'deprecated'),
    replacedBy: at('replacedby'),
    parents: [parent, ...further],
  };
};

const plainName = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '');

/** The most lines that a cell in quotes may span. */
const maxQuotedLines = 20;

/**
 * The rows of a table separated by tabs, semicolons or commas, without empty ones and comments in `#` at its beginning.
 * @throws TributaryError CONFIG_INVALID for a quote that is not closed
 */
export function* tableRows(lines: Iterable<Line>, file: string): Generator<Row> {
  let delimiter: string | null = null;
  let open = { line: 0, text: '', lines: 0 };
  for (const { number, text } of lines) {
    const isFirst = open.lines === 0;
    if (isFirst && (text.trim() === '' || (delimiter === null && text.startsWith('#')))) continue;
    delimiter ??= delimiterOf(text);
    open = isFirst ? { line: number, text, lines: 1 } : { ...open, text: `${open.text}\n${text}`, lines: open.lines + 1 };
    const cells = cellsOf(open.text, delimiter);
    if (cells === null && open.lines === maxQuotedLines) break;
    if (cells === null) continue;
    yield { line: open.line, cells };
    open = { line: 0, text: '', lines: 0 };
  }
  if (open.lines > 0) throw new TributaryError('CONFIG_INVALID', `${file} line ${open.line}: a quote is not closed`);
} // prettier-ignore

const delimiterOf = (header: string): string => {
  const counts = ['\t', ';', ','].map((delimiter) => [delimiter, header.split(delimiter).length] as const);
  return counts.reduce((best, one) => (one[1] > best[1] ? one : best))[0];
};

/** null for a quote that is not closed; between tabs it is text. */
const cellsOf = (text: string, delimiter: string): readonly string[] | null => {
  const quoted = text.includes('"') ? quotedCells(text, delimiter) : undefined;
  if (quoted === null && delimiter !== '\t') return null;
  return (quoted ?? text.split(delimiter)).map((cell) => cell.trim());
};

const quotedCells = (text: string, delimiter: string): readonly string[] | null => {
  const cells: string[] = [];
  for (let at = 0; at <= text.length;) {
    while (text[at] === ' ') at++;
    const close = text[at] === '"' ? closingQuote(text, at + 1) : at;
    if (close < 0) return null;
    const found = text.indexOf(delimiter, close);
    const end = found < 0 ? text.length : found;
    const isQuoted = close > at && text.slice(close + 1, end).trim() === '';
    cells.push(isQuoted ? text.slice(at + 1, close).replaceAll('""', '"') : text.slice(at, end));
    at = end + 1;
  }
  return cells;
};

/** -1 for none; two quotes are one in the text. */
const closingQuote = (text: string, from: number): number => {
  let at = text.indexOf('"', from);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
};
