import type {
  DownloadDefaults,
  ExtendedEntry,
  FacetEntry,
  PortalConfigs,
  TableConfig,
} from '../../introspection/fields/catalogue-config.ts';
import {
  aggregationName,
  fieldByAggregationName,
  hasOwnValues,
  type Field,
  type Fields,
} from '../../introspection/fields/field.ts';
import { defaultFacets, tableConfig, withPaths } from '../../introspection/fields/field-config.ts';
import type { ColumnEntry } from '../../introspection/fields/portal-sections.ts';
import { readSections } from '../../introspection/sections/sections.ts';
import type { NetworkConfig } from '../config/nodes.ts';
import { sortRefusal, type NetworkFields } from '../nodes/network-fields.ts';
import type { NodeView } from '../nodes/node-view.ts';
import type { ValueMap } from '../../search/facets/row/measure-row.ts';

/** The server's own settings, used where the network's file sets none. */
export interface NetworkDefaults {
  readonly downloads: DownloadDefaults;
  /** The limit on offset + first. */
  readonly maxResultsWindow: number;
}

/** The merged fields of the nodes, and the nodes themselves. */
export interface ConfiguredFields {
  readonly network: NetworkFields;
  readonly nodes: readonly NodeView[];
}

/** The field that identifies the rows of a network: `<nodeId>/<id>`. */
const rowIdFieldName = '_key';

/**
 * The network's configs for portals, in the same form as a catalogue's: what the network's file sets, otherwise the
 * declared fields, named as the first node names them.
 */
export const networkConfigs = (
  { sections = {}, fields: declared }: Pick<NetworkConfig, 'sections' | 'fields'>,
  { network, nodes }: ConfiguredFields,
  defaults: NetworkDefaults,
): PortalConfigs => {
  const declaredSections = withPaths(readSections(sections, { ...defaults, rowIdFieldName }), network.fields);
  const shown = shownFields(network.fields, declared);
  const columns = declaredSections.table.columns ?? unlessEmpty(shown.columns.map(columnOf));
  return {
    ...declaredSections,
    extended: extendedOf(declaredSections.extended, network, nodes),
    table: { ...declaredSections.table, ...sortedTable({ ...declaredSections.table, columns }, network) },
    facets: declaredSections.facets ?? unlessEmpty(shown.facets.map(facetOf)),
  };
};

/** Portals offer the sorts that a table names, and send its default with every page: none may be refused. */
const sortedTable = (
  { columns, defaultSorting }: Pick<TableConfig, 'columns' | 'defaultSorting'>,
  network: NetworkFields,
): Pick<TableConfig, 'columns' | 'defaultSorting'> => {
  const isRefused = ({ fieldName }: { readonly fieldName: string }): boolean =>
    sortRefusal(pathNamed(fieldName, network), network) !== null;
  return {
    columns:
      columns && columns.map((column) => (isRefused(column) ? { ...column, sortable: false } : column)),
    defaultSorting: defaultSorting.filter((sort) => !isRefused(sort)),
  };
};

/** The path of a field by its name in a configuration: dotted, or as in GraphQL. */
const pathNamed = (name: string, { fields }: Pick<NetworkFields, 'fields'>): string =>
  fields.has(name) ? name : (fieldByAggregationName(fields).get(aggregationName(name))?.path ?? name);

/** The default sorts of a network's file that portals are not shown, each with its place and the reason. */
export const refusedDefaults = (
  { sections, where }: Pick<NetworkConfig, 'sections' | 'where'>,
  network: Pick<NetworkFields, 'fields' | 'ownValuesAt'>,
): readonly string[] =>
  (sections?.table?.defaultSorting ?? []).flatMap(({ fieldName }, at) => {
    const refusal = sortRefusal(pathNamed(fieldName, network), network);
    return refusal === null ? [] : [`${where}, network.table.defaultSorting[${at}].fieldName: ${refusal}`];
  });

/** How many facets and columns are shown by default when the network's file names none, as in a catalogue. */
const shownByDefault = 10;

/** The declared fields in their order; if none are declared, the first fields, as in a catalogue. */
const shownFields = (fields: Fields, declared: NetworkConfig['fields']) => {
  if (declared.size > 0) {
    const columns = [...declared.keys()].flatMap((path) => valueField(fields, path) ?? []);
    return { columns, facets: columns.filter(hasFacet) };
  }
  const nothing = { columns: null, defaultSorting: [], maxResultsWindow: 0, rowIdFieldName };
  const { columns } = tableConfig(fields, { extended: [], table: nothing });
  return {
    columns: columns.map(({ fieldName }) => fields.get(fieldName)!),
    facets: defaultFacets(fields).map((path) => fields.get(path)!),
  };
};

const valueField = (fields: Fields, path: string): Field | undefined => {
  const field = fields.get(path);
  return field !== undefined && hasOwnValues(field.kind) ? field : undefined;
};

const unlessEmpty = <Entry>(list: readonly Entry[]): readonly Entry[] | null =>
  list.length === 0 ? null : list;

