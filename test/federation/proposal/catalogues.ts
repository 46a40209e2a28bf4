import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sampleDocuments } from '../../../src/cli/sample/sample.ts';
import type { DescribedField } from '../../../src/federation/proposal/compatible.ts';
import { readNodes } from '../../../src/federation/config/read-nodes.ts';
import type { NodeConfig } from '../../../src/federation/config/nodes.ts';
import { readFields } from '../../../src/introspection/mapping/mapping.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/lib/json/json.ts';
import type { CataloguePair } from './measure.ts';

/** Reads a file of this repository. */
const json = (...path: readonly string[]): JsonObject =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../..', ...path), 'utf8')) as JsonObject;

/** Each institution of the sample against the network of the other two, with the mappings of nodes.json. */
export const samplePairs = (): readonly CataloguePair[] =>
  pairsOf('nodes.json', (nodeId) => ({
    folder: `configs/${nodeId}`,
    documents: [...sampleDocuments(nodeId)].map(({ document }) => document),
  }));

/**
 * Each museum against the network of the other two, with the mappings of docs/museums/nodes.json.
 * @param folder holds `documents.ndjson.gz` of each; null: they are compared by names alone
 */
export const museumPairs = (folder: string | null): readonly CataloguePair[] =>
  pairsOf('docs/museums/nodes.json', (nodeId) => {
    const file = folder === null ? null : join(folder, nodeId, 'documents.ndjson.gz');
    const lines =
      file === null || !existsSync(file) ? '' : gunzipSync(readFileSync(file)).toString('utf8').trim();
    return {
      folder: `docs/museums/${nodeId}`,
      documents: lines === '' ? [] : lines.split('\n').map((line) => JSON.parse(line) as JsonObject),
    };
  });

interface Catalogue {
  /** Holds mapping.json and extended.json. */
  readonly folder: string;
  readonly documents: readonly JsonObject[];
}

const pairsOf = (nodesFile: string, catalogueOf: (nodeId: string) => Catalogue): readonly CataloguePair[] => {
  const { nodes, fields: declared, sections } = readNodes(json(nodesFile), nodesFile);
  // about other fields these files say nothing
  const judged = new Set([
    ...declared.keys(),
    ...nodes.flatMap((node) => [...node.fields.keys(), ...node.values.keys()]),
  ]);
  const own = nodes.map((node) => ({ node, fields: described(catalogueOf(node.nodeId)) }));
  return own.map(({ node, fields }) => {
    const others = own.filter((other) => other.node !== node).flatMap(inNetworkTerms);
    const labels = new Map(sections?.extended?.map((entry) => [entry.fieldName, entry]));
    const network = [...Map.groupBy(others, ({ name }) => name)].map(([name, same]) => ({
      ...merged(name, same),
      type: declared.get(name) ?? same[0]!.type,
      label: labels.get(name)?.displayName ?? same[0]!.label,
      unit: labels.get(name)?.unit === null ? undefined : (labels.get(name)?.unit ?? same[0]!.unit),
    }));
    const known = new Set(network.map(({ name }) => name));
    const rest = [...declared].flatMap(([name, type]) => (known.has(name) ? [] : [{ name, type }]));
    const all = [...network, ...rest];
    // numbers in another unit are for a person to decide
    const paths = new Set(all.flatMap(({ name }) => (node.units?.has(name) ? [] : [name])));
    return {
      ...{ name: node.nodeId, network: all, own: fields, judged },
      fields: new Map([...node.fields].filter(([path, ours]) => paths.has(path) && path !== ours)),
      values: new Map([...node.values].filter(([path]) => paths.has(path))),
    };
  });
};

/** The fields of a node in the names and values of its network. */
const inNetworkTerms = ({
  node,
  fields,
}: {
  readonly node: NodeConfig;
  readonly fields: readonly DescribedField[];
}): readonly DescribedField[] => {
  const names = new Map([...node.fields].map(([path, ours]) => [ours, path]));
  return fields.flatMap((field) => {
    const name = names.get(field.name) ?? field.name;
    if (name === field.name && node.fields.has(name)) return [];
    const map = node.values.get(name);
    return [{ ...field, name, values: field.values?.map((value) => map?.get(value) ?? value) }];
  });
};

const merged = (name: string, same: readonly DescribedField[]): DescribedField => ({
  ...same[0]!,
  name,
  values: [...new Set(same.flatMap(({ values = [] }) => values))],
  range: same
    .flatMap(({ range }) => (range ? [range] : []))
    .reduce<DescribedField['range']>(
      (all, one) => (all ? [Math.min(all[0], one[0]), Math.max(all[1], one[1])] : one),
      undefined,
    ),
});

const maxValues = 200;

/** The fields of a catalogue with their labels, their most frequent values and the ranges of their numbers. */
const described = ({ folder, documents }: Catalogue): readonly DescribedField[] => {
  const { mappings } = json(folder, 'mapping.json');
  if (!isJsonObject(mappings) || !isJsonObject(mappings['properties']))
    throw new Error(`no mapping: ${folder}`);
  const { fields } = readFields(mappings['properties'], { nestingPrefix: null });
  const { extended = [] } = json(folder, 'extended.json') as { extended?: readonly JsonObject[] };
  const entries = new Map(extended.map((entry) => [entry['fieldName'], entry]));
  return [...fields.values()]
    .filter(({ kind }) => kind !== 'object')
    .map(({ path, type, kind }): DescribedField => {
      const entry = entries.get(path);
      const found =
        kind === 'nested' ? [] : documents.flatMap((document) => valuesAt(document, path.split('.')));
      const numbers = found.filter((value) => typeof value === 'number');
      return {
        ...{ name: path, type },
        label: entry === undefined ? undefined : String(entry['displayName']),
        unit: typeof entry?.['unit'] === 'string' ? entry['unit'] : undefined,
        values: kind === 'keyword' ? mostFrequent(found.map(String)) : undefined,
        range:
          kind === 'number' && numbers.length > 0
            ? numbers.reduce<[number, number]>(
                ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
                [Infinity, -Infinity],
              )
            : undefined,
      };
    });
};

const valuesAt = (value: JsonValue | undefined, path: readonly string[]): readonly JsonValue[] => {
  if (value === undefined || value === null || value === '') return [];
  if (Array.isArray(value)) return value.flatMap((each) => valuesAt(each, path));
  const [step, ...rest] = path;
  if (step === undefined) return [value];
  return isJsonObject(value) ? valuesAt(value[step], rest) : [];
};

const mostFrequent = (values: readonly string[]): readonly string[] => {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > 1)
    .sort(([, one], [, other]) => other - one)
    .slice(0, maxValues)
    .map(([value]) => value);
};
