import type { Engine } from '../../engines/engine.ts';
import { TributaryError } from '../../errors/errors.ts';
import { growth } from '../../introspection/mapping/infer.ts';
import { originField, originProperties } from '../../introspection/fields/field.ts';
import type { JsonObject } from '../../json/json.ts';
import type { IndexTarget } from '../index-target.ts';
import { describeIfThere, openTarget } from '../index-target.ts';
import { mappingCovers, mappingType, mergeProperties } from '../mapping-body.ts';
import type { KeyedLock } from '../../concurrency/keyed-lock.ts';

/** An index whose mapping grows with the documents written to it. */
export interface DynamicIndex {
  /**
   * Creates the index, or extends its mapping if it is dynamic, so that it covers these documents.
   * @returns the index name, alias resolved
   * @throws TributaryError CONFLICT the mapping cannot be extended that way; errors of the engine
   */
  ready(documents: readonly JsonObject[]): Promise<string>;
}

export interface DynamicIndexParts {
  readonly engine: Engine;
  /** The index or alias. */
  readonly name: string;
  /** Keeps jobs that write to one index from changing its mapping concurrently. */
  readonly lock: KeyedLock;
  /** The already opened index; otherwise it is looked up, or created, with the first documents. */
  readonly opened?: OpenedIndex;
  /** Called when the mapping has changed. */
  readonly onGrown: () => void;
}

export type OpenedIndex = Pick<IndexTarget, 'index' | 'properties' | 'dynamic'>;

/** Attempts to extend a mapping that another process extends at the same time. */
const attempts = 3;

/** A dynamic index with that name. */
export const dynamicIndex = (parts: DynamicIndexParts): DynamicIndex => {
  const { engine, name, lock, onGrown } = parts;
  let opened = parts.opened;
  return {
    ready: async (documents) => {
      opened ??= await lock(name, () => again(() => openIndex(engine, name, documents, onGrown)));
      const { index, dynamic, properties } = opened;
      const unknown = dynamic ? documents.filter((document) => !mappingCovers(properties, document)) : [];
      if (unknown.length === 0 || growth(properties, ...unknown) === null) return index;
      const grown = await lock(name, () => again(() => grow(engine, index, unknown)));
      opened = { index, dynamic, properties: grown };
      onGrown();
      return index;
    },
  };
};

/** The properties that `originProperties` adds; {} for a mapping that has them. */
export const missingOrigin = (properties: JsonObject): JsonObject =>
  mappingType(properties, `${originField}.record`) === null ? originProperties : {};

const openIndex = async (
  engine: Engine,
  name: string,
  documents: readonly JsonObject[],
  onGrown: () => void,
): Promise<OpenedIndex> => {
  const existing = await describeIfThere(engine, name);
  const mapping =
    existing === null
      ? { dynamic: true, properties: { ...growth({}, ...documents), ...originProperties } }
      : { properties: missingOrigin(existing.properties) };
  const target = await openTarget(engine, { name, aliases: [], mapping, existing, replace: false });
  if (target.created) onGrown();
  return target;
};

/** Reads the mapping again, as others may have extended it since. @returns its properties now */
const grow = async (engine: Engine, index: string, documents: readonly JsonObject[]): Promise<JsonObject> => {
  const { properties } = await engine.describe(index);
  const added = growth(properties, ...documents);
  if (added === null) return properties;
  await engine.manage({ kind: 'extend', index, properties: added });
  return mergeProperties(properties, added);
};

/** Retries when another process was faster. */
const again = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const conflict = error instanceof TributaryError && error.code === 'CONFLICT';
      if (!conflict || attempt === attempts) throw error;
    }
  }
};
