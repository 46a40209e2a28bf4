import { hash } from 'node:crypto';
import { z } from 'zod';
import type { CursorValue } from '../../engines/engine.ts';
import { startAgain } from '../../engines/semantics/cursor.ts';
import type { Fields } from '../../introspection/fields/field.ts';
import type { SortRequest } from '../../search/query.ts';
import type { NetworkFields } from '../nodes/network-fields.ts';
import type { NetworkCursor } from './network-query.ts';

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
const cursorSchema = z.tuple([z.string(), z.record(z.string(), z.tuple([z.string(), values]))]);

/** The position after a row as opaque text, with fingerprints of its scope. */
export const printCursor = (position: NetworkCursor, scope: CursorScope): string =>
  encodeCursor(
    [...position].map(([nodeId, row]) => printNode(nodeId, row, scope)),
    scope,
  );

/** One node's part of a cursor. */
const printNode = (
  nodeId: string,
  row: readonly CursorValue[],
  { sortedBy }: Pick<CursorScope, 'sortedBy'>,
): string =>
  `${JSON.stringify(nodeId)}:[${JSON.stringify(sortedBy.get(nodeId) ?? '')},${JSON.stringify(row)}]`;

/** A cursor of the parts that printNode wrote. */
const encodeCursor = (nodes: Iterable<string>, { fingerprint }: Pick<CursorScope, 'fingerprint'>): string =>
  Buffer.from(`[${JSON.stringify(fingerprint)},{${[...nodes].join(',')}}]`).toString('base64url');

/**
 * Parses what printCursor wrote.
 * @param scopeNow called when there is a cursor; a node that is down may be back for the next page
 * @throws TributaryError BAD_USER_INPUT when it is invalid, or belongs to other nodes, another sort, or a node that now
 *   sorts by other fields: rows would be skipped
 */
export const parseCursor = (input: unknown, scopeNow: () => CursorScope): ReadCursor | null => {
  if (input === undefined || input === null || (Array.isArray(input) && input.length === 0)) return null;
  const parsed = cursorSchema.safeParse(typeof input === 'string' ? decode(input) : null);
  if (!parsed.success)
    throw startAgain('is not a cursor of this network: expected the searchAfter string of one of its edges');
  const [fingerprint, nodes] = parsed.data;
  const scope = scopeNow();
  if (fingerprint !== scope.fingerprint) throw startAgain('was made for other nodes or another sort');
  const entries = Object.entries(nodes);
  for (const [nodeId, [sortedBy]] of entries)
    if ((scope.sortedBy.get(nodeId) ?? sortedBy) !== sortedBy)
      throw startAgain(`was made when node "${nodeId}" had other fields to sort by`);
  const known = entries.map(([nodeId, [sortedBy]]) => [nodeId, sortedBy] as const);
  return {
    position: new Map(entries.map(([nodeId, [, row]]) => [nodeId, row])),
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
  // nodes that offer the same share one map of fields
  const hashes = new Map<Fields, string>();
  const sortHash = (fields: Fields): string => {
    const known = hashes.get(fields);
    if (known !== undefined) return known;
    const paths = sort
      .map(({ fieldName }) => fields.get(fieldName))
      .map((field) => field && [field.path, field.kind]);
    const made = hashOf(paths, 6);
    hashes.set(fields, made);
    return made;
  };
  return {
    fingerprint: hashOf([[...nodeIds].sort(), keys], 12),
    sortedBy: new Map([...byNode].map(([nodeId, fields]) => [nodeId, sortHash(fields)] as const)),
  };
};

const hashOf = (value: unknown, length: number): string =>
  hash('sha256', JSON.stringify(value), 'base64url').slice(0, length);

/**
 * Where each node resumes after each row of one page. The cursor of a row names the last row of every node up to it, so
 * printing them in order adds the text of one row at a time; in another order, from the first row again.
 */
export class PagePositions {
  readonly #start: NetworkCursor;
  readonly #nodeIds: string[] = [];
  readonly #cursors: (readonly CursorValue[])[] = [];
  #printing: Printing | null = null;

  /** @param start where the page begins; empty for the first page */
  constructor(start: NetworkCursor) {
    this.#start = start;
  }

  /**
   * Appends the next row of the page.
   * @returns its index
   */
  add(nodeId: string, cursor: readonly CursorValue[]): number {
    this.#nodeIds.push(nodeId);
    return this.#cursors.push(cursor) - 1;
  }

  /** Where each node resumes after a row. */
  at(row: number): NetworkCursor {
    const position = new Map(this.#start);
    for (let index = 0; index <= row; index += 1) position.set(this.#nodeIds[index]!, this.#cursors[index]!);
    return position;
  }

  /** The position after a row as opaque text. */
  print(row: number, scope: CursorScope): string {
    const known = this.#printing;
    const printing =
      known !== null && known.scope === scope && known.rows <= row + 1 ? known : this.#startPrinting(scope);
    this.#printing = printing;
    for (; printing.rows <= row; printing.rows += 1) {
      const nodeId = this.#nodeIds[printing.rows]!;
      printing.nodes.set(nodeId, printNode(nodeId, this.#cursors[printing.rows]!, scope));
    }
    return encodeCursor(printing.nodes.values(), scope);
  }

  #startPrinting(scope: CursorScope): Printing {
    const nodes = [...this.#start].map(
      ([nodeId, cursor]) => [nodeId, printNode(nodeId, cursor, scope)] as const,
    );
    return { scope, rows: 0, nodes: new Map(nodes) };
  }
}

/** The text of each node after some rows of the page. */
interface Printing {
  readonly scope: CursorScope;
  readonly nodes: Map<string, string>;
  rows: number;
}
