import { isDeepStrictEqual } from 'node:util';
import type { NetworkConfig } from './nodes.ts';

/** One line for each node that joined, left or changed, and one for everything else. */
export const changesBetween = (before: NetworkConfig, after: NetworkConfig): readonly string[] => {
  const [old, now] = [before, after].map(({ nodes }) => new Map(nodes.map((node) => [node.nodeId, node])));
  return [
    ...[...now!].flatMap(([nodeId, node]) => {
      const earlier = old!.get(nodeId);
      if (earlier === undefined) return [`node "${nodeId}" joined`];
      return isDeepStrictEqual(earlier, node) ? [] : [`node "${nodeId}" has a changed entry`];
    }),
    ...[...old!.keys()].filter((nodeId) => !now!.has(nodeId)).map((nodeId) => `node "${nodeId}" left`),
    ...(isDeepStrictEqual({ ...before, nodes: null }, { ...after, nodes: null })
      ? []
      : ['the settings of the network changed']),
  ];
};
