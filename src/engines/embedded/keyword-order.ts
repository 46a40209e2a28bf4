import type { CursorValue, SortKey } from '../engine.ts';
import type { Columns } from './columns.ts';
import { KeywordColumn } from './keyword-column.ts';
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
  const codes =
    column === undefined ? new Uint32Array(ids.length) : bestCodes(columns, column, data, key, ids);
  const sign = key.order === 'asc' ? 1 : -1;
  const missingSide = key.missing === 'first' ? -1 : 1;
  const boolean = column?.fieldKind === 'boolean';
  return {
    compare: (left, right) => {
      const a = codes[left]!;
      const b = codes[right]!;
      if (a === b) return 0;
      if (a === 0) return missingSide;
      if (b === 0) return -missingSide;
      return sign * data.table.compare(a, b);
    },
    against: (cursor) => {
      if (cursor === null) return (position) => (codes[position] === 0 ? 0 : -missingSide);
      const bytes = Buffer.from(boolean ? booleanKey(cursor) : String(cursor));
      return (position) => {
        const code = codes[position]!;
        return code === 0 ? missingSide : sign * data.table.compareTo(code, bytes);
      };
    },
    print: (position) => {
      const code = codes[position]!;
      if (code === 0) return null;
      const value = data.table.value(code);
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
  return ids.map((id) => {
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
