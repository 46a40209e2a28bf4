import type { Engine } from '../../engines/engine.ts';
import { asTributaryError } from '../../errors/errors.ts';
import { noSwitches, type CatalogueConfig } from '../../introspection/fields/catalogue-config.ts';
import type { Fields } from '../../introspection/fields/field.ts';
import { readFields } from '../../introspection/mapping/mapping.ts';
import type { JsonObject } from '../../json/json.ts';

/**
 * The mapping of sets. The filter is stored but not indexed: its values may be texts in one set and numbers in the
 * next. `catalogueId`, `access` and `bytes` are specific to this server: sets written by another server lack them.
 */
export const setProperties: JsonObject = {
  setId: { type: 'keyword' },
  createdAt: { type: 'date' },
  ids: { type: 'keyword' },
  type: { type: 'keyword' },
  path: { type: 'keyword' },
  sqon: { type: 'object', enabled: false },
  userId: { type: 'keyword' },
  size: { type: 'long' },
  catalogueId: { type: 'keyword' },
  access: { type: 'keyword' },
  bytes: { type: 'long' },
};

/** The fields of a saved set. */
export const setFields: Fields = readFields(setProperties, { arrays: new Set(['ids']) }).fields;

/** The sets as a catalogue, for searching them. */
export const setsConfig = (index: string): CatalogueConfig => ({
  catalogueId: 'sets',
  documentType: 'sets',
  esIndex: index,
  nestingPrefix: null,
  maxAliases: 0,
  maxDepth: 0,
  disableGraphQLIntrospection: false,
  enableAdmin: false,
  extended: [{ fieldName: 'ids', isArray: true }],
  table: { columns: null, defaultSorting: [], maxResultsWindow: 10_000, rowIdFieldName: 'setId' },
  facets: null,
  matchbox: [],
  charts: {},
  downloads: { allowCustomMaxRows: false, maxRows: null },
  downloadBufferRows: 200,
  switches: noSwitches,
  setsIndex: index,
  folder: '',
  problems: [],
});

/**
 * Creates the index if it does not exist, and maps the size of the sets if an older server created it.
 * @throws TributaryError the engine's error
 */
export const ensureSetIndex = async (engine: Engine, index: string): Promise<void> => {
  const found = await engine.describe(index).catch((error: unknown) => {
    if (asTributaryError(error).code !== 'index_not_found') throw error;
    return null;
  });
  if (found !== null) {
    const { bytes } = setProperties;
    if (!('bytes' in found.properties)) await extend(engine, index, { bytes });
    return;
  }
  await engine
    .manage({ kind: 'create', index, mapping: { dynamic: false, properties: setProperties } })
    .catch((error: unknown) => {
      // another node of the same cluster was faster
      if (asTributaryError(error).code !== 'CONFLICT') throw error;
    });
};

/** Without permission to extend the mapping, the byte limits do not count existing sets; the limits in numbers do. */
const extend = async (engine: Engine, index: string, properties: JsonObject): Promise<void> => {
  await engine.manage({ kind: 'extend', index, properties }).catch((error: unknown) => {
    if (asTributaryError(error).code !== 'permission_denied') throw error;
  });
};
