import type { CursorValue } from '../../engines/engine.ts';
import { sortValues } from '../../engines/semantics/cursor.ts';
import { readNumber } from '../../engines/semantics/stored-numbers.ts';
import { typeForm } from '../../introspection/terms/term-forms.ts';
import { utf8Order } from '../../text/text-comparison.ts';
import type { FieldKind } from '../../introspection/fields/field.ts';
import { nanosInMs } from '../../introspection/dates/dates.ts';
import { rankOf, type CatalogueHit } from '../../search/query.ts';
import type { SortedNode } from '../query/plan.ts';

/** A sort key of the query, in the network's terms. */
export interface MergeKey {
  readonly kind: FieldKind;
  readonly order: 'asc' | 'desc';
  readonly missing: 'first' | 'last';
}

/** undefined means missing. */
export type MergedValue = string | number | bigint | undefined;

/** The sort values of a row, in the network's terms. */
export const rowValues = (
  hit: Pick<CatalogueHit, 'rank' | 'cursor'>,
  node: SortedNode,
  keys: readonly MergeKey[],
): readonly MergedValue[] => {
  const own = sortValues(rankOf(hit), node.sortedBy);
  return keys.map(({ kind }, index) => {
    const at = node.sort[index];
    const value = at == null ? undefined : own[at];
    if (value === undefined || value.isMissing) return undefined;
    return comparable(value.value, kind, node.sortedBy[at!]!.field.type);
  });
};

/**
 * Makes a serialised sort value comparable. @param type the type of the node's own field, which determines the order of
 * its rows
 */
const comparable = (value: CursorValue, kind: FieldKind, type: string): MergedValue => {
  if (kind === 'keyword' || kind === 'text')
    return value === null ? undefined : (typeForm(type)?.term(String(value)) ?? String(value));
  if (typeof value === 'boolean') return Number(value);
  if (kind === 'date') return nanosOf(value, type);
  if (typeof value === 'string') return /^-?\d{16,}$/.test(value) ? BigInt(value) : numberOf(value);
  return value ?? undefined;
};

/** Dates are compared in nanoseconds, the finest unit of any node. */
const nanosOf = (value: CursorValue, type: string): bigint | undefined => {
  const number = readNumber(String(value));
  if (number === null) return undefined;
  if (typeof number === 'bigint') return number;
  // a node may return fractions
  return BigInt(Math.trunc(number)) * (type === 'date_nanos' ? 1n : nanosInMs);
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
