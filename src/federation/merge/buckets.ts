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
  const lists = parts.map((part): List => ({ part, smallest: smallestListed(part) }));
  const allSmallest = lists.reduce((sum, { smallest }) => sum + smallest, 0);
  const counts = nodeCounts(parts);
  const drafts = new Map<string, Draft>();
  for (const [index, list] of lists.entries()) addList(drafts, counts, index, list);
  const several = lists.filter(({ part, smallest }) => part.values !== null && smallest > 0);
  const buckets = Array.from(drafts.values(), (draft) => finish(draft, counts, allSmallest, several));
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

interface List {
  readonly part: TermsPart;
  /** e: 0 for a whole list. */
  readonly smallest: number;
}

/** A list is cut when it has as many buckets as were asked. */
const smallestListed = ({ result, asked }: TermsPart): number =>
  asked !== null && result.buckets.length >= asked && asked > 0
    ? result.buckets.reduce((least, { count }) => Math.min(least, count), Infinity)
    : 0;

/** How many of the node's values one key of the network stands for at most: each of them may hold up to e. */
const mostValues = ({ values }: TermsPart): number =>
  [...new Set(values?.listed.values())].reduce((most, key) => Math.max(most, values!.toNode(key).length), 1);

/**
 * What each node said of each key, as chains through flat arrays: few clients ask for it, and an object for each of a
 * million buckets would cost more than all the rest of merging.
 */
interface NodeCounts {
  readonly parts: readonly TermsPart[];
  readonly part: Uint32Array;
  readonly count: Float64Array;
  /** The key's entry before this one; -1 for none. */
  readonly before: Int32Array;
  size: number;
}

const nodeCounts = (parts: readonly TermsPart[]): NodeCounts => {
  const most = parts.reduce((sum, { result }) => sum + result.buckets.length, 0);
  return {
    parts,
    part: new Uint32Array(most),
    count: new Float64Array(most),
    before: new Int32Array(most),
    size: 0,
  };
};

interface Draft {
  readonly key: string;
  readonly keyAsString: string | null;
  lower: number;
  /** What the nodes that listed it may add at most, but for what values they did not list may hold. */
  listedUpper: number;
  /** The e of the nodes that listed it. */
  listedSmallest: number;
  /** Its last entry in the node counts. */
  last: number;
}

/** One node's buckets under the network's keys: of several node values for one key, the largest is sure. */
const addList = (
  drafts: Map<string, Draft>,
  counts: NodeCounts,
  index: number,
  { part: { result, values }, smallest }: List,
): void => {
  for (const { key: own, keyAsString = null, count } of result.buckets) {
    const key = values ? values.toNetwork(own) : own;
    let draft = drafts.get(key);
    if (!draft) {
      draft = { key, keyAsString, lower: 0, listedUpper: 0, listedSmallest: 0, last: -1 };
      drafts.set(key, draft);
    }
    if (draft.last >= 0 && counts.part[draft.last] === index) {
      const known = counts.count[draft.last]!;
      draft.listedUpper += count - smallest;
      draft.lower += Math.max(0, count - known);
      counts.count[draft.last] = Math.max(known, count);
      continue;
    }
    const entry = counts.size++;
    counts.part[entry] = index;
    counts.count[entry] = count;
    counts.before[entry] = draft.last;
    draft.last = entry;
    draft.lower += count;
    draft.listedUpper += count;
    draft.listedSmallest += smallest;
  }
};

const finish = (
  draft: Draft,
  counts: NodeCounts,
  allSmallest: number,
  several: readonly List[],
): MergedBucket => {
  let upperBound = draft.listedUpper + allSmallest - draft.listedSmallest;
  // a cut node may hold e of each of its values for this key that it did not list
  for (const { part, smallest } of several)
    upperBound += (part.values!.toNode(draft.key).length - 1) * smallest;
  return new ChainedBucket(draft, upperBound, counts);
};

/** A bucket that spells out its nodes when asked. */
class ChainedBucket implements MergedBucket {
  readonly key: string;
  readonly keyAsString: string | null;
  readonly count: number;
  readonly upperBound: number;
  readonly #last: number;
  readonly #counts: NodeCounts;

  constructor({ key, keyAsString, lower, last }: Draft, upperBound: number, counts: NodeCounts) {
    this.key = key;
    this.keyAsString = keyAsString;
    this.count = lower;
    this.upperBound = upperBound;
    this.#last = last;
    this.#counts = counts;
  }

  get nodes(): MergedBucket['nodes'] {
    const { parts, part, count, before } = this.#counts;
    const nodes: { nodeId: string; count: number }[] = [];
    for (let entry = this.#last; entry >= 0; entry = before[entry]!)
      nodes.push({ nodeId: parts[part[entry]!]!.nodeId, count: count[entry]! });
    return nodes.reverse();
  }
}

/** Counted at every node, never cut. */
const mergeMissing = (parts: readonly TermsPart[]): MergedBucket | null => {
  const nodes = parts
    .filter(({ result }) => result.missing > 0)
    .map(({ nodeId, result }) => ({ nodeId, count: result.missing }));
  const count = nodes.reduce((sum, node) => sum + node.count, 0);
  return count === 0 ? null : { key: MISSING, keyAsString: null, count, upperBound: count, nodes };
};
