import { printCursor, readCursor, startAgain } from '../../engines/semantics/cursor.ts';
import type {
  AnswerOrigin,
  CatalogueHit,
  CatalogueQuery,
  CatalogueResult,
  HitsRequest,
  SearchFn,
  SortRequest,
} from '../../search/query.ts';
import { LazyHit } from '../../search/query.ts';
import type { NodesAnswer, NodeStatus } from '../../search/nodes-answer.ts';
import type { RequestContext } from '../../search/request-context.ts';
import {
  compareRows,
  isQueried,
  knownValues,
  sortGroups,
  type MergeKey,
  type TranslatedSort,
} from './sort-groups.ts';
import { comparePrefix, mergeKeysOf, openStreams, type GroupRow, type GroupStream } from './group-stream.ts';
import { PagePositions } from './cursor.ts';
import { hash } from 'node:crypto';
import { z } from 'zod';
import type { CursorValue } from '../../engines/engine.ts';

/** How many groups of a node are requested at once. */
const atOnce = 4;

/**
 * A node's search, with its rows in the network's order although the node translates values of the sort: it is queried for
 * the records of one shown value after the other, and of no known value. A group is queried only when its rows may come
 * next.
 */
export const groupedSearch =
  (search: SearchFn, sort: TranslatedSort): SearchFn =>
  async (query, context) => {
    const { hits } = query;
    if (!hits || hits.first === 0) return search(query, context);
    const { recorded, notes } = recording(search);
    const resumed = hits.searchAfter && readPosition(hits.searchAfter, sort, hits.sort);
    const [whole, known] = await Promise.all([
      besidesRows(query, hits, recorded, context),
      resumed?.known ?? knownValues(query, sort, recorded, context),
    ]);
    const position = resumed ?? { known, reached: new Map() };
    const streams = openStreams(sortGroups(sort, known), sort, {
      ...{ query, hits, context },
      search: recorded,
      reached: position.reached,
    });
    const rows = await mergedRows(streams, sort, hits, position);
    const counted = whole?.totalBounds && { totalBounds: whole.totalBounds };
    return {
      total: whole?.total ?? null,
      ...counted,
      hits: rows,
      facets: whole?.facets ?? [],
      ...notes(whole),
    };
  };

/**
 * A search whose warnings and origin are recorded and, for a network, the outcome at its nodes: `notes` combines all
 * answers, with the nodes of the answer that covers everything.
 */
export const recording = (search: SearchFn) => {
  const warnings = new Set<string>();
  const failed = new Map<string, NodeStatus>();
  let origin: AnswerOrigin | undefined;
  let last: CatalogueResult | undefined;
  const nodesIn = (whole: CatalogueResult | null): NodesAnswer | undefined => {
    const nodes = (whole ?? last)?.nodes;
    if (nodes === undefined) return undefined;
    const statuses = nodes.statuses.map((one) => ({
      ...(failed.get(one.nodeId) ?? one),
      // the hits of a group are not all matches
      ...(whole === null && { hits: null }),
    }));
    return { ...nodes, partial: nodes.partial || failed.size > 0, statuses };
  };
  const recorded: SearchFn = async (query, context) => {
    context.signal?.throwIfAborted();
    const answer = await search(query, context);
    for (const warning of answer.warnings) warnings.add(warning);
    for (const one of answer.nodes?.statuses ?? [])
      if (one.status === 'ERROR' && !failed.has(one.nodeId)) failed.set(one.nodeId, one);
    origin = answer.origin ?? origin;
    last = answer;
    return answer;
  };
  const notes = (whole: CatalogueResult | null) => {
    const nodes = nodesIn(whole);
    return { warnings: [...warnings], ...(origin && { origin }), ...(nodes && { nodes }) };
  };
  return { recorded, notes };
};

/** The total and the facets, which do not depend on order. */
const besidesRows = async (
  query: CatalogueQuery,
  hits: HitsRequest,
  search: SearchFn,
  context: RequestContext,
): Promise<CatalogueResult | null> => {
  if (!hits.trackTotal && query.facets.length === 0) return null;
  const counted = { ...hits, first: 0, offset: 0, sort: [], searchAfter: null };
  return search({ ...query, hits: hits.trackTotal ? counted : null }, context);
};

