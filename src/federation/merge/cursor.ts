import { hash } from 'node:crypto';
import { z } from 'zod';
import type { CursorValue } from '../../engines/engine.ts';
import { startAgain } from '../../engines/semantics/cursor.ts';
import { fieldNamed, type Fields } from '../../introspection/fields/field.ts';
import type { SortRequest } from '../../search/query.ts';
import type { NetworkFields } from '../nodes/network-fields.ts';
import type { NetworkCursor } from '../query/network-query.ts';

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
