import type { Engine, IndexDescription } from '../engines/engine.ts';
import { TributaryError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import { isJsonObject } from '../json.ts';
import { isDynamic } from './mapping-body.ts';

/** Where an import writes, and what to do with it at the end. */
export interface IndexTarget {
  /** The index written to. */
  readonly index: string;
  /** Its mapping's properties as they are before the first document. */
  readonly properties: JsonObject;
  /** Whether fields of documents that are not mapped are added. */
  readonly dynamic: boolean;
  readonly created: boolean;
  /** Makes what was loaded the answer under its names. */
  finish(): Promise<void>;
  /** Undoes what `openTarget` made, when nothing was loaded. */
  abandon(): Promise<void>;
}

export interface TargetRequest {
  /** The index or alias that shall hold the documents. */
  readonly name: string;
  readonly aliases: readonly string[];
  /** The mapping to create with; for an index that exists, what to add to it. */
  readonly mapping: JsonObject;
  /** The settings to create with; an index that exists keeps its own. */
  readonly settings?: JsonObject | undefined;
  readonly existing: IndexDescription | null;
  readonly replace: boolean;
  /** Is told which indexes are to be made, or deleted at the end, before anything is. */
  readonly willFill?: ((indexes: readonly string[]) => void) | undefined;
}

/** What is there under a name; null when nothing is. */
export const describeIfThere = async (engine: Engine, name: string): Promise<IndexDescription | null> => {
  try {
    return await engine.describe(name);
  } catch (error) {
    if (error instanceof TributaryError && error.code === 'index_not_found') return null;
    throw error;
  }
};

/**
 * Makes the index ready: created with the mapping, or extended by it. With `replace` a new index is filled beside the
 * old one, which answers until the new one is complete.
 * @throws TributaryError CONFLICT the mapping changes the type of a field that is there
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
      `another process made ${index} just now and may still be filling it: wait until it is done, then load again (${error.message})`,
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

const extendTarget = async (
  engine: Engine,
  request: TargetRequest,
  existing: IndexDescription,
): Promise<IndexTarget> => {
  const [index, second] = existing.indices;
  if (index === undefined || second !== undefined) {
    const behind = existing.indices.join(', ');
    throw new TributaryError('CONFLICT', `${request.name} is an alias of several indexes (${behind}): name one of them`); // prettier-ignore
  }
  const added = propertiesOf(request.mapping);
  if (Object.keys(added).length > 0) await engine.manage({ kind: 'extend', index, properties: added });
  const { properties } = await engine.describe(index);
  return {
    index,
    properties,
    // The index's own setting counts: extending adds fields and changes nothing else.
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

/** The name of an index that is filled beside the one that answers to `name` until it takes its place. */
export const replacementName = (name: string): string => `${name}_${timestamp(new Date())}`;

/**
 * Makes `index` the answer to `name`, and to the other names of what answered before.
 * @param existing what answers to the name until then; null when nothing does
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

/** Of two replacements at once, the one that is complete first stays. */
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
      `another process has replaced ${name} meanwhile, and what it loaded stays: load again to replace that`,
    );
};

/** Only indexes an earlier replacement made are deleted; others under the same alias may have other users. */
export const isReplacement = (index: string, name: string): boolean =>
  index.startsWith(`${name}_`) && /^\d{17}$/.test(index.slice(name.length + 1));

/** yyyyMMddHHmmssSSS, in UTC. */
const timestamp = (now: Date): string => now.toISOString().replace(/\D/g, '');

/** Each alias names the index too, and goes on naming what it named before. */
export const addAliases = async (
  engine: Engine,
  aliases: readonly string[],
  index: string,
): Promise<void> => {
  for (const alias of aliases) {
    const before = await describeIfThere(engine, alias);
    const indices = [...new Set([...(before?.indices ?? []), index])];
    await engine.manage({ kind: 'alias', alias, indices });
  }
};

const propertiesOf = (mapping: JsonObject): JsonObject =>
  isJsonObject(mapping['properties']) ? mapping['properties'] : {};
