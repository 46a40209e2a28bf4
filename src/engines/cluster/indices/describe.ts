import { numberIn, objectIn, isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts';
import { isDeepStrictEqual } from 'node:util';
import { defaultDateFormat } from '../../../introspection/dates/dates.ts';
import { kindOf } from '../../../introspection/fields/field.ts';
import { TributaryError } from '../../../lib/errors/errors.ts';
import { mappedFields, propertiesOf } from '../../../introspection/mapping/mapping.ts';
import { constantOf } from '../../../introspection/terms/term-forms.ts';
import { indexSettings, type IndexDescription } from '../../engine.ts';
import { answerBody, type ClusterClient } from '../client/client.ts';
import { incarnationIn } from '../search/named-hits.ts';
import { windowOf } from '../search/deep-hits.ts';

export type Product = 'elasticsearch' | 'opensearch';

/** The description of an index, with further facts that searches need. */
export interface Described {
  readonly description: IndexDescription;
  readonly window: number;
  readonly incarnation: string;
  /** Why values of a field cannot be counted there, by its path. */
  readonly uncountable: ReadonlyMap<string, string>;
}

/**
 * Describes an index or alias.
 * @param detect fails unless the server is one of those supported
 * @throws TributaryError index_not_found, permission_denied, connection_error, mapping_fetch_error
 */
export const describeIndex = async (
  client: ClusterClient,
  index: string,
  detect: () => Promise<{ readonly product: Product }>,
): Promise<Described> => {
  try {
    const { product } = await detect();
    const path = `/${encodeURIComponent(index)}`;
    const [indexes, count] = await Promise.all([
      read(client, path, `the mapping of ${index}`),
      read(client, `${path}/_count`, `the number of documents of ${index}`),
    ]);
    return {
      description: description(index, indexes, numberIn(count, 'count'), product),
      window: windowOf(indexes),
      incarnation: incarnationIn(indexes),
      uncountable: uncountableFields(indexes, product === 'opensearch'),
    };
  } catch (error) {
    throw asMappingFailure(error);
  }
};

const read = (client: ClusterClient, path: string, what: string): Promise<JsonObject> =>
  answerBody(client, { method: 'GET', path }, { repeatable: true, what });

const description = (
  index: string,
  indexes: JsonObject,
  documents: number,
  product: Product,
): IndexDescription => {
  const described = Object.entries(indexes).filter((entry): entry is [string, JsonObject] =>
    isJsonObject(entry[1]),
  );
  if (described.length === 0)
    throw new TributaryError('index_not_found', `the search server has no index or alias ${index}`);
  const mappings = described.map(([name, body]) => [name, objectIn(body, 'mappings')] as const);
  const dynamic = new Set(mappings.map(([, mapping]) => mapping['dynamic']));
  const [set] = dynamic;
  const { properties, conflicts } = mergeMappings(
    new Map(mappings.map(([name, mapping]) => [name, objectIn(mapping, 'properties')])),
    product,
  );
  const warnings = [...conflicts, ...computedFields(mappings.map(([, mapping]) => mapping))];
  return {
    indices: described.map(([name]) => name),
    aliases: [...new Set(described.flatMap(([, body]) => Object.keys(objectIn(body, 'aliases'))))].filter(
      (alias) => alias !== index,
    ),
    properties,
    ...(warnings.length > 0 && { warnings }),
    ...settingsOf(described.map(([, body]) => body)),
    ...dynamicRulesOf(mappings.map(([, mapping]) => mapping)),
    ...(dynamic.size === 1 && (typeof set === 'string' || typeof set === 'boolean') && { dynamic: set }),
    documents,
  };
};

/** Fields for which some index keeps no values by document, which counting requires. */
const uncountableFields = (indexes: JsonObject, isOpenSearch: boolean): ReadonlyMap<string, string> => {
  const formats = new Map<string, string>();
  for (const index of Object.values(indexes).filter(isJsonObject))
    for (const { path, definition } of mappedFields(propertiesOf(objectIn(index, 'mappings')))) {
      const { type, doc_values: docValues } = definition;
      if (docValues === false) formats.set(path, 'its mapping has "doc_values": false');
      else if (isOpenSearch && type === 'wildcard' && docValues !== true)
        formats.set(path, 'this search server keeps none of a wildcard field without "doc_values": true');
      else if (type === 'flat_object')
        formats.set(path, 'this search server keeps no values of a flat_object by document');
    }
  return formats;
};

/** Warnings about fields that Elasticsearch calls runtime fields and OpenSearch derived ones. */
const computedFields = (mappings: readonly JsonObject[]): readonly string[] => {
  const computed = mappings.flatMap((mapping) => [
    ...Object.keys(objectIn(mapping, 'runtime')),
    ...Object.keys(objectIn(mapping, 'derived')),
  ]);
  return [...new Set(computed)].map(
    (path) =>
      `field "${path}" is left out: the search server computes it and no document holds it; map it as a field`,
  );
};

const settingsOf = (bodies: readonly JsonObject[]): { readonly settings?: JsonObject } => {
  const settings = shared(bodies.map((body) => indexSettings(objectIn(body, 'settings'))));
  return settings === null ? {} : { settings };
};

const dynamicRulesOf = (mappings: readonly JsonObject[]): { readonly dynamicRules?: JsonObject } => {
  const dynamicRules = shared(mappings.map(rulesIn));
  return dynamicRules === null ? {} : { dynamicRules };
};

const ruleNames = [
  '_source',
  'dynamic_templates',
  'dynamic_date_formats',
  'date_detection',
  'numeric_detection',
];

const rulesIn = (mapping: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(mapping).filter(([name]) => ruleNames.includes(name)));

/** The settings if all indexes share them; indexes with different settings have none in common. */
const shared = ([first, ...others]: readonly JsonObject[]): JsonObject | null =>
  Object.keys(first!).length > 0 && others.every((other) => isDeepStrictEqual(other, first)) ? first! : null;

/** Failures to read the mapping have their own error codes. */
const asMappingFailure = (error: unknown): unknown => {
  if (!(error instanceof TributaryError)) return error;
  const { code, message } = error;
  if (code === 'ENGINE_UNAVAILABLE' || code === 'ENGINE_TIMEOUT')
    return new TributaryError('connection_error', message, { cause: error });
  if (code === 'ENGINE_ERROR' || code === 'BAD_USER_INPUT')
    return new TributaryError('mapping_fetch_error', message, { cause: error });
  return error;
};

/** Merges the properties of several indexes into one mapping, without the fields that have different types in them. */
const mergeMappings = (
  byIndex: ReadonlyMap<string, JsonObject>,
  product: Product,
): { readonly properties: JsonObject; readonly conflicts: readonly string[] } => {
  const merged: Record<string, Merged> = {};
  const conflicts = new Map<string, string>();
  for (const [index, properties] of byIndex)
    mergeInto(merged, properties, { index, parent: '', conflicts, product });
  return { properties: unwrapped(merged), conflicts: [...conflicts.values()] };
};

/** The properties of a field's definition that map further fields. */
const parts = ['properties', 'fields'] as const;

/** A field as seen so far: the first index with it, its definition, and the fields that this maps. */
interface Merged {
  readonly index: string;
  readonly definition: JsonObject;
  readonly below: { [Part in (typeof parts)[number]]?: Record<string, Merged> };
  /** Another index has another type of it. */
  readonly isConflict?: true;
}

interface Merging {
  readonly index: string;
  readonly parent: string;
  readonly product: Product;
  /** Warnings by path. */
  readonly conflicts: Map<string, string>;
}

const mergeInto = (merged: Record<string, Merged>, properties: JsonObject, merging: Merging): void => {
  const { index, parent, conflicts, product } = merging;
  for (const [name, definition] of Object.entries(properties)) {
    if (!isJsonObject(definition)) continue;
    const path = parent === '' ? name : `${parent}.${name}`;
    const known = Object.hasOwn(merged, name) ? merged[name] : undefined;
    if (known !== undefined && typeOf(known.definition) !== typeOf(definition)) {
      if (!conflicts.has(path)) conflicts.set(path, conflict(path, known, definition, index));
      merged[name] = { ...known, isConflict: true };
      continue;
    }
    if (known !== undefined && constantOf(known.definition) !== constantOf(definition)) {
      // Elasticsearch distinguishes the indexes' constants, OpenSearch takes the indexes' names for them
      // said of the first two: behind them the definition has no value
      if (product === 'opensearch' && !conflicts.has(path))
        conflicts.set(path, constantConflict(path, known, definition, index));
      merged[name] = {
        ...known,
        definition: { type: 'constant_keyword' },
        ...(product === 'opensearch' && { isConflict: true }),
      };
      continue;
    }
    const entry: Merged =
      known === undefined
        ? { index, definition, below: {} }
        : { ...known, definition: withFormats(known.definition, definition) };
    if (known !== undefined && formatOfDigits(known.definition) !== formatOfDigits(definition))
      conflicts.set(
        path,
        `field "${path}" has dates in milliseconds in one index and in seconds in another: hits show the digits of both as those of index ${known.index}; map it identically in all indexes of the alias`,
      );
    merged[name] = entry;
    for (const part of parts) {
      const below = definition[part];
      if (isJsonObject(below)) mergeInto((entry.below[part] ??= {}), below, { ...merging, parent: path });
    }
  }
};

/** The format of a date's digits; undefined for other types and formats. */
const formatOfDigits = (definition: JsonObject): string | undefined =>
  kindOf(String(typeOf(definition))) === 'date'
    ? String(definition['format'] ?? defaultDateFormat)
        .split('||')
        .find((alternative) => alternative.startsWith('epoch_'))
    : undefined;

/** A date that has several formats is read by the first that fits. */
const withFormats = (known: JsonObject, other: JsonObject): JsonObject => {
  if (kindOf(String(typeOf(known))) !== 'date' || known['format'] === other['format']) return known;
  const formats = [known, other].flatMap(({ format = defaultDateFormat }) => String(format).split('||'));
  return { ...known, format: [...new Set(formats)].join('||') };
};

const typeOf = (definition: JsonObject): JsonValue => definition['type'] ?? 'object';

const conflict = (path: string, known: Merged, definition: JsonObject, index: string): string =>
  `field "${path}" is left out: it is ${String(typeOf(known.definition))} in index ${known.index} and ${String(typeOf(definition))} in index ${index}; map it identically in all indexes of the alias`;

const constantConflict = (path: string, known: Merged, definition: JsonObject, index: string): string =>
  `field "${path}" is left out: OpenSearch cannot count the constants of several indexes, and it is ${constantText(known.definition)} in index ${known.index} and ${constantText(definition)} in index ${index}; map it as a keyword`;

const constantText = (definition: JsonObject): string => {
  const constant = constantOf(definition);
  return constant === undefined ? 'without a value' : `"${constant}"`;
};

const unwrapped = (merged: Record<string, Merged>): JsonObject =>
  Object.fromEntries(
    Object.entries(merged)
      .filter(([, { isConflict }]) => isConflict !== true)
      .map(([name, { definition, below }]) => [
        name,
        {
          ...definition,
          ...Object.fromEntries(Object.entries(below).map(([part, fields]) => [part, unwrapped(fields)])),
        },
      ]),
  );
