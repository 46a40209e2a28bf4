import type { Engine, Hit, IndexDescription } from '../engines/engine.ts';
import { propertiesOf } from '../introspection/mapping/mapping.ts';
import { all } from '../sqon/filter.ts';
import { TributaryError } from '../lib/errors/errors.ts';
import type { JsonObject } from '../lib/json/json.ts';
import { excludesOf } from '../engines/semantics/source-filter.ts';
import { isDynamic } from './mapping-body.ts';

/** Where an import writes, and how to finish or undo it. */
export interface IndexTarget {
  /** The index written to. */
  readonly index: string;
  /** Its mapping's properties before the first document. */
  readonly properties: JsonObject;
  /** Whether unmapped fields of documents are added. */
  readonly dynamic: boolean;
  readonly created: boolean;
  /** Makes the loaded documents visible under the target's names. */
  finish(): Promise<void>;
  /** Undoes what `openTarget` created, if nothing was loaded. */
  abandon(): Promise<void>;
}

export interface TargetRequest {
  /** The index or alias to hold the documents. */
  readonly name: string;
  readonly aliases: readonly string[];
  /** The mapping to create the index with, or to add to an existing one. */
  readonly mapping: JsonObject;
  /** The settings to create the index with; an existing one keeps its own. */
  readonly settings?: JsonObject | undefined;
  readonly existing: IndexDescription | null;
  readonly replace: boolean;
  /** Called with the indexes to be created or finally deleted, before either happens. */
  readonly willFill?: ((indexes: readonly string[]) => void) | undefined;
}

/** The index with a name; null if there is none. */
export const describeIfThere = async (engine: Engine, name: string): Promise<IndexDescription | null> => {
  try {
    return await engine.describe(name);
  } catch (error) {
    if (error instanceof TributaryError && error.code === 'index_not_found') return null;
    throw error;
  }
};

/**
 * To be called before anything is written: aliases are added after all documents.
 * @throws TributaryError CONFLICT an alias that is the name of an index
 */
export const assertAliases = async (engine: Engine, aliases: readonly string[]): Promise<void> => {
  for (const alias of aliases)
    if ((await describeIfThere(engine, alias))?.indices.includes(alias) === true)
      throw new TributaryError('CONFLICT', `${alias} cannot be an alias: it is the name of an index`);
};

/** An index with some of its documents. */
export interface ExistingIndex extends IndexDescription {
  /** The name with which it was found. */
  readonly name: string;
  readonly sample: readonly Hit[];
}

const sampled = 20;

/** The index with a name and some of its documents; null if there is none. */
export const existingIndex = async (engine: Engine, name: string): Promise<ExistingIndex | null> => {
  const found = await describeIfThere(engine, name);
  if (found === null || found.documents === 0) return found && { ...found, name, sample: [] };
  const hits = {
    filter: all,
    size: sampled,
    offset: 0,
    sort: [],
    searchAfter: null,
    source: null,
    trackTotal: false,
  };
  const result = await engine.search(name, { hits, facets: [] });
  return { ...found, name, sample: result.hits?.hits ?? [] };
};

/**
 * Prepares the index: creates it with the mapping, or extends its mapping. With `replace`, a new index is filled while
 * the old one stays in use until the new one is complete.
 * @throws TributaryError CONFLICT the mapping changes the type of an existing field
 */
export const openTarget = async (engine: Engine, request: TargetRequest): Promise<IndexTarget> => {
  if (request.existing === null) return createTarget(engine, request, request.name);
  if (request.replace) return replaceTarget(engine, request, request.existing);
  return extendTarget(engine, request, request.existing);
};

const createTarget = async (engine: Engine, request: TargetRequest, index: string): Promise<IndexTarget> => {
  const { mapping, settings } = request;
  const replaced = request.existing?.indices.filter((old) => isReplacement(old, request.name)) ?? [];
  request.willFill?.([index, ...replaced]);
  try {
    await engine.manage({ kind: 'create', index, mapping, ...(settings && { settings }) });
  } catch (error) {
    if (!(error instanceof TributaryError) || error.code !== 'CONFLICT') throw error;
    throw new TributaryError(
      'CONFLICT',
      `another process has just created ${index} and may still be filling it: wait until it is done, then load again (${error.message})`,
      { cause: error },
    );
  }
  return {
    index,
    properties: propertiesOf(mapping),
    dynamic: isDynamic(mapping),
    created: true,
    finish: () => addAliases(engine, request.aliases, index),
    abandon: () => engine.manage({ kind: 'delete', index }),
  };
};

