import type { CursorValue } from '../../engines/engine.ts';
import type { CursorKey } from '../../engines/semantics/cursor.ts';
import { sortValues } from '../../engines/semantics/cursor.ts';
import { utf8Order } from '../../engines/semantics/folding.ts';
import type { FieldKind } from '../../introspection/fields/field.ts';
import type { CatalogueHit } from '../../search/query.ts';

/** A sort key of the query, in the network's terms. */
export interface MergeKey {
  readonly kind: FieldKind;
  readonly order: 'asc' | 'desc';
  readonly missing: 'first' | 'last';
}

/** undefined means missing. */
export type MergedValue = string | number | bigint | undefined;

/** How a node sorted its rows. */
export interface SortedPart {
  /** For each key of the query: its index in the node's sort values; null when the node lacks the field. */
  readonly sort: readonly (number | null)[];
  /** The keys the node sorted by, with its own fields: they determine its markers for missing values. */
  readonly keys: readonly CursorKey[];
}

/** The sort values of a row, in the network's terms. */
export const rowValues = (
  { cursor }: Pick<CatalogueHit, 'cursor'>,
  part: SortedPart,
  keys: readonly MergeKey[],
): readonly MergedValue[] => {
  const own = sortValues(cursor, part.keys);
  return keys.map(({ kind }, index) => {
    const at = part.sort[index];
    const value = at == null ? undefined : own[at];
    return value === undefined || value.isMissing ? undefined : comparable(value.value, kind);
  });
};

/** A serialised sort value made comparable, regardless of the type of the node's own field. */
export const comparable = (value: CursorValue, kind: FieldKind): MergedValue => {
  if (kind === 'keyword' || kind === 'text') return value === null ? undefined : String(value);
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'string') return /^-?\d{16,}$/.test(value) ? BigInt(value) : numberOf(value);
  return value ?? undefined;
};

const numberOf = (text: string): number | undefined => {
  if (text === 'true' || text === 'false') return Number(text === 'true');
  const number = Number(text);
  return Number.isNaN(number) ? undefined : number;
};

/** Negative when the first row sorts before the second, 0 for a tie. */
export const compareRows = (
  a: readonly MergedValue[],
  b: readonly MergedValue[],
  keys: readonly MergeKey[],
): number => {
  for (let index = 0; index < keys.length; index += 1) {
    const order = compareValues(a[index], b[index], keys[index]!);
    if (order !== 0) return order;
  }
  return 0;
};

const compareValues = (a: MergedValue, b: MergedValue, { order, missing }: MergeKey): number => {
  if (a === undefined || b === undefined) {
    if (a === b) return 0;
    return (a === undefined) === (missing === 'first') ? -1 : 1;
  }
  const ascending =
    typeof a === 'string' && typeof b === 'string' ? utf8Order(a, b) : a < b ? -1 : a > b ? 1 : 0;
  return order === 'asc' ? ascending : -ascending;
};
