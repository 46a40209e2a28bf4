import type { TermsResult } from '../../engines/measure.ts';
import type { JsonObject, JsonValue } from '../../json.ts';
import type { BucketAnswer, NodeCount, TermsAnswer } from '../../search/facet-answer.ts';
import type { ValueMap } from '../row/value-map.ts';
import { termsOrder } from './terms-order.ts';
import type { TermsTable } from './terms-table.ts';
import { termsTable } from './terms-table.ts';

/** For existing clients: the bucket for a node that does not have the field. It is not a value of the field. */
export const unavailableKey = '___aggregation_not_available___';

/** One node's list of buckets. */
export interface TermsPart {
  readonly nodeId: string;
  readonly result: TermsResult;
  /** Number of buckets requested from the node; null for all. */
  readonly asked: number | null;
  /** Maps the node's values to the network's; null when they are the same. */
  readonly values: ValueMap | null;
  /** See MergePart; unset: documents are the same. */
  readonly documentOf?: (document: JsonObject) => JsonObject;
}

/** A merged bucket. */
interface MergedBucket extends BucketAnswer {
  readonly upperBound: number;
  readonly nodes: readonly NodeCount[];
}

/** What several nodes listed, as one list. */
export interface MergedTerms extends TermsAnswer {
  /** Count descending, then key by UTF-8 bytes; `__missing__` aside. */
  readonly buckets: readonly MergedBucket[];
  readonly missingNodes: readonly NodeCount[];
  readonly complete: boolean;
  readonly unlistedUpperBound: number;
}

/** The highest possible count of a key not in the first `listed` buckets: listed by no node, or cut off here. */
export const unlistedUpperBound = ({ buckets, unlistedUpperBound: most = 0 }: TermsAnswer, listed: number) =>
  buckets
    .slice(listed)
    .reduce((largest, { count, upperBound = count }) => Math.max(largest, upperBound ?? count), most);

/**
 * Merges the bucket lists of nodes. Every node publishes exact counts only, so the sum of the listed ones is a lower
 * bound; a node whose list was truncated may hold up to its smallest listed count (e) of any key that it did not list.
 * Linear in the number of buckets.
 */
export const mergeTerms = (parts: readonly TermsPart[]): MergedTerms => {
  const lists = parts.map((part) => ({
    nodeId: part.nodeId,
    buckets: part.result.buckets,
    smallest: smallestListed(part),
    values: part.values,
    documentOf: part.documentOf,
  }));
  const table = termsTable(lists);
  const buckets: MergedBucket[] = [];
  for (const place of termsOrder(table.keys, table.lower)) buckets.push(new TableBucket(table, place));
  const missingNodes = missingAt(parts);
  const distinct = Math.max(
    buckets.length,
    ...parts.map(({ result, values }) => (values ? 0 : result.distinct)),
  );
  return {
    kind: 'terms',
    buckets,
    distinct,
    missing: missingNodes.reduce((sum, { count }) => sum + count, 0),
    missingNodes,
    complete: lists.every(({ smallest }) => smallest === 0),
    unlistedUpperBound: lists.reduce(
      (sum, { values, smallest }) => sum + maxValuesPerNetworkValue(values) * smallest,
      0,
    ),
  };
};

/** A list is truncated when it has as many buckets as requested. */
const smallestListed = ({ result, asked }: TermsPart): number =>
  asked !== null && result.buckets.length >= asked && asked > 0
    ? result.buckets.reduce((least, { count }) => Math.min(least, count), Infinity)
    : 0;

/** The most node values that one network key stands for: each of them may hold up to e. */
const maxValuesPerNetworkValue = (values: ValueMap | null): number =>
  [...new Set(values?.listed.values())].reduce((most, key) => Math.max(most, values!.toNode(key).length), 1);

/** A row of the table, read on demand: most rows of a long list are never shown. */
class TableBucket implements MergedBucket {
  private readonly table: TermsTable;
  private readonly place: number;

  constructor(table: TermsTable, place: number) {
    this.table = table;
    this.place = place;
  }

  get key(): string {
    return this.table.keys[this.place]!;
  }

  get keyAsString(): string | undefined {
    return this.table.labels[this.place]!;
  }

  get count(): number {
    return this.table.lower[this.place]!;
  }

  get upperBound(): number {
    return this.table.upper[this.place]!;
  }

  get nodes(): readonly NodeCount[] {
    return this.table.nodesAt(this.place);
  }

  get filtered(): readonly number[] | undefined {
    return this.table.filteredAt(this.place);
  }

  get topHit(): JsonValue | undefined {
    return this.table.topHitAt(this.place);
  }
}

/** Counted at every node, never truncated. */
const missingAt = (parts: readonly TermsPart[]): readonly NodeCount[] =>
  parts
    .filter(({ result }) => result.missing > 0)
    .map(({ nodeId, result }) => ({ nodeId, count: result.missing }));
