import { compareUtf8 } from './compare-utf8.ts';
import type { TermsResult } from '../../engines/engine.ts';
import { MISSING } from '../../sqon/ast.ts';
import type { ValueMap } from '../renaming.ts';

/** One node's list of buckets. */
export interface TermsPart {
  readonly nodeId: string;
  readonly result: TermsResult;
  /** How many buckets the node was asked for; null for all. */
  readonly asked: number | null;
  /** The node's values against the network's; null when they are the same. */
  readonly values: ValueMap | null;
}

export interface MergedBucket {
  readonly key: string;
  readonly keyAsString: string | null;
  /** The sum of exact counts: never too high. */
  readonly count: number;
  /** What the count may be at most, with what nodes did not list. */
  readonly upperBound: number;
  readonly nodes: readonly { readonly nodeId: string; readonly count: number }[];
}

export interface MergedTerms {
  /** Count descending, then key by UTF-8 bytes; `__missing__` aside. */
  readonly buckets: readonly MergedBucket[];
  readonly missing: MergedBucket | null;
  /** Distinct values, `__missing__` included; a lower bound when not exact. */
  readonly bucketCount: number;
  /** False when some list was cut. */
  readonly complete: boolean;
  /** What a key listed nowhere may count at most. */
  readonly unlistedUpperBound: number;
}

/**
 * Merges the bucket lists of nodes. Every node publishes exact counts only, so the sum of the listed ones is a lower
 * bound; a node whose list was cut may hold up to its smallest listed count (e) of any key that it did not list.
 * Linear in the number of buckets.
 */
export const mergeTerms = (parts: readonly TermsPart[]): MergedTerms => {
  const lists = parts.map((part) => ({ part, smallest: smallestListed(part) }));
  const allSmallest = lists.reduce((sum, { smallest }) => sum + smallest, 0);
  const drafts = new Map<string, Draft>();
  for (const { part, smallest } of lists)
    for (const one of shownBuckets(part)) addBucket(drafts, part, smallest, one);
  const several = lists.filter(({ part, smallest }) => part.values !== null && smallest > 0);
  const buckets = [...drafts.values()].map((draft) => finish(draft, allSmallest, several));
  buckets.sort((a, b) => b.count - a.count || compareUtf8(a.key, b.key));
  const missing = mergeMissing(parts);
  const distinct = Math.max(
    buckets.length,
    ...parts.map(({ result, values }) => (values ? 0 : result.distinct)),
  );
  return {
    buckets,
    missing,
    bucketCount: distinct + (missing ? 1 : 0),
    complete: lists.every(({ smallest }) => smallest === 0),
    unlistedUpperBound: lists.reduce((sum, { part, smallest }) => sum + mostValues(part) * smallest, 0),
  };
};

/** How many of the node's values one key of the network stands for at most: each of them may hold up to e. */
const mostValues = ({ values }: TermsPart): number =>
  [...new Set(values?.listed.values())].reduce((most, key) => Math.max(most, values!.toNode(key).length), 1);

interface Draft {
  readonly key: string;
  readonly keyAsString: string | null;
  lower: number;
  /** What the nodes that listed it may add at most. */
  listedUpper: number;
  /** The e of the nodes that listed it. */
  listedSmallest: number;
  readonly nodes: { readonly nodeId: string; readonly count: number }[];
}

/** e: 0 for a whole list. A list is cut when it has as many buckets as were asked. */
const smallestListed = ({ result, asked }: TermsPart): number =>
  asked !== null && result.buckets.length >= asked && asked > 0
    ? result.buckets.reduce((least, { count }) => Math.min(least, count), Infinity)
    : 0;

interface ShownBucket {
  readonly key: string;
  readonly keyAsString: string | null;
  readonly lower: number;
  readonly listedUpper: number;
  /** How many of the node's values that show as this key were listed. */
  readonly listed: number;
}

/** One node's buckets under the network's keys: of several node values for one key, the largest is sure. */
const shownBuckets = ({ result, values }: TermsPart): Iterable<ShownBucket> => {
  const shown = new Map<string, ShownBucket>();
  for (const { key: own, keyAsString, count } of result.buckets) {
    const key = values ? values.toNetwork(own) : own;
    const known = shown.get(key);
    shown.set(key, {
      key,
      keyAsString: keyAsString ?? null,
      lower: Math.max(known?.lower ?? 0, count),
      listedUpper: (known?.listedUpper ?? 0) + count,
      listed: (known?.listed ?? 0) + 1,
    });
  }
  return shown.values();
};

const addBucket = (drafts: Map<string, Draft>, part: TermsPart, smallest: number, one: ShownBucket): void => {
  let draft = drafts.get(one.key);
  if (!draft) {
    const { key, keyAsString } = one;
    drafts.set(key, (draft = { key, keyAsString, lower: 0, listedUpper: 0, listedSmallest: 0, nodes: [] }));
  }
  const unlisted = (part.values?.toNode(one.key).length ?? 1) - one.listed;
  draft.lower += one.lower;
  draft.listedUpper += one.listedUpper + unlisted * smallest;
  draft.listedSmallest += smallest;
  draft.nodes.push({ nodeId: part.nodeId, count: one.lower });
};

const finish = (
  draft: Draft,
  /** The sum of e over all nodes. */
  allSmallest: number,
  several: readonly { part: TermsPart; smallest: number }[],
): MergedBucket => {
  let upperBound = draft.listedUpper + allSmallest - draft.listedSmallest;
  for (const { part, smallest } of several) {
    // a cut node that listed none of its values for this key may hold e of each of them
    if (!draft.nodes.some(({ nodeId }) => nodeId === part.nodeId))
      upperBound += (part.values!.toNode(draft.key).length - 1) * smallest;
  }
  const { key, keyAsString, lower, nodes } = draft;
  return { key, keyAsString, count: lower, upperBound, nodes };
};

/** Counted at every node, never cut. */
const mergeMissing = (parts: readonly TermsPart[]): MergedBucket | null => {
  const nodes = parts
    .filter(({ result }) => result.missing > 0)
    .map(({ nodeId, result }) => ({ nodeId, count: result.missing }));
  const count = nodes.reduce((sum, node) => sum + node.count, 0);
  return count === 0 ? null : { key: MISSING, keyAsString: null, count, upperBound: count, nodes };
};
