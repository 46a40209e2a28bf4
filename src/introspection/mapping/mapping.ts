import { hash } from 'node:crypto';
import { TributaryError } from '../../lib/errors/errors.ts';
import { isJsonObject, type JsonObject } from '../../lib/json/json.ts';
import type { CatalogueConfig } from '../fields/catalogue-config.ts';
import type { Field, FieldKind, Fields } from '../fields/field.ts';
import { constantOf } from '../terms/term-forms.ts';
import { flattenedKey, hasOwnValues, kindOf, withoutOrigin } from '../fields/field.ts';

export interface ReadFieldsOptions {
  /** The part of each stored document under this dotted path is the document. */
  readonly nestingPrefix?: string | null;
  /** Paths that hold lists, as clients write them. */
  readonly arrays?: ReadonlySet<string>;
  /** Paths that a catalogue names: keys of flattened fields among them are fields too. */
  readonly named?: readonly string[];
}

/**
 * The fields of a mapping's `properties`, in order, with objects and nested ones before their contents. Multi-fields
 * (`name.keyword`) and aliases are fields that no document holds. Unsupported ones (geo types, binary, ...) are omitted with a warning that names path and type, so that no unusual field fails a catalogue.
 * A document's origin is not a field.
 * @throws TributaryError nesting_prefix_not_found when the nestingPrefix is not an object of the mapping
 */
export const readFields = (
  properties: JsonObject,
  options: ReadFieldsOptions = {},
): { fields: Fields; warnings: string[] } => {
  const prefix = options.nestingPrefix ?? null;
  const reading: Reading = {
    fields: new Map(),
    warnings: [],
    aliases: [],
    arrays: options.arrays ?? new Set(),
    prefix: prefix === null || prefix === '' ? '' : `${prefix}.`,
  };
  const root = reading.prefix === '' ? withoutOrigin(properties) : propertiesUnder(properties, prefix!);
  readProperties(reading, root, '', []);
  for (const alias of reading.aliases) readAlias(reading, alias);
  for (const path of options.named ?? []) {
    const key = reading.fields.has(path) ? undefined : flattenedKey(reading.fields, path);
    if (key !== undefined) reading.fields.set(path, { ...key, isArray: reading.arrays.has(path) });
  }
  return { fields: reading.fields, warnings: reading.warnings };
};

/** As readFields for a catalogue, whose files say which fields hold lists, and name keys of flattened ones. */
export const catalogueFields = (
  properties: JsonObject,
  { nestingPrefix, extended, facets, table }: FieldNaming,
): ReturnType<typeof readFields> =>
  readFields(properties, {
    nestingPrefix,
    arrays: new Set(
      extended.flatMap(({ fieldName, isArray }) =>
        isArray === true ? [fieldName, fieldName.replaceAll('__', '.')] : [],
      ),
    ),
    named: [...extended, ...(facets ?? []), ...(table.columns ?? [])].map(({ fieldName }) =>
      fieldName.replaceAll('__', '.'),
    ),
  });

type FieldNaming = Pick<CatalogueConfig, 'nestingPrefix' | 'extended' | 'facets' | 'table'>;

/** The `properties` of a mapping or of one of its objects; empty if there are none. */
export const propertiesOf = (mapping: JsonObject): JsonObject =>
  isJsonObject(mapping['properties']) ? mapping['properties'] : {};

export interface MappedField {
  readonly path: string;
  readonly definition: JsonObject;
}

/**
 * Every field of a mapping's properties, objects before their fields.
 * @param withFurther whether further indexings of a field's values are included
 */
export const mappedFields = (
  properties: JsonObject,
  withFurther = false,
  parent = '',
): readonly MappedField[] =>
  Object.entries(properties).flatMap(([name, definition]): readonly MappedField[] => {
    const path = parent === '' ? name : `${parent}.${name}`;
    if (!isJsonObject(definition)) return [{ path, definition: { type: String(definition) } }];
    const inner = [definition['properties'], withFurther ? definition['fields'] : null].filter(isJsonObject);
    return [
      { path, definition },
      ...inner.flatMap((properties) => mappedFields(properties, withFurther, path)),
    ];
  });

interface Reading {
  readonly fields: Map<string, Field>;
  readonly warnings: string[];
  /** Read last: a target may be mapped after its alias. */
  readonly aliases: {
    readonly path: string;
    readonly target: string;
    readonly nestedIn: readonly string[];
  }[];
  readonly arrays: ReadonlySet<string>;
  /** Including its trailing dot, or "". */
  readonly prefix: string;
}

const propertiesUnder = (properties: JsonObject, prefix: string): JsonObject => {
  let level = properties;
  for (const segment of prefix.split('.')) {
    const definition = Object.hasOwn(level, segment) ? level[segment] : undefined;
    const below =
      isJsonObject(definition) && definition.type !== 'nested' ? definition.properties : undefined;
    if (!isJsonObject(below)) {
      throw new TributaryError(
        'nesting_prefix_not_found',
        `nestingPrefix "${prefix}" is not an object of the index's mapping ("${segment}" is not); set it to one that is, or remove it`,
        { details: { nestingPrefix: prefix } },
      );
    }
    level = below;
  }
  return level;
};

