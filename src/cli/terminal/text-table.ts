import stringWidth from 'string-width';
import { escapedText } from '../../lib/text/escaped-text.ts';

export interface TableStyle {
  /** Text before every line. */
  readonly indent?: string;
  /** The positions of columns with numbers. */
  readonly alignedRight?: readonly number[];
  /** A line below the first row. */
  readonly rule?: boolean;
  /** Maximum column width, in terminal columns; a longer cell overflows and shifts what follows. */
  readonly widest?: number;
  /** The length to which cells are truncated, in terminal columns. */
  readonly maxLength?: number;
}

const gap = '  ';

/**
 * Rows as lines with columns aligned as a terminal shows them: Chinese, Japanese and Korean characters take two of its
 * columns, combining marks none, and control characters are shown as code points.
 */
export const textTable = (rows: readonly (readonly string[])[], style: TableStyle = {}): readonly string[] =>
  linesOf(measured(rows, style), style);

/** Prints a table with a line below its first row. */
export const printTable = (...rows: readonly (readonly string[])[]): void => {
  for (const line of textTable(rows, { rule: true })) console.log(line);
};

/**
 * The same, split into tables that fit a width, with an empty line between them.
 * @param heads how many leading columns each table repeats
 */
export const textTables = (
  rows: readonly (readonly string[])[],
  width: number,
  heads: number,
  style: TableStyle = {},
): readonly string[] => {
  const table = measured(rows, style);
  const head = table.widths.slice(0, heads);
  const blocks: number[][] = [];
  let room = 0;
  table.widths.slice(heads).forEach((columnWidth, at) => {
    const needed = gap.length + columnWidth;
    if (blocks.length === 0 || needed > room) {
      blocks.push(head.map((_, column) => column));
      room = width - head.reduce((sum, one) => sum + one, 0) - gap.length * (heads - 1);
    }
    blocks.at(-1)!.push(heads + at);
    room -= needed;
  });
  return blocks.flatMap((columns, block) => [
    ...(block === 0 ? [] : ['']),
    ...linesOf(columnsOf(table, columns), style),
  ]);
};

interface Table {
  readonly rows: readonly (readonly string[])[];
  /** Width of each column, in terminal columns. */
  readonly widths: readonly number[];
}

const measured = (
  rows: readonly (readonly string[])[],
  { widest = Infinity, maxLength = Infinity }: TableStyle,
): Table => {
  const shown = rows.map((row) => row.map((cell) => cutTo(maxLength, escapedText(cell))));
  const widths = (shown[0] ?? []).map((_, column) =>
    Math.min(
      widest,
      shown.reduce((max, row) => Math.max(max, stringWidth(row[column] ?? '')), 0),
    ),
  );
  return { rows: shown, widths };
};

const columnsOf = ({ rows, widths }: Table, columns: readonly number[]): Table => ({
  rows: rows.map((row) => columns.map((column) => row[column] ?? '')),
  widths: columns.map((column) => widths[column]!),
});

const linesOf = ({ rows, widths }: Table, { indent = '', alignedRight = [], rule = false }: TableStyle) => {
  const lineOf = (row: readonly string[]): string =>
    indent +
    row
      .map((cell, at) => padded(cell, widths[at]!, alignedRight.includes(at)))
      .join(gap)
      .trimEnd();
  const lines = rows.map(lineOf);
  return rule
    ? [...lines.slice(0, 1), lineOf(widths.map((width) => '-'.repeat(width))), ...lines.slice(1)]
    : lines;
};

const padded = (cell: string, width: number, isRight: boolean): string => {
  const space = ' '.repeat(Math.max(0, width - stringWidth(cell)));
  return isRight ? space + cell : cell + space;
};

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

const cutTo = (maxLength: number, text: string): string => {
  if (stringWidth(text) <= maxLength) return text;
  let cut = '';
  let width = 0;
  for (const { segment } of graphemes.segment(text)) {
    width += stringWidth(segment);
    if (width > maxLength - 1) break;
    cut += segment;
  }
  return `${cut}…`;
};