const mergedRows = async (
  streams: readonly GroupStream[],
  sort: TranslatedSort,
  { first, offset, sort: requests }: HitsRequest,
  before: GroupPosition,
): Promise<readonly CatalogueHit[]> => {
  const keys = mergeKeysOf(sort.shownKeys);
  const positions: GroupPositions = new PagePositions(before.reached);
  const print = positionPrinter(sort, requests);
  const rows: CatalogueHit[] = [];
  let isResumable = true;
  for (let taken = 0; taken < offset + first;) {
    const best = smallest(streams, keys);
    const due = dueBefore(best, streams, keys);
    if (due.length > 0) {
      await fillAll(due, offset + first - taken);
      for (const stream of due) if (stream.isExhausted() && !stream.head()) positions.add(stream.index, end);
      continue;
    }
    if (!best) break;
    const row = best.take();
    taken += 1;
    isResumable &&= row.reached !== null;
    const isEnded = best.isExhausted() && !best.head();
    const at = positions.add(best.index, isEnded ? end : (row.reached ?? end));
    const position = isResumable ? () => print({ known: before.known, reached: positions.at(at) }) : null;
    if (taken > offset) rows.push(groupedHit(row, sort, position));
  }
  return rows;
};

const fillAll = async (due: readonly GroupStream[], wanted: number): Promise<void> => {
  for (let at = 0; at < due.length; at += atOnce)
    await Promise.all(due.slice(at, at + atOnce).map((stream) => stream.fill(wanted)));
};

const smallest = (streams: readonly GroupStream[], keys: readonly MergeKey[]): GroupStream | null => {
  let best: GroupStream | null = null;
  for (const stream of streams) {
    const row = stream.head();
    if (row && (!best || compareRows(row.compared, best.head()!.compared, keys) < 0)) best = stream;
  }
  return best;
};

/** The streams to fetch from because they may hold the next row; only the first one if their order is known. */
const dueBefore = (
  best: GroupStream | null,
  streams: readonly GroupStream[],
  keys: readonly MergeKey[],
): readonly GroupStream[] => {
  let due: GroupStream[] = [];
  for (const stream of streams) {
    if (stream.head() || stream.isAtEnd()) continue;
    if (best && comparePrefix(stream.prefix, best.head()!.compared, keys) > 0) continue;
    const order = due[0] ? comparePrefix(stream.prefix, due[0].prefix, keys) : 0;
    due = order < 0 ? [stream] : order > 0 ? due : [...due, stream];
  }
  return due;
};

type GroupPositions = PagePositions<number, readonly CursorValue[] | null>;

/** The state of a group without further rows. */
const end = { cursor: null };

/** @param position null for a row after which the node cannot resume */
const groupedHit = (
  row: GroupRow,
  { shownKeys }: TranslatedSort,
  position: (() => string) | null,
): CatalogueHit => {
  const printed = (tieBreak: string): readonly CursorValue[] => {
    const cursor = printCursor(row.values, shownKeys, tieBreak);
    return position === null ? cursor.slice(0, -1) : cursor;
  };
  return new LazyHit(
    row.hit,
    () => printed(position?.() ?? ''),
    () => printed(''),
  );
};

/** The progress of paging through the groups of a translated sort: the content of the last part of such a cursor. */
export interface GroupPosition {
  /** For each translated key, the values that define the groups, the same on every page. */
  readonly known: readonly (readonly string[])[];
  /** By index of the group: the cursor of its last row, null when it has no more rows. */
  readonly reached: ReadonlyMap<number, readonly CursorValue[] | null>;
}

const cursorValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const schema = z.tuple([
  z.string(),
  z.array(z.array(z.string())),
  z.array(z.tuple([z.int().nonnegative(), z.array(cursorValue).nullable()])),
]);

/** Prints positions as the last part of a cursor, bound to its sort. */
export const positionPrinter = (
  sort: TranslatedSort,
  requests: readonly SortRequest[],
): ((position: GroupPosition) => string) => {
  const made = fingerprint(sort, requests);
  return ({ known, reached }) => JSON.stringify([made, known, [...reached]]);
};

/**
 * @param cursor the cursor of a row of this node
 * @throws TributaryError BAD_USER_INPUT when it was made for other values: rows would be skipped
 */
export const readPosition = (
  cursor: readonly CursorValue[],
  sort: TranslatedSort,
  requests: readonly SortRequest[],
): GroupPosition => {
  const { tieBreak } = readCursor(cursor, sort.shownKeys);
  const parsed = schema.safeParse(parsedJson(tieBreak));
  if (!parsed.success || parsed.data[1].length !== sort.translated.length || !isQueried(parsed.data[1]))
    throw startAgain('does not fit the values that a node translates');
  const [made, known, reached] = parsed.data;
  if (made !== fingerprint(sort, requests))
    throw startAgain('was made when a node translated values differently');
  return { known, reached: new Map(reached) };
};

const parsedJson = (text: CursorValue): unknown => {
  try {
    return typeof text === 'string' ? JSON.parse(text) : null;
  } catch {
    // anything but JSON is not a position: the schema refuses it
    return null;
  }
};

const fingerprint = ({ translated }: TranslatedSort, requests: readonly SortRequest[]): string =>
  hash(
    'sha256',
    JSON.stringify([requests, translated.map(({ values }) => [...values.listed])]),
    'base64url',
  ).slice(0, 8);
