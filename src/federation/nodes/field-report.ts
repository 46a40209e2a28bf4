import { aggregationName } from '../../introspection/fields/names.ts';
import type { NetworkFields } from './network-fields.ts';
import type { NodeView } from './node-view.ts';

/** A field of the network, and how each node covers it. */
export interface FieldReport {
  readonly path: string;
  /** The GraphQL name, below `aggregations` and `node`. */
  readonly name: string;
  readonly type: string;
  readonly isArray: boolean;
  /** In configuration order. */
  readonly nodes: readonly FieldCoverage[];
}

export interface FieldCoverage {
  readonly nodeId: string;
  /** `conflict`: present, but of an incompatible type. `unknown`: the node's fields are not known. */
  readonly state: 'covered' | 'missing' | 'conflict' | 'unknown';
  /** The node's own path and type, if it has one. */
  readonly path: string | null;
  readonly type: string | null;
  /** Why it is not covered. */
  readonly reason: string | null;
}

/** The matrix of fields and nodes, for people and for portals. */
export const fieldReports = (network: NetworkFields, nodes: readonly NodeView[]): readonly FieldReport[] =>
  [...network.fields.values()].map(({ path, type, isArray }) => ({
    path,
    name: aggregationName(path),
    type,
    isArray,
    nodes: nodes.map((node) => coverage(path, network, node)),
  }));

const coverage = (path: string, network: NetworkFields, node: NodeView): FieldCoverage => {
  const { nodeId } = node.config;
  const nothing = { nodeId, path: null, type: null };
  if (node.status.kind === 'down') return { ...nothing, state: 'unknown', reason: node.status.reason };
  const own = network.byNode.get(nodeId)?.get(path);
  if (own) return { nodeId, state: 'covered', path: own.path, type: own.type, reason: null };
  const conflict = network.conflicts.get(nodeId)?.get(path);
  if (conflict)
    return { nodeId, state: 'conflict', path: conflict.path, type: conflict.type, reason: conflict.reason };
  return { ...nothing, state: 'missing', reason: `has no field "${node.fieldMapping.toNode(path)}"` };
};
