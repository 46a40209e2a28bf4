import { hash } from 'node:crypto';
import { z } from 'zod';
import { TributaryError } from '../../errors.ts';
import type { SortRequest } from '../../search/query.ts';
import type { NetworkFields } from '../nodes/network-fields.ts';
import type { NetworkCursor } from './network-query.ts';

/** What a cursor is a position in. */
export interface CursorScope {
  /** Of the nodes asked and the sort, whatever nodes are up. */
  readonly fingerprint: string;
  /** For each node whose fields are known: a fingerprint of its own fields that it sorts by. */
  readonly sortedBy: ReadonlyMap<string, string>;
}

/** A cursor as read. */
export interface ReadCursor {
  readonly position: NetworkCursor;
  /** Of the next cursors: with what is remembered of nodes that are down now. */
  readonly scope: CursorScope;
}

const values = z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]));
const cursorSchema = z.tuple([z.string(), z.record(z.string(), z.tuple([z.string(), values]))]);

/** The position behind a row as opaque text, with fingerprints of what it is a position in. */
export const printCursor = (position: NetworkCursor, { fingerprint, sortedBy }: CursorScope): string => {
  const nodes = [...position].map(([nodeId, row]) => [nodeId, [sortedBy.get(nodeId) ?? '', row]] as const);
  return Buffer.from(JSON.stringify([fingerprint, Object.fromEntries(nodes)])).toString('base64url');
};

/**
 * Reads what printCursor wrote.
 * @param scopeNow called when there is a cursor; a node that is down may come back with the page after
 * @throws TributaryError BAD_USER_INPUT when it is none, or one of other nodes, another sort, or other fields of a node
 *   to sort by: rows would be skipped
 */
export const parseCursor = (input: unknown, scopeNow: () => CursorScope): ReadCursor | null => {
  if (input === undefined || input === null || (Array.isArray(input) && input.length === 0)) return null;
  const parsed = cursorSchema.safeParse(typeof input === 'string' ? decode(input) : null);
  if (!parsed.success)
    throw rejectCursor('searchAfter is not a cursor of this network; pass the searchAfter of an edge');
  const [fingerprint, nodes] = parsed.data;
  const scope = scopeNow();
  if (fingerprint !== scope.fingerprint)
    throw rejectCursor(
      'searchAfter was made for other nodes or another sort; start again from the first page',
    );
  const entries = Object.entries(nodes);
  for (const [nodeId, [sortedBy]] of entries)
    if ((scope.sortedBy.get(nodeId) ?? sortedBy) !== sortedBy)
      throw rejectCursor(
        `searchAfter was made when node "${nodeId}" had other fields to sort by; start again from the first page`,
      );
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
    // no JSON is no cursor: the schema refuses it
    return null;
  }
};

/** What a cursor depends on: the nodes asked, the sort, and what each node that is up sorts by for it. */
export const cursorScope = (
  nodeIds: readonly string[],
  sort: readonly SortRequest[],
  { byNode }: Pick<NetworkFields, 'byNode'>,
): CursorScope => {
  const keys = sort.map((key) => [key.fieldName, key.order, key.mode, key.missing]);
  const own = [...byNode].map(([nodeId, fields]) => {
    const paths = sort
      .map(({ fieldName }) => fields.get(fieldName))
      .map((field) => field && [field.path, field.kind]);
    return [nodeId, hashOf(paths, 6)] as const;
  });
  return { fingerprint: hashOf([[...nodeIds].sort(), keys], 12), sortedBy: new Map(own) };
};

const hashOf = (value: unknown, length: number): string =>
  hash('sha256', JSON.stringify(value), 'base64url').slice(0, length);

const rejectCursor = (message: string): TributaryError => new TributaryError('BAD_USER_INPUT', message);
