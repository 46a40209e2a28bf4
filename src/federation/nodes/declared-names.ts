import { closest } from '../../text/unknown-keys.ts';
import { isMappedType, mappedTypes } from '../../introspection/fields/field.ts';
import type { FieldReport } from './network-fields.ts';
import type { NetworkConfig, NodeConfig } from '../config/nodes.ts';

/** Names of mapped types in other languages and databases. */
const otherNames: Readonly<Record<string, string>> = {
  int: 'integer', bool: 'boolean', str: 'keyword', number: 'double', real: 'float', decimal: 'double',
  bigint: 'long', datetime: 'date', timestamp: 'date', varchar: 'keyword', enum: 'keyword',
}; // prettier-ignore

/** Types in `network.fields` that no index maps: the field would be opaque and incompatible with every node's. */
export const unknownTypes = ({ fields }: NetworkConfig): readonly string[] =>
  [...fields].flatMap(([path, type]) => {
    if (isMappedType(type)) return [];
    const name = type.toLowerCase();
    const meant = Object.hasOwn(otherNames, name) ? otherNames[name] : closest(name, mappedTypes)?.name;
    return [`network.fields.${path}: "${type}" is not a mapped type: did you mean "${meant}"?`];
  });

/** Network values that nodes spell in two ways: a facet would show both. */
export const inconsistentSpellings = ({ nodes }: NetworkConfig): readonly string[] => {
  const paths = new Set(nodes.flatMap(({ values }) => [...values.keys()]));
  return [...paths].flatMap((path) => {
    const given = nodes.flatMap(({ nodeId, values }) =>
      [...(values.get(path)?.values() ?? [])].map((value) => ({ nodeId, value })),
    );
    return [...Map.groupBy(given, ({ value }) => folded(value)).values()].flatMap((same) => {
      const byText = Map.groupBy(same, ({ value }) => value);
      if (byText.size === 1) return [];
      const texts = [...byText].map(
        ([text, by]) => `"${text}" (${[...new Set(by.map(({ nodeId }) => nodeId))].join(', ')})`,
      );
      return [`values.${path}: ${texts.join(' and ')} are spellings of one value: choose one of them`];
    });
  });
};

/** Drops differences that people overlook: case, accents, and spaces around and between words. */
const folded = (value: string): string =>
  value.normalize('NFKD').replace(/\p{M}/gu, '').trim().replace(/[\s_-]+/g, ' ').toLowerCase(); // prettier-ignore

/** Names in a node's `fields` and `values` for which it has no field; nodes that are down are unknown. */
export const missingFields = ({ nodes }: NetworkConfig, reports: readonly FieldReport[]): readonly string[] =>
  nodes.flatMap((node) => {
    if (reports.length > 0 && reports.every((report) => stateAt(report, node) === 'unknown')) return [];
    const own = reports.flatMap((report) => coverageAt(report, node)?.path ?? []);
    const isMissing = (path: string): boolean => {
      const report = reports.find((one) => one.path === path);
      return report === undefined || stateAt(report, node) === 'missing';
    };
    const lines = (key: 'fields' | 'values', paths: readonly string[]): readonly string[] =>
      paths.filter(isMissing).map((path) => {
        const name = node.fields.get(path) ?? path;
        const near = closest(name, own)?.name;
        const hint = near === undefined ? '' : `: did you mean "${near}"?`;
        return `node ${node.nodeId}: ${key}.${path}: the node has no field "${name}"${hint}`;
      });
    const unmapped = [...node.values.keys()].filter((path) => !node.fields.has(path));
    return [...lines('fields', [...node.fields.keys()]), ...lines('values', unmapped)];
  });

const coverageAt = ({ nodes }: FieldReport, { nodeId }: NodeConfig) =>
  nodes.find((coverage) => coverage.nodeId === nodeId);
const stateAt = (report: FieldReport, node: NodeConfig) => coverageAt(report, node)?.state;
