import { indexSettings } from '../../engines/engine.ts';
import { invalidInput } from '../../lib/errors/errors.ts';
import { propertiesOf } from '../../introspection/mapping/mapping.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts';

/** The search server that a load would write to. */
export interface ServerTarget {
  readonly kind: 'elasticsearch' | 'opensearch' | 'detect';
  /** Settings of the index; the server's defaults apply to missing ones. */
  readonly settings?: JsonObject | undefined;
}

/** What search servers refuse but the embedded engine accepts, as far as it is known without a server. */
export interface ServerRefusals {
  /** @throws TributaryError INPUT_INVALID a mapping that no index of the server can have */
  assertMapping(properties: JsonObject): void;
  /** Why a document is refused, or null. */
  refusalOf(id: string, document: JsonObject, properties: JsonObject): string | null;
}

const maxKeyBytes = 512;

/** Names of a server's own fields. `_id` is not a field of documents here. */
const ownFields = [
  '_index',
  '_source',
  '_routing',
  '_field_names',
  '_ignored',
  '_nested_path',
  '_seq_no',
  '_version',
  '_doc_count',
  '_data_stream_timestamp',
  '_feature',
  '_primary_term',
];

/** The rules for a server; null: the embedded engine, which has no such rules. */
export const serverRefusals = (server: ServerTarget | null): ServerRefusals => {
  if (server === null) return { assertMapping: () => undefined, refusalOf: () => null };
  const limitOf = limitsIn(server.settings ?? {});
  const limits = [
    ['fields', 'total_fields', 1_000],
    ['levels of objects', 'depth', 20],
    ['nested fields', 'nested_fields', server.kind === 'elasticsearch' ? 100 : 50],
  ] as const;
  const nestedObjects = limitOf('nested_objects', 10_000);
  return {
    assertMapping: (properties) => {
      const own = ownFields.find((name) => Object.hasOwn(properties, name));
      if (own !== undefined)
        throw invalidInput(`a search server has a field ${own} of its own: rename it in the file`);
      const sizes = sizesOf(properties, 1);
      for (const [position, [what, name, usual]] of limits.entries()) {
        const [size, limit] = [sizes[position]!, limitOf(name, usual)];
        if (size > limit)
          throw invalidInput(
            `the mapping has ${String(size)} ${what}, and a search server takes ${String(limit)}: load fewer, or with --mapping and "settings": {"index.mapping.${name}.limit": ${String(size)}} in it`,
          );
      }
    },
    refusalOf: (id, document, properties) => {
      const bytes = Buffer.byteLength(id);
      if (bytes > maxKeyBytes)
        return `its key has ${String(bytes)} bytes, and a search server takes ${String(maxKeyBytes)}`;
      if (hasEmptyName(document)) return 'a field has an empty name';
      const nested = nestedIn(document, properties);
      return nested > nestedObjects
        ? `it has ${String(nested)} nested objects, and a search server takes ${String(nestedObjects)}`
        : null;
    },
  };
};

/** The limits under `mapping` in an index's settings, by name. */
const limitsIn = (settings: JsonObject): ((name: string, usual: number) => number) => {
  const flat = new Map<string, JsonValue | undefined>();
  const walk = (object: JsonObject, prefix: string): void => {
    for (const [name, value] of Object.entries(object))
      if (isJsonObject(value)) walk(value, `${prefix}${name}.`);
      else flat.set(prefix + name, value);
  };
  walk(indexSettings(settings), '');
  return (name, usual) => Number(flat.get(`mapping.${name}.limit`) ?? usual);
};

type Sizes = readonly [fields: number, levels: number, nested: number];

/** The size of a mapping as servers count it: objects and multi-fields are fields, an object below another is a level. */
const sizesOf = (properties: JsonObject, level: number): Sizes =>
  Object.values(properties).reduce<Sizes>(
    ([fields, levels, nested], definition) => {
      if (!isJsonObject(definition)) return [fields, levels, nested];
      const isObject = isJsonObject(definition['properties']);
      const below = isObject ? sizesOf(propertiesOf(definition), level + 1) : ([0, level, 0] as const);
      const more = isJsonObject(definition['fields']) ? Object.keys(definition['fields']).length : 0;
      const own = definition['type'] === 'nested' ? 1 : 0;
      return [fields + 1 + more + below[0], Math.max(levels, below[1]), nested + own + below[2]];
    },
    [0, level, 0],
  );

const hasEmptyName = (value: JsonValue | undefined): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, '') || Object.values(value as JsonObject).some(hasEmptyName));

/** The objects in nested fields, on all levels. */
const nestedIn = (document: JsonObject, properties: JsonObject): number => {
  let count = 0;
  for (const [name, definition] of Object.entries(properties)) {
    if (!isJsonObject(definition) || !isJsonObject(definition['properties'])) continue;
    const value = Object.hasOwn(document, name) ? document[name] : undefined;
    const objects = (Array.isArray(value) ? (value as readonly JsonValue[]).flat(5) : [value]).filter(
      isJsonObject,
    );
    if (definition['type'] === 'nested') count += objects.length;
    for (const object of objects) count += nestedIn(object, propertiesOf(definition));
  }
  return count;
};
