import { compareUtf8 } from './compare-utf8.ts';
import type { TermsResult } from '../../engines/engine.ts';
import { MISSING } from '../../sqon/ast.ts';
import type { ValueMap } from '../renaming.ts';

/** For existing clients: the bucket of a node that cannot answer for a field. It is no value of the field. */
export const unavailableKey = '___aggregation_not_available___';

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
  const table: Table = { places: new Map(), labels: [], columns: [] };
  for (const list of lists) table.columns.push(columnOf(list, table));
  const buckets = tableBuckets(table);
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
 * What each node said of each key: a column for each node, a place in it for each key. A column is small enough for a
 * processor's cache while its node's list is read, where an object for each of a million buckets is not.
 */
interface Table {
  readonly places: Map<string, number>;
  /** key_as_string by place. */
  readonly labels: (string | null)[];
  readonly columns: Column[];
}

interface Column extends List {
  /** By place: the node's count; of several values for one key the largest, which is sure. -1: not listed. */
  readonly counts: Float64Array;
  /** By place, of several values for one key: what the others may add at most. */
  readonly others: ReadonlyMap<number, number>;
}

const columnOf = ({ part, smallest }: List, { places, labels }: Table): Column => {
  const { buckets } = part.result;
  const counts = new Float64Array(places.size + buckets.length).fill(-1);
  const others = new Map<number, number>();
  for (const { key: own, keyAsString, count } of buckets) {
    const key = part.values ? part.values.toNetwork(own) : own;
    let place = places.get(key);
    if (place === undefined) {
      place = labels.push(keyAsString ?? null) - 1;
      places.set(key, place);
    }
    const known = counts[place]!;
    counts[place] = Math.max(known, count);
    // this value is listed, so it holds no e
    if (known >= 0) others.set(place, (others.get(place) ?? 0) + Math.min(known, count) - smallest);
  }
  return { part, smallest, counts, others };
};

const tableBuckets = ({ places, labels, columns }: Table): MergedBucket[] => {
  const lower = new Float64Array(places.size);
  // a cut node may hold e of what it did not list
  const upper = new Float64Array(places.size).fill(columns.reduce((sum, { smallest }) => sum + smallest, 0));
  for (const { counts, smallest, others } of columns) {
    const end = Math.min(counts.length, places.size);
    for (let place = 0; place < end; place += 1) {
      const count = counts[place]!;
      if (count < 0) continue;
      lower[place]! += count;
      upper[place]! += count - smallest;
    }
    for (const [place, more] of others) upper[place]! += more;
  }
  const several = columns.filter(({ part, smallest }) => part.values !== null && smallest > 0);
  return Array.from(places, ([key, place]) => {
    for (const { part, smallest } of several)
      upper[place]! += (part.values!.toNode(key).length - 1) * smallest;
    return new TableBucket(key, labels[place]!, lower[place]!, upper[place]!, place, columns);
  });
};

/** A bucket that spells out its nodes when asked, for few clients do. */
class TableBucket implements MergedBucket {
  readonly key: string;
  readonly keyAsString: string | null;
  readonly count: number;
  readonly upperBound: number;
  readonly #place: number;
  readonly #columns: readonly Column[];

  constructor(
    key: string,
    keyAsString: string | null,
    count: number,
    upperBound: number,
    place: number,
    columns: readonly Column[],
  ) {
    this.key = key;
    this.keyAsString = keyAsString;
    this.count = count;
    this.upperBound = upperBound;
    this.#place = place;
    this.#columns = columns;
  }

  get nodes(): MergedBucket['nodes'] {
    return this.#columns.flatMap(({ part, counts }) => {
      const count = counts[this.#place] ?? -1;
      return count < 0 ? [] : [{ nodeId: part.nodeId, count }];
    });
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
