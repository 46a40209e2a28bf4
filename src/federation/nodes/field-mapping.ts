import type { NodeConfig } from '../config/nodes.ts';
import type { ValueMap } from '../../facets/row/value-map.ts';

/** Maps between a node's names and values and the network's, both ways. Pure lookups. */
export interface FieldMapping {
  /** The node's path for a network path. */
  readonly toNode: (networkPath: string) => string;
  /** The network's path for a node's path; null when another network field has taken that name. */
  readonly toNetwork: (nodePath: string) => string | null;
  /** The value map of one network field, or null when values pass unchanged. */
  readonly valuesOf: (networkPath: string) => ValueMap | null;
}

/** The lookups of one node's `fields` and `values`. */
export const fieldMappingOf = (node: Pick<NodeConfig, 'fields' | 'values'>): FieldMapping => {
  const toNetwork = new Map([...node.fields].map(([networkPath, nodePath]) => [nodePath, networkPath]));
  const values = new Map([...node.values].map(([path, listed]) => [path, valueMap(listed)]));
  return {
    toNode: (path) => node.fields.get(path) ?? path,
    toNetwork: (path) => toNetwork.get(path) ?? (node.fields.has(path) ? null : path),
    valuesOf: (path) => values.get(path) ?? null,
  };
};

const valueMap = (listed: ReadonlyMap<string, string>): ValueMap => {
  const toNode = new Map<string, string[]>();
  for (const [nodeValue, networkValue] of listed)
    toNode.set(networkValue, [...(toNode.get(networkValue) ?? []), nodeValue]);
  return {
    listed,
    toNetwork: (value) => listed.get(value) ?? value,
    toNode: (value) => [...(toNode.get(value) ?? []), ...(listed.has(value) ? [] : [value])],
  };
};
