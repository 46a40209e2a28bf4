import { TributaryError } from '../../errors.ts';
import type { CursorValue, SortKey, SortMode } from '../engine.ts';
import { pieceMask, type Checkpoint } from './checkpoint.ts';
import { chunkBits, chunkMask } from './chunked.ts';
import type { Columns } from './columns.ts';
import { numbersOf, type NumberColumn } from './number-column.ts';
import { readNumber } from './number-reader.ts';
import { descendants, type Column } from './space.ts';
import type { Order } from './order.ts';

/**
 * Numbers and dates. As in Elasticsearch a missing value is the largest or smallest one there is: of whole numbers and
 * dates the ends of 64 bits, else infinity; so a cursor needs no other sign for it.
 * @param whole the field holds whole numbers or dates
 */
export const numberOrder = (
  columns: Columns,
  column: Column | undefined,
  key: SortKey,
  whole: boolean,
  ids: Uint32Array,
  checkpoint: Checkpoint,
): Order => {
  const sign = key.order === 'asc' ? 1 : -1;
  const missing = missingValue(
    (key.missing === 'first' ? -1 : 1) * sign,
    whole,
    column?.type ?? key.field.type,
  );
  const data = column?.data.kind === 'number' ? column.data : null;
  const ranks =
    column === undefined || data === null
      ? new Float64Array(ids.length).fill(sign * Number(missing))
      : signedValues(columns, column, data, key.mode, whole, Number(missing), sign, ids, checkpoint);
  // doubles decide unless the column has longs that they cannot tell apart
  const exactAt =
    column !== undefined && data !== null && data.exact.some((exact) => exact !== null)
      ? (position: number) => exactValue(columns, column, data, key.mode, missing, ids[position]!)
      : null;
  return {
    ranks,
    isExact: exactAt === null,
    compare: (left, right) => {
      const a = ranks[left]!;
      const b = ranks[right]!;
      if (a !== b) return a < b ? -1 : 1;
      return exactAt === null ? 0 : sign * order(exactAt(left), exactAt(right));
    },
    against: (cursor) => {
      const bound = cursorNumber(cursor, missing, key);
      const rank = sign * Number(bound);
      return {
        rank,
        compare: (position) => {
          const own = ranks[position]!;
          if (own !== rank) return own < rank ? -1 : 1;
          return exactAt === null ? 0 : sign * order(exactAt(position), bound);
        },
      };
    },
    print: (position) => printNumber(exactAt?.(position) ?? sign * ranks[position]!, whole),
  };
};

const missingValue = (side: number, whole: boolean, type: string): number | bigint => {
  if (!whole) return side * Infinity;
  if (side > 0) return type === 'unsigned_long' ? 2n ** 64n - 1n : 2n ** 63n - 1n;
  return -(2n ** 63n);
};

const order = (left: number | bigint, right: number | bigint): number =>
  left < right ? -1 : left > right ? 1 : 0;

/** For each document the one number that stands for it, negated to sort descending. */
const signedValues = (
  columns: Columns,
  column: Column,
  data: NumberColumn,
  mode: SortMode,
  whole: boolean,
  missing: number,
  sign: number,
  ids: Uint32Array,
  checkpoint: Checkpoint,
): Float64Array => {
  const values = new Float64Array(ids.length);
  const kept = isSingle(column.type) ? Math.fround : (value: number): number => value;
  const flat = column.space === columns.root;
  let number = -1;
  let chunk: NumberColumn['chunks'][number] | undefined;
  for (let i = 0; i < ids.length; i++) {
    if ((i & pieceMask) === 0) checkpoint();
    const id = ids[i]!;
    if (id >>> chunkBits !== number) {
      number = id >>> chunkBits;
      chunk = data.chunks[number];
    }
    if (flat && chunk !== undefined && chunk.offsets === null) {
      const value = chunk.values[id & chunkMask]!;
      values[i] = sign * (Number.isNaN(value) ? missing : value);
    } else {
      const all = documentNumbers(columns, column, data, id).map(Number);
      values[i] = sign * (all.length === 0 ? missing : kept(reduce(all, mode, whole)));
    }
  }
  return values;
};

/** Whether sums and averages are kept as floats, as their values are. */
const isSingle = (type: string): boolean => type === 'float' || type === 'half_float';

/** All values of a document's field, those in nested objects included. */
const documentNumbers = (
  columns: Columns,
  column: Column,
  data: NumberColumn,
  id: number,
): (number | bigint)[] => {
  const [first, end] = descendants(column.space, columns.root, id);
  const values: (number | bigint)[] = [];
  for (let object = first; object < end; object++) values.push(...numbersOf(data, object));
  return values;
};

/** Averages and medians of whole numbers are rounded, halves up, as in Elasticsearch. */
const reduce = (values: readonly number[], mode: SortMode, whole: boolean): number => {
  const sum = () => values.reduce((total, value) => total + value, 0);
  switch (mode) {
    case 'min':
      return values.reduce((best, value) => Math.min(best, value));
    case 'max':
      return values.reduce((best, value) => Math.max(best, value));
    case 'sum':
      return sum();
    case 'avg':
      return whole ? Math.round(sum() / values.length) : sum() / values.length;
    case 'median': {
      const sorted = [...values].sort((left, right) => left - right);
      const upper = sorted[sorted.length >>> 1]!;
      if (sorted.length % 2 === 1) return upper;
      const middle = (sorted[(sorted.length >>> 1) - 1]! + upper) / 2;
      return whole ? Math.round(middle) : middle;
    }
  }
};

/** The exact value that stands for a document; sums and averages are only ever doubles. */
const exactValue = (
  columns: Columns,
  column: Column,
  data: NumberColumn,
  mode: SortMode,
  missing: number | bigint,
  id: number,
): number | bigint => {
  const values = documentNumbers(columns, column, data, id);
  if (values.length === 0) return missing;
  if (values.length > 1 && mode !== 'min' && mode !== 'max') return reduce(values.map(Number), mode, true);
  const wanted = mode === 'max' ? 1 : -1;
  return values.reduce((best, value) => (order(value, best) === wanted ? value : best));
};

/** Doubles that stand for the ends of 64 bits print as those ends. */
const printNumber = (value: number | bigint, whole: boolean): CursorValue => {
  if (!whole) return Number.isFinite(Number(value)) ? Number(value) : String(value);
  if (Number.isSafeInteger(Number(value))) return Number(value);
  if (typeof value === 'bigint') return value.toString();
  if (value === 2 ** 63 || value === 2 ** 64) return (BigInt(value) - 1n).toString();
  return Number.isInteger(value) ? BigInt(value).toString() : value;
};

const cursorNumber = (cursor: CursorValue, missing: number | bigint, key: SortKey): number | bigint => {
  if (cursor === null) return missing;
  if (cursor === 'Infinity' || cursor === '-Infinity') return Number(cursor);
  const number = typeof cursor === 'boolean' ? null : readNumber(cursor);
  if (number !== null) return number;
  throw new TributaryError(
    'BAD_USER_INPUT',
    `searchAfter has ${JSON.stringify(cursor)} for ${key.field.path}, which is no value of type ${key.field.type}`,
  );
};
