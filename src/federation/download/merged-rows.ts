import type { CatalogueHit } from '../../search/query.ts';
import { utf8Order } from '../../lib/text/text-comparison.ts';
import { compareRows, type MergedValue, type MergeKey } from '../merge/hits.ts';
import type { NodePage } from './node-pages.ts';
import type { NodePart } from './node-part.ts';

/** One record of a node on its way into a file. */
export interface MergedRow {
  readonly part: NodePart;
  readonly hit: CatalogueHit;
}

/** One node's pages, to be merged with the others'. */
export interface NodeStream {
  readonly part: NodePart;
  readonly pages: AsyncIterator<NodePage>;
}

/** Rows are yielded in batches of about this size. */
const listLength = 256;

/**
 * The rows of all nodes in key order; ties are ordered by node id, then by the node's own order. Without keys the nodes
 * follow one another, each queried only after the one before it. A node's next page is prefetched while the current one is
 * consumed.
 */
export const mergedRows = async function* (
  streams: readonly NodeStream[],
  keys: readonly MergeKey[],
): AsyncGenerator<readonly MergedRow[]> {
  const inOrder = streams.toSorted((a, b) => utf8Order(nodeIdOf(a), nodeIdOf(b)));
  const groups = keys.length === 0 ? inOrder.map((stream) => [stream]) : [inOrder];
  for (const group of groups) yield* merged(group, keys);
};

const nodeIdOf = ({ part }: NodeStream): string => part.plan.node.config.nodeId;

/** The position of the merge in one node's page. */
interface Head {
  readonly part: NodePart;
  readonly refill: () => Promise<NodePage | null>;
  /** Its index among the nodes, which breaks ties. */
  readonly rank: number;
  page: NodePage;
  at: number;
}

const merged = async function* (
  streams: readonly NodeStream[],
  keys: readonly MergeKey[],
): AsyncGenerator<readonly MergedRow[]> {
  const heads = await openHeads(streams, keys);
  let list: MergedRow[] = [];
  while (heads.length > 0) {
    const head = heads[0]!;
    list.push({ part: head.part, hit: head.page.hits[head.at]! });
    head.at += 1;
    if (head.at < head.page.hits.length) settle(heads, keys);
    else {
      yield list;
      list = [];
      heads.shift();
      const page = await head.refill();
      if (page) insert(heads, Object.assign(head, { page, at: 0 }), keys);
    }
    if (list.length < listLength) continue;
    yield list;
    list = [];
  }
};

const openHeads = async (streams: readonly NodeStream[], keys: readonly MergeKey[]): Promise<Head[]> => {
  const heads: Head[] = [];
  const opened = await Promise.all(
    streams.map(async ({ part, pages }, rank): Promise<Head | null> => {
      const refill = aheadOf(pages);
      const page = await refill();
      return page && { part, refill, rank, page, at: 0 };
    }),
  );
  for (const head of opened) if (head) insert(heads, head, keys);
  return heads;
};

/** Prefetches the next page while the current one is consumed. */
const aheadOf = (pages: AsyncIterator<NodePage>): (() => Promise<NodePage | null>) => {
  const fetchNext = (): Promise<IteratorResult<NodePage>> => {
    const next = pages.next();
    // the consumer of the page gets any error
    next.catch(() => undefined);
    return next;
  };
  let coming: Promise<IteratorResult<NodePage>> | null = null;
  return async () => {
    const { done, value } = await (coming ?? fetchNext());
    if (done === true) return null;
    coming = fetchNext();
    return value as NodePage;
  };
};

const valuesOf = ({ page, at }: Head): readonly MergedValue[] => page.values[at]!;

const isBefore = (a: Head, b: Head, keys: readonly MergeKey[]): boolean =>
  (compareRows(valuesOf(a), valuesOf(b), keys) || a.rank - b.rank) < 0;

/** Inserts a head into the sorted heads. */
const insert = (heads: Head[], head: Head, keys: readonly MergeKey[], from = 0): void => {
  let [low, high] = [from, heads.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(heads[middle]!, head, keys)) low = middle + 1;
    else high = middle;
  }
  heads.splice(low, 0, head);
};

/** Moves the first head to its new place after it has advanced. */
const settle = (heads: Head[], keys: readonly MergeKey[]): void => {
  if (heads.length === 1 || isBefore(heads[0]!, heads[1]!, keys)) return;
  const [head] = heads.splice(0, 1);
  insert(heads, head!, keys, 1);
};
