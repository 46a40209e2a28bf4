import type { NetworkFields } from '../nodes/network-fields.ts';
import { leafPaths } from '../nodes/network-document.ts';
import type { NodeView } from '../nodes/node-view.ts';
import { levelsOfValue } from '../remote/hit-columns.ts';

/** Columns that the rows of a node lack, because they need a deeper query than the node is sent. */
export interface DeepColumns {
  readonly nodeId: string;
  /** The depth of the deepest query it is sent. */
  readonly maxDepth: number;
  readonly columns: readonly { readonly fieldName: string; readonly levels: number }[];
}

/**
 * The columns of a network's table that its nodes cannot show; none of those that are down, nor of those that give
 * documents as they are stored.
 * @param columns the network's paths
 */
export const deepColumns = (
  columns: readonly string[],
  network: Pick<NetworkFields, 'fields' | 'byNode'>,
  nodes: readonly NodeView[],
): readonly DeepColumns[] =>
  nodes.flatMap(({ config: { nodeId, source }, status }) => {
    if (source.kind === 'local' || status.kind === 'down' || status.isWhole) return [];
    const { maxDepth } = source;
    const own = network.byNode.get(nodeId);
    const deep = columns.flatMap((fieldName) => {
      const values = leafPaths([fieldName], network).flatMap((path) => own?.get(path) ?? []);
      const levels = Math.max(...values.map(({ path, nestedIn }) => levelsOfValue(path, nestedIn.length)));
      return levels > maxDepth ? [{ fieldName, levels }] : [];
    });
    return deep.length === 0 ? [] : [{ nodeId, maxDepth, columns: deep }];
  });
