import { missing as missingValue, notASortValue, type SortValue } from '../../semantics/cursor.ts';
import type { CursorValue, SortKey } from '../../engine.ts';
import { pieceMask, type Checkpoint } from '../columns/search-run.ts';
import { chunkBits, chunkMask } from '../columns/chunked.ts';
import type { Columns } from '../columns/columns.ts';
import { KeywordColumn, keywordRanks } from '../columns/keyword-column.ts';
import { descendants, type Column } from '../columns/nested-level.ts';
import type { TermDictionary } from '../columns/term-dictionary.ts';

/** One sort key over a list of documents, which are identified by their positions in the list. */
export interface Order {
  /**
   * A number for each position: the document with the smaller one comes first. They are quick to compare, but may tie
   * where `compare` does not, unless `isExact`.
   */
  readonly ranks: Float64Array;
  readonly isExact: boolean;
  /** Negative when the left document comes first, 0 on a tie. */
  compare(left: number, right: number): number;
  /**
   * The position of a cursor's value.
   * @throws TributaryError BAD_USER_INPUT for a value the field cannot have
   */
  against(cursor: SortValue): Bound;
  /** The document's sort value. */
  value(position: number): SortValue;
}

/** Arrays that are reused for the orders of successive lists. */
export interface OrderRoom {
  readonly ranks: Float64Array;
  readonly codes: Uint32Array;
}

/** @param length of the longest list */
export const orderRoom = (length: number): OrderRoom => ({
  ranks: new Float64Array(length),
  codes: new Uint32Array(length),
});

/** The position of a cursor's value among the documents. */
export interface Bound {
  /** Documents of smaller rank come before it, documents of larger rank after it. */
  readonly rank: number;
  /** Positive for documents that come after it. */
  compare(position: number): number;
}

/** Keywords by UTF-8 bytes, booleans false first; of several values the smallest or largest decides. */
export const keywordOrder = (
  columns: Columns,
  column: Column | undefined,
  key: SortKey,
  ids: Uint32Array,
  checkpoint: Checkpoint,
  room?: OrderRoom,
): Order => {
  const data = column?.data.kind === 'keyword' ? column.data : new KeywordColumn();
  const { table } = data;
  const codes = room?.codes.subarray(0, ids.length).fill(0) ?? new Uint32Array(ids.length);
  if (column !== undefined) setBestCodes(codes, columns, column, data, key, ids, checkpoint);
  const sign = key.order === 'asc' ? 1 : -1;
  const missing = key.missing === 'first' ? -Infinity : Infinity;
  const boolean = column?.fieldKind === 'boolean';
  const form = column?.form;
  const { setRanks, rankOfBytes, isExact } = keywordRanks(table, columns.root.count, checkpoint);
  const ranks = room?.ranks.subarray(0, ids.length) ?? new Float64Array(ids.length);
  setRanks(ranks, codes, sign, missing);
  return {
    ranks,
    isExact,
    compare: (left, right) => {
      const a = ranks[left]!;
      const b = ranks[right]!;
      if (a !== b) return a < b ? -1 : 1;
      return codes[left] === 0 ? 0 : sign * table.compare(codes[left]!, codes[right]!);
    },
    against: (cursor) => {
      if (cursor.isMissing) {
        return { rank: missing, compare: (position) => (codes[position] === 0 ? 0 : -Math.sign(missing)) };
      }
      const value = boolean ? booleanKey(cursor.value) : String(cursor.value);
      const term = form === undefined ? value : form.term(value);
      if (term === null) throw notASortValue(cursor.value, key);
      const bytes = Buffer.from(term);
      return {
        rank: sign * rankOfBytes(bytes),
        compare: (position) => {
          const code = codes[position]!;
          return code === 0 ? Math.sign(missing) : sign * table.compareTo(code, bytes);
        },
      };
    },
    value: (position) => {
      const code = codes[position]!;
      if (code === 0) return missingValue;
      const term = table.value(code);
      const value = form === undefined ? term : form.shown(term);
      return { isMissing: false, value: boolean ? value === '1' : value };
    },
  };
};

const booleanKey = (cursor: CursorValue): string =>
  cursor === true || cursor === 'true' || cursor === 1 ? '1' : '0';

/** Sets the code each document is sorted by, where there is one. */
const setBestCodes = (
  best: Uint32Array,
  columns: Columns,
  column: Column,
  data: KeywordColumn,
  key: SortKey,
  ids: Uint32Array,
  checkpoint: Checkpoint,
): void => {
  const sign = key.mode === 'max' ? 1 : -1;
  const flat = column.level === columns.root;
  for (let i = 0; i < ids.length; i++) {
    if ((i & pieceMask) === 0) checkpoint();
    const id = ids[i]!;
    const [first, end] = flat ? [id, id + 1] : descendants(column.level, columns.root, id);
    for (let object = first; object < end; object++) {
      const { values, offsets } = data.chunks[object >>> chunkBits]!;
      const local = object & chunkMask;
      const from = offsets === null ? local : offsets[local]!;
      const to = offsets === null ? local + 1 : offsets[local + 1]!;
      for (let j = from; j < to; j++) best[i] = better(data.table, best[i]!, values[j]!, sign);
    }
  }
};

/** The code with the larger (sign 1) or smaller (-1) string; 0 means none. */
const better = (table: TermDictionary, left: number, right: number, sign: number): number => {
  if (left === 0 || right === 0) return left | right;
  return table.compare(right, left) * sign > 0 ? right : left;
};
