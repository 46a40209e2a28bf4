import { proposedDescription } from './check-about.ts';
import { editJson } from '../../config/edit-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json.ts';
import type { ExtendedEntry, PortalConfigs } from '../../introspection/fields/catalogue-config.ts';
import type { Fields } from '../../introspection/fields/field.ts';
import { extendedConfig, facetsConfig, tableConfig } from '../../introspection/fields/field-config.ts';

/** A network as found, with everything that its file may lack. */
interface Found {
  readonly fields: Fields;
  readonly configs: PortalConfigs;
}

/** The additions to nodes.json. */
export interface WrittenNetwork {
  /** Paths that were declared. */
  readonly fields: readonly string[];
  /** Paths that were described. */
  readonly extended: readonly string[];
  /** The lists that were missing. */
  readonly lists: readonly ('table.columns' | 'facets.aggregations' | 'catalogue.describes')[];
}

/**
 * Writes the results of a check into `network` of nodes.json, so that they stay when a node is down at the start: the
 * fields, their labels, the default table and facets, and the fields that its description summarises. Existing entries and
 * the rest of the file are unchanged; the file is replaced atomically.
 * @throws TributaryError CONFIG_INVALID when the file cannot be read, is not an object, or cannot be written
 */
export const writeNetwork = async (file: string, found: Found): Promise<WrittenNetwork> => {
  let report: WrittenNetwork = { fields: [], extended: [], lists: [] };
  await editJson(file, (content) => {
    const { written, next } = completed(objectAt(content, 'network'), found);
    report = written;
    if (Object.values(written).every((added) => added.length === 0)) return null;
    // a missing network part is added at the front, as in the documentation
    const filled = 'network' in content ? content : { network: {}, ...content };
    return { ...filled, network: next };
  });
  return report;
};

const objectAt = (content: JsonObject, key: string): JsonObject => {
  const value = content[key];
  return isJsonObject(value) ? value : {};
};

const completed = (
  network: JsonObject,
  found: Found,
): { readonly written: WrittenNetwork; readonly next: JsonObject } => {
  const declared = objectAt(network, 'fields');
  const added = [...found.fields.values()].filter(({ path: name }) => !Object.hasOwn(declared, name));
  const fields = { ...declared, ...Object.fromEntries(added.map(({ path: name, type }) => [name, type])) };
  const listed = listAt(network, 'extended');
  const described = descriptionsOf(found, listed);
  const lists = [columnsOf, facetsOf, describedBy].flatMap((one) => one(network, found) ?? []);
  return {
    written: {
      fields: added.map(({ path: name }) => name),
      extended: described.map(({ fieldName }) => fieldName),
      lists: lists.map(({ name }) => name),
    },
    next: {
      ...network,
      ...(added.length === 0 ? {} : { fields }),
      ...(described.length === 0 ? {} : { extended: [...listed, ...(described as unknown as JsonValue[])] }),
      ...Object.fromEntries(lists.map(({ key, value }) => [key, value])),
    },
  };
};

const listAt = (content: JsonObject, key: string): readonly JsonValue[] => {
  const value = content[key];
  return Array.isArray(value) ? value : [];
};

/** Each field with its label and the rest of its entry. */
const descriptionsOf = ({ fields, configs }: Found, listed: readonly JsonValue[]) => {
  const known = new Set(listed.map((entry) => (isJsonObject(entry) ? entry['fieldName'] : null)));
  const configured = new Map(configs.extended.map((entry) => [entry.fieldName, entry]));
  return extendedConfig(fields, configs)
    .filter(({ fieldName }) => !known.has(fieldName))
    .map(({ fieldName, displayName }) => {
      // what the network finds out is not for its file
      const { sortable: _, ...entry }: Partial<ExtendedEntry> = configured.get(fieldName) ?? {};
      return { fieldName, displayName, ...entry };
    });
};

interface WrittenList {
  readonly name: WrittenNetwork['lists'][number];
  readonly key: string;
  readonly value: JsonValue;
}

const columnsOf = (network: JsonObject, { fields, configs }: Found): WrittenList | null => {
  const table = objectAt(network, 'table');
  const columns = tableConfig(fields, configs).columns.map(({ fieldName, show, sortable, isArray }) => ({
    fieldName,
    show,
    ...(sortable === null ? {} : { sortable }),
    ...(isArray ? { isArray } : {}),
  }));
  if (listAt(table, 'columns').length > 0 || columns.length === 0) return null;
  return { name: 'table.columns', key: 'table', value: { ...table, columns } };
};

const facetsOf = (network: JsonObject, { fields, configs }: Found): WrittenList | null => {
  const facets = objectAt(network, 'facets');
  const aggregations = facetsConfig(fields, configs).aggregations.map(({ fieldName, isActive, show }) => ({
    fieldName,
    isActive,
    show,
  }));
  const isListed = listAt(facets, 'aggregations').length > 0 || listAt(network, 'facets').length > 0;
  if (isListed || aggregations.length === 0) return null;
  return { name: 'facets.aggregations', key: 'facets', value: { ...facets, aggregations } };
};

const describedBy = (network: JsonObject, { fields }: Found): WrittenList | null => {
  const describes = 'catalogue' in network ? null : proposedDescription(fields);
  return (
    describes && { name: 'catalogue.describes', key: 'catalogue', value: { describes: { ...describes } } }
  );
};
