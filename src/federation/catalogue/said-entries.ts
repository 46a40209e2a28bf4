import type { ValueMap } from '../../facets/row/value-map.ts';
import type { ExtendedEntry } from '../../introspection/fields/catalogue-config.ts';
import type { NetworkFields } from '../nodes/network-fields.ts';
import type { NodeView } from '../nodes/node-view.ts';

/** What the nodes' own configs say of the network's fields. */
export interface SaidEntries {
  /** By network path, only fields with an entry. */
  readonly entries: ReadonlyMap<string, ExtendedEntry>;
  /** Units that differ. */
  readonly warnings: readonly string[];
}

/**
 * For each field of the network, what the first node in file order says about it: label, description, unit, type and
 * labels of values, the latter by the network's values.
 */
export const saidEntries = (network: NetworkFields, nodes: readonly NodeView[]): SaidEntries => {
  const entries = new Map<string, ExtendedEntry>();
  const units = new Map<string, { readonly unit: string; readonly nodeId: string }>();
  const warnings: string[] = [];
  for (const { config, status, fieldMapping } of nodes) {
    if (status.kind === 'down') continue;
    const { nodeId } = config;
    const said = new Map((status.extended ?? []).map((entry) => [entry.fieldName, entry]));
    for (const [path, own] of network.byNode.get(nodeId) ?? []) {
      const entry = said.get(own.path);
      if (entry === undefined || path === rowId) continue;
      const values = fieldMapping.valuesOf(path);
      const here = { ...(values === null ? asSaid(entry) : inNetworkValues(entry, values)), fieldName: path };
      entries.set(path, joined(entries.get(path), here));
      const first = units.get(path);
      if (here.unit == null) continue;
      if (first === undefined) units.set(path, { unit: here.unit, nodeId });
      else if (first.unit !== here.unit)
        warnings.push(
          `"${path}" is in ${first.unit} at node "${first.nodeId}", but in ${here.unit} at node "${nodeId}"`,
        );
    }
  }
  return { entries, warnings };
};

/** Each node has its own, which says nothing of the network's. */
const rowId = 'id';

/** What a portal can use of it elsewhere: a node's key, or which of its facets are open, says nothing of others. */
const asSaid = (entry: ExtendedEntry): ExtendedEntry => {
  const { displayType, displayValues, unit, rangeStep } = entry;
  return { ...textsOf(entry), ...defined({ displayType, displayValues, unit, rangeStep }) };
};

const textsOf = (entry: ExtendedEntry): ExtendedEntry => {
  const { fieldName, displayName, displayNames, description, descriptions, quickSearchEnabled } = entry;
  return defined({ fieldName, displayName, displayNames, description, descriptions, quickSearchEnabled });
};

/** Type, unit and step belong to the node's own values, which are not shown. */
const inNetworkValues = (entry: ExtendedEntry, values: ValueMap): ExtendedEntry => {
  const labels = Map.groupBy(Object.entries(entry.displayValues ?? {}), ([value]) => values.toNetwork(value));
  const clear = [...labels].flatMap(([value, [first, ...more]]) => {
    const label = first![1];
    // several values of a node may be one of the network, with a label each; and a label may be that very value
    return label === value || more.some(([, other]) => other !== label) ? [] : [[value, label] as const];
  });
  const displayValues = clear.length === 0 ? undefined : Object.fromEntries(clear);
  return defined({ ...textsOf(entry), displayValues });
};

/** Two entries of one field, the first preferred. A label and its translations are of one entry, not mixed. */
export const joined = (first: ExtendedEntry | undefined, second: ExtendedEntry): ExtendedEntry => {
  if (first === undefined) return second;
  const { displayName, displayNames, description, descriptions, ...others } = second;
  const isNamed = first.displayName !== undefined || first.displayNames !== undefined;
  const isDescribed = first.description !== undefined || first.descriptions !== undefined;
  const displayValues = { ...second.displayValues, ...first.displayValues };
  return {
    ...others,
    ...(isNamed ? {} : defined({ displayName, displayNames })),
    ...(isDescribed ? {} : defined({ description, descriptions })),
    ...written(first),
    ...(Object.keys(displayValues).length === 0 ? {} : { displayValues }),
  };
};

/** A unit of null says that there is none. */
const written = (entry: ExtendedEntry): ExtendedEntry => {
  const { unit } = entry;
  return { ...defined(entry), ...(unit === null ? { unit } : {}) };
};

const defined = <Entry extends object>(entry: Entry): Entry =>
  Object.fromEntries(
    Object.entries(entry).filter(([, value]) => value !== undefined && value !== null),
  ) as Entry;
