import type { JsonScalar } from '../../../json/json.ts';
import { losesDigits } from '../records/lossless-json.ts';
import type { ReadingOptions } from '../records/reading-options.ts';
import { booleanWord } from './boolean-text.ts';
import { isoDate } from './date-text.ts';
import { plainNumberText } from './number-text.ts';

/** A cell of a table: text in a CSV file, or a typed value in a workbook. */
export type Cell = string | number | boolean;

/** The type that a column's cells are converted to. */
export type ColumnType = 'text' | 'number' | 'boolean' | 'date';

/** Reads the non-empty cells of a column; undefined for one that does not fit. */
export type CellReader = (cell: Cell) => JsonScalar | undefined;

/** The reader for columns of a type. */
export const cellReader = (type: ColumnType, { decimal, dateFormat }: ReadingOptions): CellReader => {
  switch (type) {
    case 'number':
      return (cell) => (typeof cell === 'string' ? numberOf(cell, decimal) : readNative(cell, 'number'));
    case 'boolean':
      return (cell) => (typeof cell === 'string' ? booleanWord(cell) : readNative(cell, 'boolean'));
    case 'date':
      return (cell) =>
        typeof cell !== 'string' ? undefined : dateFormat === undefined ? cell : (isoDate(cell, dateFormat) ?? undefined); // prettier-ignore
    case 'text':
      return (cell) => String(cell);
  }
};

const readNative = (cell: number | boolean, type: 'number' | 'boolean'): JsonScalar | undefined =>
  typeof cell === type ? cell : undefined;

/** Numbers that a double would round stay text, which engines parse exactly. */
const numberOf = (text: string, decimal: '.' | ',' | undefined): JsonScalar | undefined => {
  const plain = plainNumberText(text, decimal);
  if (plain === null) return undefined;
  return losesDigits(plain) ? plain : Number(plain);
};