/** Reads one level. @returns the number of fields found */
const readProperties = (
  reading: Reading,
  properties: JsonObject,
  parent: string,
  nestedIn: readonly string[],
): number => {
  let served = 0;
  for (const [name, definition] of Object.entries(properties)) {
    const path = parent === '' ? name : `${parent}.${name}`;
    const type = typeOf(definition);
    if (type === 'alias' && isJsonObject(definition)) {
      reading.aliases.push({ path, target: String(definition.path), nestedIn });
      continue;
    }
    const refusal = refusalOf(name, type);
    if (refusal !== null) {
      reading.warnings.push(`field "${path}" of type ${type} is left out: ${refusal}`);
      continue;
    }
    readField(reading, path, type, isJsonObject(definition) ? definition : {}, nestedIn);
    served += 1;
  }
  return served;
};

const typeOf = (definition: unknown): string => {
  if (!isJsonObject(definition)) return 'unknown';
  if (typeof definition.type === 'string') return definition.type;
  return isJsonObject(definition.properties) || definition.enabled !== undefined ? 'object' : 'unknown';
};

/** Types whose values are shown as stored and cannot be queried. */
const opaqueTypes: ReadonlySet<string> = new Set(['object', 'nested']);

const refusalOf = (name: string, type: string): string | null => {
  if (name.includes('.')) return 'a name with a dot reads as a path; map it as an object';
  if (name.trim() === '') return 'it has no name';
  if (kindOf(type) === 'json' && !opaqueTypes.has(type)) return 'this type is not supported';
  return null;
};

const readField = (
  reading: Reading,
  path: string,
  type: string,
  definition: JsonObject,
  nestedIn: readonly string[],
): void => {
  const field = fieldOf(reading, path, type, kindOf(type), definition, nestedIn);
  reading.fields.set(path, field);
  readMultiFields(reading, field, definition);
  if (field.kind !== 'object' && field.kind !== 'nested') return;
  const below =
    isJsonObject(definition.properties) && definition.enabled !== false ? definition.properties : {};
  const nestedBelow = field.kind === 'nested' ? [...nestedIn, path] : nestedIn;
  // an object without any known part can only be shown whole
  if (readProperties(reading, below, path, nestedBelow) === 0)
    reading.fields.set(path, { ...field, kind: 'json' });
};

/** Other ways in which the values of a field are indexed. */
const readMultiFields = (
  reading: Reading,
  { path, isArray, nestedIn }: Field,
  definition: JsonObject,
): void => {
  if (!isJsonObject(definition.fields)) return;
  for (const [name, inner] of Object.entries(definition.fields)) {
    const type = typeOf(inner);
    if (!hasOwnValues(kindOf(type)) || !isJsonObject(inner) || refusalOf(name, type) !== null) continue;
    const subField = fieldOf(reading, `${path}.${name}`, type, kindOf(type), inner, nestedIn);
    const indexField = { ...subField.indexField, storedAt: `${reading.prefix}${path}` };
    reading.fields.set(subField.path, { ...subField, isArray, storedAt: path, indexField });
  }
};

const readAlias = (reading: Reading, { path, target, nestedIn }: Reading['aliases'][number]): void => {
  const targetPath = target.startsWith(reading.prefix) ? target.slice(reading.prefix.length) : target;
  const field = reading.fields.get(targetPath);
  if (field !== undefined && hasOwnValues(field.kind) && field.nestedIn.join() === nestedIn.join())
    reading.fields.set(path, { ...field, path, storedAt: field.storedAt ?? targetPath });
  else
    reading.warnings.push(
      `field "${path}" of type alias is left out: its target "${target}" is not a field with values beside it`,
    );
};

const fieldOf = (
  reading: Reading,
  path: string,
  type: string,
  kind: FieldKind,
  definition: JsonObject,
  nestedIn: readonly string[],
): Field => {
  const constant = constantOf(definition);
  return {
    path,
    type,
    kind,
    nestedIn,
    isArray: reading.arrays.has(path),
    indexField: {
      path: `${reading.prefix}${path}`,
      type,
      nestedIn: reading.prefix === '' ? nestedIn : nestedIn.map((nested) => `${reading.prefix}${nested}`),
      ...(typeof definition.normalizer === 'string' && { normalized: true }),
      ...(constant !== undefined && { constant }),
    },
    ...(kind === 'date' && typeof definition.format === 'string' ? { format: definition.format } : {}),
    ...metaOf(definition),
    ...(type === 'scaled_float' && { scalingFactor: Number(definition['scaling_factor'] ?? 1) }),
  };
};

const metaOf = ({ meta }: JsonObject): Pick<Field, 'meta'> => {
  if (!isJsonObject(meta)) return {};
  const { description, unit } = meta;
  const texts = {
    ...(typeof description === 'string' && description !== '' && { description }),
    ...(typeof unit === 'string' && unit !== '' && { unit }),
  };
  return Object.keys(texts).length === 0 ? {} : { meta: texts };
};

/** Identifies what can be queried in a catalogue: equal fingerprints, equal fields. 32 hexadecimal digits. */
export const fieldsFingerprint = (fields: Fields): string => {
  const known = fingerprints.get(fields);
  if (known !== undefined) return known;
  const entries = [...fields.values()].map(({ path, type, isArray, format = null, hierarchy }) => [
    path,
    type,
    isArray,
    format,
    ...(hierarchy === undefined ? [] : [hierarchy.fingerprint]),
  ]);
  // the key order of a mapping is irrelevant
  entries.sort(([left], [right]) => (String(left) < String(right) ? -1 : 1));
  const made = hash('sha256', JSON.stringify(entries)).slice(0, 32);
  fingerprints.set(fields, made);
  return made;
};

/** Sent with every answer. Entries live as long as their fields; fields changed in place would make one wrong. */
const fingerprints = new WeakMap<Fields, string>();