/** A column inside nested objects holds one value per object. */
const columnOf = ({ path, kind, nestedIn }: Field, position: number): ColumnEntry => ({
  fieldName: path,
  show: position < shownByDefault,
  sortable: kind !== 'text' && nestedIn.length === 0,
  ...(nestedIn.length === 0 ? {} : { isArray: true }),
});

/** Identifiers have a distinct value per record, so they get no facet. */
const hasFacet = ({ path, kind }: Field): boolean =>
  kind !== 'text' && path !== 'id' && !path.includes('_id');

/** In the form that components of existing portals can put into a query. */
const facetOf = ({ path }: Field, position: number): FacetEntry => ({
  fieldName: aggregationName(path),
  isActive: position < shownByDefault,
  show: position < shownByDefault,
});

/** The entries of the network's file first, then those of the nodes. */
const extendedOf = (
  configured: readonly ExtendedEntry[],
  network: NetworkFields,
  nodes: readonly NodeView[],
): readonly ExtendedEntry[] => {
  const all = new Map(configured.map((entry) => [entry.fieldName, entry]));
  const add = (entry: ExtendedEntry): void =>
    void all.set(entry.fieldName, joined(all.get(entry.fieldName), entry));
  for (const entry of reportedEntries(network, nodes).values()) add(entry);
  const fieldsOfNodes = [...network.byNode.values()];
  for (const { path: fieldName, type } of network.fields.values()) {
    const fields = fieldsOfNodes.flatMap((covered) => covered.get(fieldName) ?? []);
    if (fields.some(({ isArray }) => isArray)) add({ fieldName, isArray: true });
    // made from the types of several nodes, and unknown to existing portals
    if (type === 'double' && fields.every((field) => field.type !== type) && fields.length > 0)
      add({ fieldName, displayType: 'float' });
    if (network.ownValuesAt.has(fieldName)) add({ fieldName, sortable: false });
  }
  return [...all.values()];
};

/**
 * For each field of the network, the entry of the first node in file order: label, description, unit, type and
 * labels of values, the latter by the network's values.
 */
const reportedEntries = (
  network: NetworkFields,
  nodes: readonly NodeView[],
): ReadonlyMap<string, ExtendedEntry> => {
  const entries = new Map<string, ExtendedEntry>();
  for (const { config, status, fieldMapping } of nodes) {
    if (status.kind === 'down') continue;
    const byPath = new Map((status.extended ?? []).map((entry) => [entry.fieldName, entry]));
    for (const [path, field] of network.byNode.get(config.nodeId) ?? []) {
      const entry = byPath.get(field.path);
      if (entry === undefined || path === rowId) continue;
      const values = fieldMapping.valuesOf(path);
      const here = {
        ...(values === null ? portable(entry) : inNetworkValues(entry, values)),
        fieldName: path,
      };
      entries.set(path, sharedLink(joined(entries.get(path), here), here));
    }
  }
  return entries;
};

/** A link template with one node's values would be broken for another node's values. */
const sharedLink = (all: ExtendedEntry, { link }: ExtendedEntry): ExtendedEntry =>
  typeof all.link === 'string' && all.link !== link ? { ...all, link: false } : all;

/** Each node has its own ids, unrelated to the network's. */
const rowId = 'id';

/** The settings that apply elsewhere too: not a node's key, nor which of its facets are open. */
const portable = (entry: ExtendedEntry): ExtendedEntry => {
  const { displayType, displayValues, unit, rangeStep, image, link } = entry;
  return { ...textsOf(entry), ...defined({ displayType, displayValues, unit, rangeStep, image, link }) };
};

/** Type, unit and step belong to the node's own values, which are not shown. */
const inNetworkValues = (entry: ExtendedEntry, values: ValueMap): ExtendedEntry => {
  const labels = Map.groupBy(Object.entries(entry.displayValues ?? {}), ([value]) => values.toNetwork(value));
  const clear = [...labels].flatMap(([value, [first, ...more]]) => {
    const label = first![1];
    // several values of a node may map to one of the network, with a label each; and a label may equal that value
    return label === value || more.some(([, other]) => other !== label) ? [] : [[value, label] as const];
  });
  const displayValues = clear.length === 0 ? undefined : Object.fromEntries(clear);
  return defined({ ...textsOf(entry), displayValues });
};

const textsOf = (entry: ExtendedEntry): ExtendedEntry => {
  const { fieldName, displayName, displayNames, description, descriptions, quickSearchEnabled } = entry;
  return defined({ fieldName, displayName, displayNames, description, descriptions, quickSearchEnabled });
};

/** Merges two entries of one field, the first preferred. A label and its translations come from one entry, not mixed. */
const joined = (first: ExtendedEntry | undefined, second: ExtendedEntry): ExtendedEntry => {
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

/** Removes a null unit, which means no unit. */
const written = (entry: ExtendedEntry): ExtendedEntry => {
  const { unit } = entry;
  return { ...defined(entry), ...(unit === null ? { unit } : {}) };
};

const defined = <Entry extends object>(entry: Entry): Entry =>
  Object.fromEntries(
    Object.entries(entry).filter(([, value]) => value !== undefined && value !== null),
  ) as Entry;