/**
 * An existing index cannot start to hold back values that it does not hold back yet.
 * @throws TributaryError CONFLICT the mapping's `_source.excludes` names more than the index's own
 */
export const assertHeldBack = (mapping: JsonObject, { dynamicRules = {} }: IndexDescription): void => {
  const held = excludesOf(dynamicRules);
  const more = excludesOf(mapping).filter((path) => !held.includes(path));
  if (more.length > 0)
    throw new TributaryError(
      'CONFLICT',
      `_source.excludes of the mapping names ${more.join(', ')}, which the existing index shows: load with --replace`,
    );
};

const extendTarget = async (
  engine: Engine,
  request: TargetRequest,
  existing: IndexDescription,
): Promise<IndexTarget> => {
  const [index, second] = existing.indices;
  if (index === undefined || second !== undefined) {
    const behind = existing.indices.join(', ');
    throw new TributaryError(
      'CONFLICT',
      `${request.name} is an alias of several indexes (${behind}): name one of them`,
    );
  }
  assertHeldBack(request.mapping, existing);
  const added = propertiesOf(request.mapping);
  if (Object.keys(added).length > 0) await engine.manage({ kind: 'extend', index, properties: added });
  const { properties } = await engine.describe(index);
  return {
    index,
    properties,
    // The existing index's setting applies: extending only adds fields.
    dynamic: isDynamic(existing.dynamic === undefined ? request.mapping : { dynamic: existing.dynamic }),
    created: false,
    finish: () => addAliases(engine, request.aliases, index),
    abandon: () => Promise.resolve(),
  };
};

const replaceTarget = async (
  engine: Engine,
  request: TargetRequest,
  existing: IndexDescription,
): Promise<IndexTarget> => {
  const target = await createTarget(engine, request, replacementName(request.name));
  const finish = async (): Promise<void> => {
    try {
      await takeName(engine, request.name, target.index, existing);
    } catch (error) {
      if (error instanceof TributaryError && error.code === 'CONFLICT') await target.abandon();
      throw error;
    }
    await target.finish();
  };
  return { ...target, finish };
};

/** The name of an index that is filled to replace the one called `name`. */
export const replacementName = (name: string): string => `${name}_${timestamp(new Date())}`;

/**
 * Moves `name`, and the other aliases of the previous index, to `index`.
 * @param existing the index that has had the name; null if there is none
 */
export const takeName = async (
  engine: Engine,
  name: string,
  index: string,
  existing: IndexDescription | null,
): Promise<void> => {
  await rejectOvertaken(engine, name, existing);
  if (existing === null) return engine.manage({ kind: 'alias', alias: name, indices: [index] });
  const others = existing.aliases.filter((alias) => alias !== name);
  const behind = new Map<string, readonly string[]>();
  for (const alias of others) behind.set(alias, (await engine.describe(alias)).indices);
  const replacesIndex = existing.indices.includes(name);
  await engine.manage({ kind: 'alias', alias: name, indices: [index], replacesIndex });
  for (const [alias, before] of behind) {
    const kept = before.filter((one) => !existing.indices.includes(one));
    await engine.manage({ kind: 'alias', alias, indices: [...kept, index] });
  }
  for (const old of existing.indices)
    if (old !== index && isReplacement(old, name)) await engine.manage({ kind: 'delete', index: old });
};

/** The first of two concurrent replacements to complete wins. */
const rejectOvertaken = async (
  engine: Engine,
  name: string,
  existing: IndexDescription | null,
): Promise<void> => {
  const behind = (description: IndexDescription | null): string =>
    JSON.stringify([...(description?.indices ?? [])].sort());
  if (behind(await describeIfThere(engine, name)) !== behind(existing))
    throw new TributaryError(
      'CONFLICT',
      `another process replaced ${name} in the meantime, and its documents are kept: load again to replace them`,
    );
};

/** Only deletes indexes of an earlier replacement; others under the same alias may be in use elsewhere. */
export const isReplacement = (index: string, name: string): boolean =>
  index.startsWith(`${name}_`) && /^\d{17}$/.test(index.slice(name.length + 1));

/** yyyyMMddHHmmssSSS, in UTC. */
const timestamp = (now: Date): string => now.toISOString().replace(/\D/g, '');

/** Adds the index to each alias, which keeps its other indexes. */
const addAliases = async (engine: Engine, aliases: readonly string[], index: string): Promise<void> => {
  for (const alias of aliases) {
    const before = await describeIfThere(engine, alias);
    const indices = [...new Set([...(before?.indices ?? []), index])];
    await engine.manage({ kind: 'alias', alias, indices });
  }
};
