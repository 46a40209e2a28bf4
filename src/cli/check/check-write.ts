import { editJson } from '../../server/config/edit-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts';
import type { PortalConfigs } from '../../introspection/fields/catalogue-config.ts';
import { isMappedType, type Fields } from '../../introspection/fields/field.ts';
import { extendedConfig } from '../../introspection/fields/field-config.ts';

/** The paths that were added to nodes.json. */
export interface WrittenNetwork {
  readonly declared: readonly string[];
  readonly described: readonly string[];
}

/**
 * Writes the fields that a check has found, and their descriptions, into `network` of nodes.json, so that they stay when a
 * node is down at the start. Existing entries and the rest of the file are unchanged; the file is replaced atomically.
 * @throws TributaryError CONFIG_INVALID when the file cannot be read, is not an object, or cannot be written
 */
export const writeNetwork = async (
  file: string,
  found: { readonly fields: Fields; readonly configs: PortalConfigs },
): Promise<WrittenNetwork> => {
  let written: WrittenNetwork = { declared: [], described: [] };
  await editJson(file, (content) => {
    const network = isJsonObject(content['network']) ? content['network'] : {};
    const fields = isJsonObject(network['fields']) ? network['fields'] : {};
    const extended = Array.isArray(network['extended']) ? network['extended'] : [];
    const added = [...found.fields.values()].filter(
      ({ path, type }) => !Object.hasOwn(fields, path) && isMappedType(type),
    );
    const entries = descriptionsOf(found, extended);
    written = {
      declared: added.map(({ path }) => path),
      described: entries.map(({ fieldName }) => fieldName),
    };
    if (added.length + entries.length === 0) return null;
    const types = Object.fromEntries(added.map(({ path, type }) => [path, type]));
    const next: JsonObject = {
      ...network,
      ...(added.length > 0 && { fields: { ...fields, ...types } }),
      ...(entries.length > 0 && { extended: [...extended, ...(entries as unknown as JsonValue[])] }),
    };
    // a missing network part is added at the front, as in the documentation
    return { ...('network' in content ? content : { network: {}, ...content }), network: next };
  });
  return written;
};

/** The entries of fields that the file does not describe. */
const descriptionsOf = (
  { fields, configs }: { readonly fields: Fields; readonly configs: PortalConfigs },
  listed: readonly JsonValue[],
) => {
  const known = new Set(listed.map((entry) => (isJsonObject(entry) ? entry['fieldName'] : null)));
  const configured = new Map(configs.extended.map((entry) => [entry.fieldName, entry]));
  return extendedConfig(fields, configs)
    .filter(({ fieldName }) => !known.has(fieldName))
    .map(({ fieldName, displayName }) => {
      // what the network finds out is not for its file
      const { sortable: _, ...entry } = configured.get(fieldName) ?? { fieldName };
      return { ...entry, fieldName, displayName };
    });
};
