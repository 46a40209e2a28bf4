import { invalidConfig } from '../../lib/errors/errors.ts';
import type { HierarchyBuilder } from './build-hierarchy.ts';
import { lineBreak, Spans } from './spans.ts';

/**
 * A table with the columns `code`, `parent`, `label` and `synonyms` (separated by `|`), in any order, among others; a term
 * with several parents has a line for each. The columns `obsolete` and `replaced_by` are optional.
 * @param bytes UTF-8, modified: quoted cells are unquoted in place
 * @param relations additional columns whose values are parents, such as `part_of`
 * @throws TributaryError CONFIG_INVALID
 */
export const readTable = (
  bytes: Buffer,
  relations: ReadonlySet<string>,
  builder: HierarchyBuilder,
  file: string,
): void => {
  let columns: Columns | null = null;
  const [texts, parents] = [new Spans(), new Spans()];
  const term = { bytes, texts, parents, obsolete: false, replacedBy: null as string | null, line: 0 };
  for (const row of tableRows(bytes, file)) {
    if (columns === null) {
      columns = columnsOf(row.texts(), relations);
      if (columns !== null) continue;
      const expected = 'a header with the columns code and parent expected';
      throw invalidConfig(`${file} line ${row.line}: ${expected}`);
    }
    texts.count = 0;
    parents.count = 0;
    for (const column of [columns.code, columns.label]) texts.add(row.start(column), row.end(column));
    addParts(bytes, row.start(columns.synonyms), row.end(columns.synonyms), texts);
    for (const column of columns.parents)
      if (row.start(column) < row.end(column)) parents.add(row.start(column), row.end(column));
    term.obsolete = /^(true|1|yes|x)$/i.test(row.text(columns.obsolete));
    term.replacedBy = row.text(columns.replacedBy) || null;
    term.line = row.line;
    builder.addLine(term);
  }
};

/** Adds the nonempty parts of a list separated by `|`. */
const addParts = (bytes: Buffer, from: number, to: number, texts: Spans): void => {
  for (let start = from; start < to;) {
    let end = start;
    while (end < to && bytes[end] !== bar) end++;
    if (end > start) addTrimmed(bytes, start, end, texts);
    if (texts.starts[texts.count - 1] === texts.ends[texts.count - 1]) texts.count--;
    start = end + 1;
  }
};

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

/** The maximum lines of a quoted cell. */
const maxQuotedLines = 20;

const [bar, quote, space, tab, numberSign] = [124, 34, 32, 9, 35];

/** A row of a table, reused for the next one. */
export class Row {
  /** The line where it begins, from 1. */
  line = 0;
  /** How many line breaks it contains, which quotes allow. */
  linesWithin = 0;
  readonly #bytes: Buffer;
  readonly #ending: number;
  readonly #cells = new Spans();

  /** @param ending the byte that ends lines */
  constructor(bytes: Buffer, ending: number) {
    this.#bytes = bytes;
    this.#ending = ending;
  }

  /** Where a cell begins, without surrounding spaces: 0 for a missing cell, whose end is 0 too. */
  start(column: number): number {
    return column >= 0 && column < this.#cells.count ? this.#cells.starts[column]! : 0;
  }

  end(column: number): number {
    return column >= 0 && column < this.#cells.count ? this.#cells.ends[column]! : 0;
  }

  /** Empty for a missing cell. */
  text(column: number): string {
    const [start, end] = [this.start(column), this.end(column)];
    return start === end ? '' : this.#bytes.toString('utf8', start, end);
  }

