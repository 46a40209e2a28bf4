import type { JsonScalar } from '../../../json.ts';
import { losesDigits } from '../records/lossless-json.ts';
import type { ReadingOptions } from '../records/reading-options.ts';
import { booleanWord } from './boolean-text.ts';
import { isoDate } from './date-text.ts';
import { plainNumberText } from './number-text.ts';

/** A cell of a table: the text of a CSV file, or the value that a workbook keeps. */
export type Cell = string | number | boolean;

/** What the cells of a column are turned into. */
export type ColumnType = 'text' | 'number' | 'boolean' | 'date';

/** Reads the cells of a column that are not empty; undefined for one that does not fit. */
export type CellReader = (cell: Cell) => JsonScalar | undefined;

/** The reader of a column of that type. */
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

/** Digits that a double would round are kept as text, which engines read as the number it is. */
const numberOf = (text: string, decimal: '.' | ',' | undefined): JsonScalar | undefined => {
  const plain = plainNumberText(text, decimal);
  if (plain === null) return undefined;
  return losesDigits(plain) ? plain : Number(plain);
};
