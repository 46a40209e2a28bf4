import { sortValues, type CursorKey } from '../../engines/semantics/cursor.ts';
import type { CursorValue } from '../../engines/engine.ts';
import type { FieldKind } from '../../introspection/fields/field.ts';
import type { CatalogueHit } from '../../search/query.ts';
import { utf8Order } from '../../engines/semantics/utf8-order.ts';

/** A sort key of the query, in the network's terms. */
export interface MergeKey {
  readonly kind: FieldKind;
  readonly order: 'asc' | 'desc';
  readonly missing: 'first' | 'last';
}

/** One node's page. */
export interface HitsPart {
  readonly nodeId: string;
  readonly hits: readonly CatalogueHit[];
  /** For each key of the query: its index in the node's sort values; null when the node lacks the field. */
  readonly sort: readonly (number | null)[];
  /** The keys the node sorted by, with its own fields: they determine its markers for missing values. */
  readonly keys: readonly CursorKey[];
  /** False when the node has rows that it did not return: nothing after its last row is known. */
  readonly complete: boolean;
}

export interface MergedHit {
  readonly nodeId: string;
  readonly hit: CatalogueHit;
  /** Where each node resumes after this row; null when a node that gave a row has no tiebreaker. */
  readonly position: ReadonlyMap<string, readonly CursorValue[]> | null;
}

/**
 * Merges pages sorted by the same keys. Ties are ordered by node id, then by the node's own order; tiebreakers of
 * different nodes are never compared.
 * @param after where the previous page ended, by node
 */
export const mergeHits = (
  parts: readonly HitsPart[],
  keys: readonly MergeKey[],
  page: { readonly offset: number; readonly first: number },
  after: ReadonlyMap<string, readonly CursorValue[]> | null,
): readonly MergedHit[] => {
  const streams = [...parts]
    .sort((a, b) => utf8Order(a.nodeId, b.nodeId))
    .map((part) => ({ part, values: part.hits.map((hit) => rowValues(hit, part, keys)), next: 0 }));
  const merged: MergedHit[] = [];
  let position: ReadonlyMap<string, readonly CursorValue[]> | null = after ?? new Map();
  for (let row = 0; row < page.offset + page.first; row += 1) {
    const best = smallest(streams, keys);
    if (!best) break;
    const hit = best.part.hits[best.next]!;
    position = position && advance(position, best.part, hit);
    best.next += 1;
    if (row >= page.offset) merged.push({ nodeId: best.part.nodeId, hit, position });
  }
  return merged;
};

interface Stream {
  readonly part: HitsPart;
  readonly values: readonly (readonly MergedValue[])[];
  next: number;
}

/** undefined means missing. */
export type MergedValue = string | number | bigint | undefined;

const smallest = (streams: readonly Stream[], keys: readonly MergeKey[]): Stream | null => {
  let best: Stream | null = null;
  for (const stream of streams) {
    const values = stream.values[stream.next];
    if (!values) {
      // the node may hold rows that sort before everything left at the others
      if (!stream.part.complete) return null;
      continue;
    }
    if (!best || compareRows(values, best.values[best.next]!, keys) < 0) best = stream;
  }
  return best;
};

const advance = (
  position: ReadonlyMap<string, readonly CursorValue[]>,
  part: HitsPart,
  hit: CatalogueHit,
): ReadonlyMap<string, readonly CursorValue[]> | null =>
  hit.cursor.length > part.keys.length ? new Map(position).set(part.nodeId, hit.cursor) : null;

/** The sort values of a row, in the network's terms. */
export const rowValues = (
  hit: CatalogueHit,
  part: Pick<HitsPart, 'keys' | 'sort'>,
  keys: readonly MergeKey[],
): readonly MergedValue[] => {
  const own = sortValues(hit.cursor, part.keys);
  return keys.map(({ kind }, index) => {
    const place = part.sort[index];
    const value = place == null ? undefined : own[place];
    return value === undefined || value.isMissing ? undefined : comparable(value.value, kind);
  });
};

/** A serialised sort value made comparable, regardless of the type of the node's own field. */
const comparable = (value: CursorValue, kind: FieldKind): MergedValue => {
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
  for (const [index, key] of keys.entries()) {
    const order = compareValues(a[index], b[index], key);
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
