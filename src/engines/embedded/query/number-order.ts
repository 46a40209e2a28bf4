import { notASortValue, missing as missingValue } from '../../semantics/cursor.ts';
import type { CursorValue, SortKey, SortMode } from '../../engine.ts';
import { pieceMask, type Checkpoint } from '../columns/search-run.ts';
import { chunkBits, chunkMask } from '../columns/chunked.ts';
import type { Columns } from '../columns/columns.ts';
import { numbersOf, type NumberColumn } from '../columns/number-column.ts';
import { readNumber } from '../../semantics/stored-numbers.ts';
import { descendants, type Column } from '../columns/nested-level.ts';
import type { Order, OrderRoom } from './order.ts';

/**
 * Orders numbers and dates. A missing value is not a number: it sorts before or after all others, even the extremes.
 * @param whole the field holds integers or dates
 */
export const numberOrder = (
  columns: Columns,
  column: Column | undefined,
  key: SortKey,
  whole: boolean,
  ids: Uint32Array,
  checkpoint: Checkpoint,
  room?: OrderRoom,
): Order => {
  const sign = key.order === 'asc' ? 1 : -1;
  const missing = key.missing === 'first' ? -Infinity : Infinity;
  const data = column?.data.kind === 'number' ? column.data : null;
  const ranks = room?.ranks.subarray(0, ids.length) ?? new Float64Array(ids.length);
  if (column === undefined || data === null) ranks.fill(missing);
  else setSignedValues(ranks, columns, column, data, key.mode, whole, missing, sign, ids, checkpoint);
  const isMissing = (position: number): boolean =>
    ranks[position] === missing &&
    (column === undefined ||
      data === null ||
      documentNumbers(columns, column, data, ids[position]!).length === 0);
  // doubles decide unless the column has longs they cannot distinguish, or sums beyond the range of doubles
  const exactAt =
    column !== undefined && data !== null && data.exact.some((exact) => exact !== null)
      ? (position: number) => exactValue(columns, column, data, key.mode, ids[position]!)
      : null;
  const isExact = exactAt === null && (key.mode === 'min' || key.mode === 'max');
  /** For two documents of equal rank. */
  const compareTied = (position: number, other: number | bigint | null): number => {
    if (ranks[position] === missing) {
      const [isHereMissing, its] = [isMissing(position), other === null];
      if (isHereMissing || its) return isHereMissing === its ? 0 : isHereMissing === missing > 0 ? 1 : -1;
    }
    return exactAt === null ? 0 : sign * order(exactAt(position), other!);
  };
  return {
    ranks,
    isExact,
    compare: (left, right) => {
      const a = ranks[left]!;
      const b = ranks[right]!;
      if (a !== b) return a < b ? -1 : 1;
      if (isExact) return 0;
      return compareTied(left, isMissing(right) ? null : (exactAt?.(right) ?? b));
    },
    against: (cursor) => {
      const bound = cursor.isMissing ? null : cursorNumber(cursor.value, key);
      const rank = bound === null ? missing : sign * (data?.asNumber(bound) ?? Number(bound));
      return {
        rank,
        compare: (position) => {
          const hereRank = ranks[position]!;
          if (hereRank !== rank) return hereRank < rank ? -1 : 1;
          return compareTied(position, bound);
        },
      };
    },
    value: (position) =>
      isMissing(position)
        ? missingValue
        : { isMissing: false, value: printNumber(exactAt?.(position) ?? sign * ranks[position]!, whole) },
  };
};

const order = (left: number | bigint, right: number | bigint): number =>
  left < right ? -1 : left > right ? 1 : 0;

/** Sets the number each document is sorted by, negated for descending order, or `missing`. */
const setSignedValues = (
  values: Float64Array,
  columns: Columns,
  column: Column,
  data: NumberColumn,
  mode: SortMode,
  whole: boolean,
  missing: number,
  sign: number,
  ids: Uint32Array,
  checkpoint: Checkpoint,
): void => {
  const stored = isSingle(column.type) ? Math.fround : (value: number): number => value;
  const flat = column.level === columns.root;
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
      values[i] = Number.isNaN(value) ? missing : sign * value;
    } else {
      const all = documentNumbers(columns, column, data, id);
      if (all.length === 0) values[i] = missing;
      else if (data.isNanos) values[i] = sign * data.asNumber(reduceExact(all, mode));
      else values[i] = sign * stored(reduce(all.map(Number), mode, whole));
    }
  }
};

/** Whether sums and averages are rounded to floats like their values. */
const isSingle = (type: string): boolean => type === 'float' || type === 'half_float';

/** All values of a document's field, including those in nested objects. */
const documentNumbers = (
  columns: Columns,
  column: Column,
  data: NumberColumn,
  id: number,
): (number | bigint)[] => {
  const [first, end] = descendants(column.level, columns.root, id);
  const values: (number | bigint)[] = [];
  for (let object = first; object < end; object++)
    for (const value of numbersOf(data, object)) values.push(value);
  return values;
};

/** Averages and medians of integers are rounded half up, as in Elasticsearch. */
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

/** The exact value a document is sorted by, if it has one; sums and averages are always doubles. */
const exactValue = (
  columns: Columns,
  column: Column,
  data: NumberColumn,
  mode: SortMode,
  id: number,
): number | bigint => {
  const value = reduceExact(documentNumbers(columns, column, data, id), mode);
  return data.isNanos ? BigInt(value) : value;
};

const reduceExact = (values: readonly (number | bigint)[], mode: SortMode): number | bigint => {
  if (values.length > 1 && mode !== 'min' && mode !== 'max')
    return withinLimits(reduce(values.map(Number), mode, true));
  const wanted = mode === 'max' ? 1 : -1;
  return values.reduce((best, value) => (order(value, best) === wanted ? value : best));
};

/** Doubles that represent the 64-bit limits are those limits. */
const withinLimits = (value: number): number | bigint =>
  value === 2 ** 63 || value === 2 ** 64 ? BigInt(value) - 1n : value;

const printNumber = (value: number | bigint, whole: boolean): CursorValue => {
  if (!whole) return Number.isFinite(Number(value)) ? Number(value) : String(value);
  if (Number.isSafeInteger(Number(value))) return Number(value);
  const limited = typeof value === 'bigint' ? value : withinLimits(value);
  return typeof limited === 'bigint' || Number.isInteger(limited) ? BigInt(limited).toString() : limited;
};

const cursorNumber = (cursor: CursorValue, key: SortKey): number | bigint => {
  if (cursor === 'Infinity' || cursor === '-Infinity') return Number(cursor);
  const number = typeof cursor === 'boolean' || cursor === null ? null : readNumber(cursor);
  if (number !== null) return number;
  throw notASortValue(cursor, key);
};
