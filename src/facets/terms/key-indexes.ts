import type { JsonObject } from '../../json/json.ts';
import type { BucketAnswer } from '../../search/facet-answer.ts';
import type { ValueMap } from '../row/value-map.ts';
import type { TermsColumns } from './terms-columns.ts';

/** One node's list. */
export interface TermsList {
  readonly nodeId: string;
  /** May be made anew each time it is read. */
  readonly buckets: readonly BucketAnswer[];
  /** The same, where a bucket is a key and a count only; null or unset: it is more. */
  readonly columns?: TermsColumns | null;
  /** e: the highest count the node may have for a key that it did not list; 0 for a complete list. */
  readonly smallest: number;
  /** Maps the node's values to the network's; null when they are the same. */
  readonly values: ValueMap | null;
  /** Maps its documents to the network's; unset: they are the same. */
  readonly documentOf?: ((document: JsonObject) => JsonObject) | undefined;
}

/** The keys of all lists, each with its index. */
export interface KeyIndexes {
  /** Has no prototype. With hundreds of thousands of keys an object lookup takes half as long as in a Map. */
  readonly byKey: Record<string, number>;
  readonly keys: string[];
  readonly labels: (string | undefined)[];
}

export const openKeyIndexes = (): KeyIndexes => ({
  byKey: Object.create(null) as Record<string, number>,
  keys: [],
  labels: [],
});

interface FilledColumn {
  /** The indexes that were written, each once; null: too many of all to be written down. */
  readonly listed: readonly number[] | null;
  /** By index, where several values map to one key: the most that the others may add. */
  readonly others: ReadonlyMap<number, number>;
  /** Whether some bucket may hold more than its count. */
  readonly isUncertain: boolean;
}

const noOthers: FilledColumn['others'] = new Map();

/**
 * Writes a list into an empty column; where several values map to one key, the largest count, which is certain. New
 * keys get an index. Long lists do not fit a processor's cache: everything is read in one pass.
 */
export const fillColumn = (column: Float64Array, list: TermsList, indexes: KeyIndexes): FilledColumn => {
  const { values, smallest, columns } = list;
  const { byKey, keys, labels } = indexes;
  let others: Map<number, number> | null = null;
  let isUncertain = false;
  const listed: number[] | null = (columns ?? list.buckets).length < keys.length / 8 ? [] : null;
  const fill = (own: string, count: number, label: string | undefined): void => {
    const key = values ? values.toNetwork(own) : own;
    let index = byKey[key];
    if (index === undefined) {
      index = keys.push(key) - 1;
      byKey[key] = index;
      labels.push(label);
    }
    const known = column[index]!;
    column[index] = Math.max(known, count);
    if (known < 0) {
      listed?.push(index);
      return;
    }
    // this value is listed, so it holds no e
    others ??= new Map();
    others.set(index, (others.get(index) ?? 0) + Math.min(known, count) - smallest);
  };
  if (columns)
    for (let at = 0; at < columns.length; at += 1) fill(columns.keyAt(at), columns.countAt(at), undefined);
  else
    for (const { key, keyAsString, count, upperBound } of list.buckets) {
      if (upperBound !== undefined) isUncertain = true;
      fill(key, count, keyAsString);
    }
  return { listed, others: others ?? noOthers, isUncertain };
};

/** -1: not listed. */
export const emptyColumn = (length: number): Float64Array => new Float64Array(length).fill(-1);
