import { hash } from 'node:crypto';
import type { CursorValue } from '../../engines/engine.ts';
import { sortValues, startAgain } from '../../engines/semantics/cursor.ts';
import { readNumber } from '../../engines/semantics/stored-numbers.ts';
import type { NetworkFields } from '../nodes/network-fields.ts';
import type { NetworkCursor } from '../query/network-query.ts';
import type { SortedNode } from '../query/plan.ts';
import { nanosInMs } from '../../introspection/dates/dates.ts';
import { fieldNamed, type FieldKind, type Fields } from '../../introspection/fields/field.ts';
import { typeForm } from '../../introspection/terms/term-forms.ts';
import { rankOf, type CatalogueHit, type SortRequest } from '../../search/query.ts';
import { utf8Order } from '../../lib/text/text-comparison.ts';
import { z } from 'zod';

/** One node's page. */
export interface HitsPart extends SortedNode {
  readonly nodeId: string;
  readonly hits: readonly CatalogueHit[];
  /** False when the node has rows that it did not return: the rows after its last one are unknown. */
  readonly complete: boolean;
}

/** A row of the merged page; what is derived from it is computed only when read. */
export class MergedHit {
  readonly nodeId: string;
  readonly hit: CatalogueHit;
  readonly #positions: PagePositions | null;
  readonly #row: number;

  constructor(nodeId: string, hit: CatalogueHit, positions: PagePositions | null, row: number) {
    this.nodeId = nodeId;
    this.hit = hit;
    this.#positions = positions;
    this.#row = row;
  }

  /** Where each node resumes after this row; null when a node with rows on this page has no tiebreaker. */
  get position(): NetworkCursor | null {
    return this.#positions && this.#positions.at(this.#row);
  }

  /** The position as opaque text. */
  printPosition(scope: CursorScope): string | null {
    const { position } = this;
    return position && printCursor(position, scope);
  }
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
  after: NetworkCursor | null,
): readonly MergedHit[] => {
  const streams = [...parts]
    .sort((a, b) => utf8Order(a.nodeId, b.nodeId))
    .map((part): Stream => ({ part, next: 0, values: valuesAt(part, 0, keys) }));
  const merged: MergedHit[] = [];
  let positions: PagePositions | null = new PagePositions(after ?? new Map());
  for (let row = 0; row < page.offset + page.first; row += 1) {
    const best = smallest(streams, keys);
    if (!best) break;
    const hit = best.part.hits[best.next]!;
    // the cursor of a node without a tiebreaker holds only its sort values
    if (rankOf(hit).length <= best.part.sortedBy.length) positions = null;
    const index = positions?.add(best.part.nodeId, hit) ?? row;
    best.next += 1;
    best.values = valuesAt(best.part, best.next, keys);
    if (row >= page.offset) merged.push(new MergedHit(best.part.nodeId, hit, positions, index));
  }
  return merged;
};

interface Stream {
  readonly part: HitsPart;
  next: number;
  /**
   * The sort values of the next row; null after the last. Read row by row, as a page takes few of the rows that all nodes
   * returned.
   */
  values: readonly MergedValue[] | null;
}

const valuesAt = (part: HitsPart, at: number, keys: readonly MergeKey[]): readonly MergedValue[] | null => {
  const hit = part.hits[at];
  return hit === undefined ? null : rowValues(hit, part, keys);
};

const smallest = (streams: readonly Stream[], keys: readonly MergeKey[]): Stream | null => {
  let best: Stream | null = null;
  for (const stream of streams) {
    if (!stream.values) {
      // the node may have further rows, and they may sort before those of other nodes
      if (!stream.part.complete) return null;
      continue;
    }
    if (!best || compareRows(stream.values, best.values!, keys) < 0) best = stream;
  }
  return best;
};

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
  const values = sortValues(rankOf(hit), node.sortedBy);
  return keys.map(({ kind }, index) => {
    const at = node.sort[index];
    const value = at == null ? undefined : values[at];
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

/** What a cursor's position refers to. */
export interface CursorScope {
  /** Fingerprint of the queried nodes and the sort, regardless of which nodes are up. */
  readonly fingerprint: string;
  /** For each node whose fields are known: a fingerprint of its own fields used for sorting. */
  readonly sortedBy: ReadonlyMap<string, string>;
}

/** A parsed cursor. */
export interface ReadCursor {
  readonly position: NetworkCursor;
  /** For the next cursors: includes what is remembered about nodes that are down now. */
  readonly scope: CursorScope;
}

const values = z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]));
const cursorSchema = z.tuple([z.string(), z.array(z.tuple([z.string(), z.string(), values]))]);