  texts(): readonly string[] {
    return Array.from({ length: this.#cells.count }, (_, column) => this.text(column));
  }

  /** @returns where the row ends; -1 for an unclosed quote: in tab-separated tables it is text */
  read(from: number, delimiter: number): number {
    const bytes = this.#bytes;
    this.#cells.count = 0;
    this.linesWithin = 0;
    for (let at = from; ; at++) {
      while (bytes[at] === space) at++;
      const close = bytes[at] === quote ? this.#closingQuote(at + 1, delimiter) : at;
      if (close < 0 && delimiter !== tab) return -1;
      let end = Math.max(close, at);
      while (end < bytes.length && bytes[end] !== delimiter && bytes[end] !== this.#ending) end++;
      if (close > at && firstText(bytes, close + 1, this.#ending) >= end)
        addTrimmed(bytes, at + 1, unquoted(bytes, at + 1, close), this.#cells);
      else addTrimmed(bytes, at, end, this.#cells);
      if (end === bytes.length || bytes[end] === this.#ending) return end;
      at = end;
    }
  }

  /** -1 if there is none within its lines; two quotes are one in the text. */
  #closingQuote(from: number, delimiter: number): number {
    for (let at = from; at < this.#bytes.length; at++) {
      const byte = this.#bytes[at];
      if (byte === quote && this.#bytes[++at] !== quote) return at - 1;
      if (byte === this.#ending && (delimiter === tab || ++this.linesWithin === maxQuotedLines)) return -1;
    }
    return -1;
  }
}

/**
 * The rows of a table separated by tabs, semicolons or commas, without empty rows and initial comments with `#`. Lines end
 * in LF, CRLF or, if there is no LF at all, CR.
 * @param bytes UTF-8, modified: two quotes in a cell become one
 * @throws TributaryError CONFIG_INVALID for an unclosed quote
 */
export function* tableRows(bytes: Buffer, file: string): Generator<Row> {
  const ending = bytes.includes(lineBreak) ? lineBreak : 13;
  const row = new Row(bytes, ending);
  let delimiter = 0;
  let end = 0;
  for (let at = 0; at < bytes.length; at = end + 1) {
    row.line += 1 + row.linesWithin;
    row.linesWithin = 0;
    end = firstText(bytes, at, ending);
    if (end === bytes.length || bytes[end] === ending) continue;
    if (delimiter === 0) {
      end = lineEnd(bytes, at, ending);
      if (bytes[at] === numberSign) continue;
      delimiter = delimiterOf(bytes.toString('utf8', at, end));
    }
    end = row.read(at, delimiter);
    if (end < 0) throw invalidConfig(`${file} line ${row.line}: a quote is not closed`);
    yield row;
  }
}

/** The first byte of a line that is not a space, or the end of the line. */
const firstText = (bytes: Buffer, from: number, ending: number): number => {
  let at = from;
  while (at < bytes.length && bytes[at]! <= space && bytes[at] !== ending) at++;
  return at;
};

const lineEnd = (bytes: Buffer, from: number, ending: number): number => {
  const end = bytes.indexOf(ending, from);
  return end < 0 ? bytes.length : end;
};

const delimiterOf = (header: string): number => {
  const counts = ['\t', ';', ','].map((delimiter) => [delimiter, header.split(delimiter).length] as const);
  return counts.reduce((best, candidate) => (candidate[1] > best[1] ? candidate : best))[0].codePointAt(0)!;
};

/** Replaces two quotes by one. @returns where the text then ends */
const unquoted = (bytes: Buffer, from: number, to: number): number => {
  let end = from;
  for (let at = from; at < to; at++) {
    if (bytes[at] === quote) at++;
    bytes[end++] = bytes[at]!;
  }
  return end;
};

/** Adds the text without surrounding whitespace of any kind. */
const addTrimmed = (bytes: Buffer, from: number, to: number, cells: Spans): void => {
  let [start, end] = [from, to];
  while (start < end && bytes[start]! <= space) start++;
  while (end > start && bytes[end - 1]! <= space) end--;
  if (end > start && (bytes[start]! > 127 || bytes[end - 1]! > 127)) {
    const text = bytes.toString('utf8', start, end);
    start += Buffer.byteLength(text) - Buffer.byteLength(text.trimStart());
    end = start + Buffer.byteLength(text.trim());
  }
  cells.add(start, end);
};
