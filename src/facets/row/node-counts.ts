import type { CountedBucket } from '../../engines/measure.ts';
import type { BucketAnswer, NodeCount } from '../../search/facet-answer.ts';
import type { Counts, CountedKind } from './counted-buckets.ts';
import type { MergePart } from './measure-row.ts';

/**
 * Merged buckets with each node's part in them, looked up when it is read: few clients need it.
 * @param identity what buckets that count the same have in common
 */
export const withNodeCounts = <Kind extends CountedKind>(
  buckets: Counts,
  parts: readonly MergePart<Kind>[],
  identity: (key: string) => string | number,
): readonly BucketAnswer[] => {
  let nodes: ReadonlyMap<string | number, readonly NodeCount[]> | null = null;
  const nodesOf = (key: string): readonly NodeCount[] =>
    (nodes ??= nodeCounts(parts, identity)).get(identity(key)) ?? [];
  return buckets.map((bucket) => ({
    ...bucket,
    get nodes() {
      return nodesOf(bucket.key);
    },
  }));
};

const nodeCounts = <Kind extends CountedKind>(
  parts: readonly MergePart<Kind>[],
  identity: (key: string) => string | number,
): ReadonlyMap<string | number, readonly NodeCount[]> => {
  const nodes = new Map<string | number, NodeCount[]>();
  for (const { nodeId, result } of parts)
    for (const { key, count } of (result as { readonly buckets: readonly CountedBucket[] } | null)?.buckets ?? []) {
      if (count === 0) continue;
      const known = nodes.get(identity(key));
      if (known) known.push({ nodeId, count });
      else nodes.set(identity(key), [{ nodeId, count }]);
    }
  return nodes;
}; // prettier-ignore
