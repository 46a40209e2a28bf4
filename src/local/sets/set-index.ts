import type { Engine } from '../../engines/engine.ts';
import { asTributaryError, TributaryError } from '../../lib/errors/errors.ts';
import { noSwitches, type CatalogueConfig } from '../../introspection/fields/catalogue-config.ts';
import type { Fields } from '../../introspection/fields/field.ts';
import { readFields } from '../../introspection/mapping/mapping.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { MISSING, leaf, type Sqon } from '../../sqon/ast.ts';
import { exactly } from '../../search/count.ts';
import type { SearchFn } from '../../search/query.ts';
import type { RequestContext } from '../../search/request-context.ts';

/**
 * The mapping of sets. The filter is stored but not indexed: its values may be texts in one set and numbers in the
 * next. `catalogueId`, `access`, `bytes`, `owner` and `sharedWith` are specific to this server: sets written by another
 * server lack them.
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
  owner: { type: 'keyword' },
  sharedWith: { type: 'keyword' },
};

/** The fields of a saved set. */
export const setFields: Fields = readFields(setProperties, { arrays: new Set(['ids', 'sharedWith']) }).fields;

/** The sets as a catalogue, for searching them. */
export const setsConfig = (index: string): CatalogueConfig => ({
  catalogueId: 'sets',
  documentType: 'sets',
  esIndex: index,
  nestingPrefix: null,
  maxAliases: 0,
  maxDepth: 0,
  disableGraphQLIntrospection: false,
  extended: [{ fieldName: 'ids', isArray: true }],
  table: { columns: null, defaultSorting: [], maxResultsWindow: 10_000, rowIdFieldName: 'setId' },
  facets: null,
  matchbox: [],
  charts: {},
  downloads: { allowCustomMaxRows: false, maxRows: null, rowCap: null },
  downloadBufferRows: 200,
  switches: noSwitches,
  setsIndex: index,
  folder: '',
  files: [],
  problems: [],
});

/**
 * Creates the index if it does not exist, and maps the sizes and owners of the sets if the established server created it.
 * @returns whether sets may have owners: by an unmapped field they would not be found
 * @throws TributaryError the engine's error
 */
export const ensureSetIndex = async (engine: Engine, index: string): Promise<boolean> => {
  const described = await engine.describe(index).catch((error: unknown) => {
    if (asTributaryError(error).code !== 'index_not_found') throw error;
    return null;
  });
  if (described !== null) {
    const { bytes, owner, sharedWith } = setProperties;
    const missing = Object.entries({ bytes, owner, sharedWith }).filter(
      ([name]) => !(name in described.properties),
    );
    return missing.length === 0 || extend(engine, index, Object.fromEntries(missing) as JsonObject);
  }
  await engine
    .manage({ kind: 'create', index, mapping: { dynamic: false, properties: setProperties } })
    .catch((error: unknown) => {
      // another node of the same cluster was faster
      if (asTributaryError(error).code !== 'CONFLICT') throw error;
    });
  return true;
};

/**
 * Without permission to extend the mapping, the byte limits do not count existing sets; the limits in numbers do.
 * @returns whether it was extended
 */
const extend = async (engine: Engine, index: string, properties: JsonObject): Promise<boolean> => {
  try {
    await engine.manage({ kind: 'extend', index, properties });
    return true;
  } catch (error) {
    if (asTributaryError(error).code !== 'permission_denied') throw error;
    return false;
  }
};

/** The limits of one index of sets. */
export interface SetBounds {
  /** Per owner; sets of unverified callers per userId, and those without one as if of a single user. */
  readonly perUser: SetAmount;
  readonly all: SetAmount;
}

export interface SetAmount {
  readonly sets: number;
  /** Size of the sets as JSON. */
  readonly bytes: number;
}

const mebibyte = 1024 * 1024;

/** Far more than people save, so that programs that save without end are told before the index outgrows the records. */
export const setBounds: SetBounds = {
  perUser: { sets: 10_000, bytes: 256 * mebibyte },
  all: { sets: 100_000, bytes: 1_024 * mebibyte },
};

/**
 * Checks that one more set fits.
 * @param search searches all sets of the index
 * @throws TributaryError CONFLICT naming the bound it would exceed; whatever the search throws
 */
export const rejectBeyond = async (
  bounds: SetBounds,
  set: { readonly owner: string | null; readonly userId: string | null; readonly bytes: number },
  search: SearchFn,
  context: RequestContext,
): Promise<void> => {
  const [field, user, whose] =
    set.owner === null
      ? [
          'userId',
          set.userId,
          set.userId === null ? 'without a userId' : `of userId ${JSON.stringify(set.userId)}`,
        ]
      : ['owner', set.owner, 'of yours'];
  const ownedBy = leaf('in', field, [user ?? MISSING]);
  const exact = user === null ? ownedBy : { ...ownedBy, exactFrom: 0 };
  rejectOver(bounds.perUser, set.bytes, await amountOf(exact, search, context), `sets ${whose}`);
  rejectOver(bounds.all, set.bytes, await amountOf(null, search, context), 'saved sets of this server');
};

const amountOf = async (
  filters: Sqon | null,
  search: SearchFn,
  context: RequestContext,
): Promise<SetAmount> => {
  const { total, facets } = await search(
    {
      filters,
      filterThemselves: true,
      includeMissing: false,
      facets: [{ field: 'bytes', measure: { kind: 'stats' } }],
      hits: { first: 0, offset: 0, sort: [], searchAfter: null, trackTotal: true, fields: [] },
    },
    // counts all sets, without the caller's access filter and allowance
    context.unrestricted(),
  );
  const [stats] = facets;
  return { sets: exactly(total) ?? 0, bytes: stats?.kind === 'stats' ? (stats.sum ?? 0) : 0 };
};

const rejectOver = (most: SetAmount, addedBytes: number, stored: SetAmount, which: string): void => {
  const refused = (unit: keyof SetAmount, wanted: string): TributaryError =>
    new TributaryError(
      'CONFLICT',
      `the ${which} would be ${wanted}; the maximum is ${most[unit]}: delete older ones first`,
      { details: { accepted: most[unit], held: stored[unit] } },
    );
  if (stored.sets + 1 > most.sets) throw refused('sets', `${stored.sets + 1}`);
  if (stored.bytes + addedBytes > most.bytes) throw refused('bytes', `${stored.bytes + addedBytes} bytes`);
};