/** The position after a row as opaque text, with fingerprints of its scope. */
export const printCursor = (position: NetworkCursor, { fingerprint, sortedBy }: CursorScope): string => {
  const nodes = [...position].map(([nodeId, row]) => [nodeId, sortedBy.get(nodeId) ?? '', row]);
  return Buffer.from(JSON.stringify([fingerprint, nodes])).toString('base64url');
};

/**
 * Parses what printCursor wrote.
 * @param scopeNow called when there is a cursor; a node that is down may be back for the next page
 * @throws TributaryError BAD_USER_INPUT when it is invalid, or belongs to different nodes, a different sort, or a node
 *   that now sorts by different fields: rows would be skipped
 */
export const parseCursor = (input: unknown, scopeNow: () => CursorScope): ReadCursor | null => {
  if (input === undefined || input === null || (Array.isArray(input) && input.length === 0)) return null;
  const parsed = cursorSchema.safeParse(typeof input === 'string' ? decode(input) : null);
  if (!parsed.success)
    throw startAgain('is not a cursor of this network: expected the searchAfter string of one of its edges');
  const [fingerprint, nodes] = parsed.data;
  const scope = scopeNow();
  if (fingerprint !== scope.fingerprint) throw startAgain('was made for other nodes or another sort');
  for (const [nodeId, sortedBy] of nodes)
    if ((scope.sortedBy.get(nodeId) ?? sortedBy) !== sortedBy)
      throw startAgain(`was made when node "${nodeId}" had other fields to sort by`);
  const known = nodes.map(([nodeId, sortedBy]) => [nodeId, sortedBy] as const);
  return {
    position: new Map(nodes.map(([nodeId, , row]) => [nodeId, row])),
    scope: { ...scope, sortedBy: new Map([...known, ...scope.sortedBy]) },
  };
};

const decode = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    // anything but JSON is not a cursor: the schema refuses it
    return null;
  }
};

/** The scope of a cursor: the queried nodes, the sort, and the fields each node that is up sorts by. */
export const cursorScope = (
  nodeIds: readonly string[],
  sort: readonly SortRequest[],
  { byNode }: Pick<NetworkFields, 'byNode'>,
): CursorScope => {
  const keys = sort.map((key) => [key.fieldName, key.order, key.mode, key.missing]);
  const sortHash = (fields: Fields): string =>
    hashOf(
      sort
        .map(({ fieldName }) => fieldNamed(fields, fieldName))
        .map((field) => field && [field.path, field.kind]),
      6,
    );
  return {
    fingerprint: hashOf([[...nodeIds].sort(), keys], 12),
    sortedBy: new Map([...byNode].map(([nodeId, fields]) => [nodeId, sortHash(fields)] as const)),
  };
};

const hashOf = (value: unknown, length: number): string =>
  hash('sha256', JSON.stringify(value), 'base64url').slice(0, length);

/** Where each node resumes after each row of one page. */
export class PagePositions {
  readonly #start: NetworkCursor;
  readonly #rows: PageRow[] = [];
  readonly #nodes = new Set<string>();

  /** @param start where the page begins; empty for the first page */
  constructor(start: NetworkCursor) {
    this.#start = start;
  }

  /** Appends the next row of the page. @returns its index */
  add(nodeId: string, row: PageRow['row']): number {
    this.#nodes.add(nodeId);
    return this.#rows.push({ nodeId, row, nodes: this.#nodes.size }) - 1;
  }

  /** Where each node resumes after a row. */
  at(index: number): NetworkCursor {
    const latest = new Map<string, readonly CursorValue[]>();
    // backwards, until every node that has a row is found
    for (let at = index; latest.size < this.#rows[index]!.nodes; at -= 1) {
      const { nodeId, row } = this.#rows[at]!;
      if (!latest.has(nodeId)) latest.set(nodeId, row.cursor);
    }
    return new Map([...this.#start, ...latest]);
  }
}

interface PageRow {
  readonly nodeId: string;
  /** Its cursor is read only when needed. */
  readonly row: { readonly cursor: readonly CursorValue[] };
  /** How many nodes have a row up to and including this one. */
  readonly nodes: number;
}
