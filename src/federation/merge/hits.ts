import { rankOf, type CatalogueHit } from '../../search/query.ts';
import { utf8Order } from '../../text/text-comparison.ts';
import type { NetworkCursor } from '../query/network-query.ts';
import type { SortedNode } from '../query/plan.ts';
import { PagePositions, printCursor, type CursorScope } from './cursor.ts';
import { compareRows, rowValues, type MergedValue, type MergeKey } from './row-order.ts';

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
      // the node may hold rows that sort before everything left at other nodes
      if (!stream.part.complete) return null;
      continue;
    }
    if (!best || compareRows(stream.values, best.values!, keys) < 0) best = stream;
  }
  return best;
};
