import type { CursorValue, SortKey } from '../engine.ts';
import { chunkBits, chunkMask } from './chunked.ts';
import type { Columns } from './columns.ts';
import { KeywordColumn } from './keyword-column.ts';
import { keywordRanks } from './keyword-ranks.ts';
import { descendants, type Column } from './space.ts';
import type { Order } from './order.ts';

/** Keywords by UTF-8 bytes, booleans false first; of several values the smallest or the largest counts. */
export const keywordOrder = (
  columns: Columns,
  column: Column | undefined,
  key: SortKey,
  ids: Uint32Array,
): Order => {
  const data = column?.data.kind === 'keyword' ? column.data : new KeywordColumn();
  const { table } = data;
  const codes =
    column === undefined ? new Uint32Array(ids.length) : bestCodes(columns, column, data, key, ids);
  const sign = key.order === 'asc' ? 1 : -1;
  const missing = key.missing === 'first' ? -Infinity : Infinity;
  const boolean = column?.fieldKind === 'boolean';
  const { rankOf, rankOfBytes, isExact } = keywordRanks(table, ids.length);
  const ranks = Float64Array.from(codes, (code) => (code === 0 ? missing : sign * rankOf(code)));
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
      if (cursor === null) {
        return { rank: missing, compare: (position) => (codes[position] === 0 ? 0 : -Math.sign(missing)) };
      }
      const bytes = Buffer.from(boolean ? booleanKey(cursor) : String(cursor));
      return {
        rank: sign * rankOfBytes(bytes),
        compare: (position) => {
          const code = codes[position]!;
          return code === 0 ? Math.sign(missing) : sign * table.compareTo(code, bytes);
        },
      };
    },
    print: (position) => {
      const code = codes[position]!;
      if (code === 0) return null;
      const value = table.value(code);
      return boolean ? value === '1' : value;
    },
  };
};

const booleanKey = (cursor: Exclude<CursorValue, null>): string =>
  cursor === true || cursor === 'true' || cursor === 1 ? '1' : '0';

/** For each document the code that stands for it, 0 when it has none. */
const bestCodes = (
  columns: Columns,
  column: Column,
  data: KeywordColumn,
  key: SortKey,
  ids: Uint32Array,
): Uint32Array => {
  const wanted = key.mode === 'max' ? 1 : -1;
  const flat = column.space === columns.root;
  return ids.map((id) => {
    const chunk = data.chunks[id >>> chunkBits];
    if (flat && chunk !== undefined && chunk.offsets === null) return chunk.values[id & chunkMask]!;
    let best = 0;
    const [first, end] = descendants(column.space, columns.root, id);
    for (let object = first; object < end; object++) {
      for (const code of data.codesOf(object)) {
        if (best === 0 || data.table.compare(code, best) * wanted > 0) best = code;
      }
    }
    return best;
  });
};
