import { TributaryError } from '../../../errors/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/json.ts';

/**
 * Merges the properties of several indexes into one mapping.
 * @throws TributaryError mapping_fetch_error when a field has different types, naming it and the indexes
 */
export const mergeMappings = (byIndex: ReadonlyMap<string, JsonObject>): JsonObject => {
  const merged: Record<string, Merged> = {};
  for (const [index, properties] of byIndex) mergeInto(merged, properties, index, '');
  return unwrapped(merged);
};

/** A field as seen so far: the first index with it, its definition, and its children. */
interface Merged {
  readonly index: string;
  readonly definition: JsonObject;
  readonly below: Record<string, Merged> | null;
}

const mergeInto = (
  merged: Record<string, Merged>,
  properties: JsonObject,
  index: string,
  parent: string,
): void => {
  for (const [name, definition] of Object.entries(properties)) {
    if (!isJsonObject(definition)) continue;
    const path = parent === '' ? name : `${parent}.${name}`;
    const known = Object.hasOwn(merged, name) ? merged[name] : undefined;
    const below = definition['properties'];
    if (known !== undefined) rejectConflict(known, definition, index, path);
    const entry = known ?? { index, definition, below: isJsonObject(below) ? {} : null };
    merged[name] = isJsonObject(below) && entry.below === null ? { ...entry, below: {} } : entry;
    if (isJsonObject(below)) mergeInto(merged[name].below!, below, index, path);
  }
};

const typeOf = (definition: JsonObject): JsonValue => definition['type'] ?? 'object';

const rejectConflict = (known: Merged, definition: JsonObject, index: string, path: string): void => {
  const before = typeOf(known.definition);
  const now = typeOf(definition);
  if (before === now) return;
  throw new TributaryError(
    'mapping_fetch_error',
    `field ${path} is ${String(before)} in index ${known.index} and ${String(now)} in index ${index}; map it alike, or leave one index out of the alias`,
    { details: { field: path, indexes: [known.index, index], types: [before, now] } },
  );
};

const unwrapped = (merged: Record<string, Merged>): JsonObject =>
  Object.fromEntries(
    Object.entries(merged).map(([name, { definition, below }]) => [
      name,
      below === null ? definition : { ...definition, properties: unwrapped(below) },
    ]),
  );
