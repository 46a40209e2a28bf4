import type { JsonObject } from '../../lib/json/json.ts';
import { TributaryError } from '../../lib/errors/errors.ts';
import { closest } from '../../lib/text/unknown-keys.ts';
import type { Hierarchy } from '../hierarchies/hierarchy.ts';

/** What a field is to the filter language, the schema and the engines, regardless of its exact mapped type. */
export type FieldKind =
  | 'keyword'
  | 'text'
  | 'number'
  | 'date'
  | 'boolean'
  | 'range'
  | 'flattened'
  | 'object'
  | 'nested'
  | 'json';

/** A field as the engine knows it: the full path within the index's documents. */
export interface IndexField {
  /** Dotted path, `a.b`; `_id` is the document's key. */
  readonly path: string;
  /** The mapped type: `keyword`, `long`, `date`, ... */
  readonly type: string;
  /** The nested paths above this field, outermost first, without the field itself. */
  readonly nestedIn: readonly string[];
  /** The index changes its values before it counts them: a keyword with a normalizer. */
  readonly normalized?: true;
  /** For a constant_keyword, the value that every document has. */
  readonly constant?: string;
  /** For a multi-field, the path at which documents hold its values. */
  readonly storedAt?: string;
  /** For a key of a flattened field, that field. */
  readonly keyOf?: string;
}

/** A field of a catalogue. */
export interface Field {
  /** Dotted path as clients write it: without the catalogue's nestingPrefix. */
  readonly path: string;
  readonly type: string;
  readonly kind: FieldKind;
  /** The nested paths above this field as clients write them, outermost first. */
  readonly nestedIn: readonly string[];
  /** Declared in extended.json: the schema shows a list. */
  readonly isArray: boolean;
  /**
   * Where documents hold its values, unless under its own path: for a multi-field the field that it indexes again, for an
   * alias its target.
   */
  readonly storedAt?: string;
  /** The engine's view of the field: the same path unless the catalogue has a nestingPrefix. */
  readonly indexField: IndexField;
  /** In a network: fractions at some nodes, and whole numbers that may be beyond 2^53 at others. */
  readonly holdsLongs?: true;
  /** The mapping's date format, for kind `date`. */
  readonly format?: string;
  /** The steps per unit that a scaled_float keeps: 100 for hundredths. */
  readonly scalingFactor?: number;
  /** The mapping's `meta` for it. */
  readonly meta?: FieldMeta;
  /** The hierarchy whose terms its values are, as configured. */
  readonly hierarchy?: Hierarchy;
  /** For a field of another server, the fingerprint of its hierarchy there. */
  readonly hierarchyFingerprint?: string;
}

export interface FieldMeta {
  readonly description?: string;
  readonly unit?: string;
}

/** Fields by dotted path, including objects and nested ones, in mapping order. */
export type Fields = ReadonlyMap<string, Field>;

const numberTypes = new Set([
  'long',
  'integer',
  'short',
  'byte',
  'unsigned_long',
  'double',
  'float',
  'half_float',
  'scaled_float',
]);

const kinds: Readonly<Record<string, FieldKind>> = {
  keyword: 'keyword',
  constant_keyword: 'keyword',
  wildcard: 'keyword',
  ip: 'keyword',
  version: 'keyword',
  string: 'keyword',
  text: 'text',
  match_only_text: 'text',
  date: 'date',
  date_nanos: 'date',
  boolean: 'boolean',
  flattened: 'flattened',
  flat_object: 'flattened',
  object: 'object',
  nested: 'nested',
};

/** The type of the ends of each range type. */
const rangeMembers: Readonly<Record<string, string>> = {
  integer_range: 'integer',
  long_range: 'long',
  float_range: 'float',
  double_range: 'double',
  date_range: 'date',
  ip_range: 'ip',
};

/** The type of the ends of a range type; undefined for others. */
export const memberType = (type: string): string | undefined =>
  Object.hasOwn(rangeMembers, type) ? rangeMembers[type] : undefined;

/** A range field as one of its ends; others as they are. */
export const memberOf = (field: Field): Field => {
  const type = memberType(field.type);
  return type === undefined ? field : { ...field, type, kind: kindOf(type) };
};

/** Types whose values this server shows as they are, without searching them. */
const opaqueTypes = [
  'aggregate_metric_double',
  'alias',
  'binary',
  'completion',
  'dense_vector',
  'geo_point',
  'geo_shape',
  'histogram',
  'join',
  'json',
  'knn_vector',
  'percolator',
  'point',
  'rank_feature',
  'rank_features',
  'search_as_you_type',
  'semantic_text',
  'shape',
  'sparse_vector',
  'token_count',
];

/** The field types that search servers support in mappings. */
export const mappedTypes: readonly string[] = [
  ...numberTypes,
  ...Object.keys(kinds),
  ...Object.keys(rangeMembers),
  ...opaqueTypes,
];

/** Whether search servers support a field type in mappings. */
export const isMappedType = (type: string): boolean => mappedTypes.includes(type);

/** Names of mapped types in other languages and databases. */
const otherNames: Readonly<Record<string, string>> = {
  int: 'integer',
  bool: 'boolean',
  str: 'keyword',
  number: 'double',
  real: 'float',
  decimal: 'double',
  bigint: 'long',
  datetime: 'date',
  timestamp: 'date',
  varchar: 'keyword',
  enum: 'keyword',
};

/** The mapped type that a name which is none probably means. */
export const meantType = (name: string): string | undefined => {
  const lower = name.toLowerCase();
  return Object.hasOwn(otherNames, lower) ? otherNames[lower] : closest(lower, mappedTypes)?.name;
};

/** The kind of a mapped type; anything unknown (geo_point, binary, ranges, ...) is opaque `json`. */
export const kindOf = (type: string): FieldKind =>
  numberTypes.has(type)
    ? 'number'
    : memberType(type) !== undefined
      ? 'range'
      : Object.hasOwn(kinds, type)
        ? kinds[type]!
        : 'json';

/** Whether fields of a kind have values of their own: objects have only those in them, and `json` is never searched. */
export const hasOwnValues = (kind: FieldKind): boolean =>
  kind !== 'object' && kind !== 'nested' && kind !== 'json' && kind !== 'range';

/** Whether documents hold something of this kind as one value, whose parts are not fields. */
export const isShownWhole = (kind: FieldKind): boolean =>
  kind === 'json' || kind === 'range' || kind === 'flattened';

/**
 * Fields with the hierarchies that their values are terms of.
 * @param hierarchies by path
 * @returns `unfit`: why some hierarchies fit no field
 */
export const withHierarchies = (
  fields: Fields,
  hierarchies: ReadonlyMap<string, Hierarchy>,
): { readonly fields: Fields; readonly unfit: readonly string[] } => {
  if (hierarchies.size === 0) return { fields, unfit: [] };
  const fits = ({ kind, type }: Field): boolean => kind === 'keyword' || isIntegerType(type);
  const unfit = [...hierarchies].flatMap(([path, { name }]) => {
    const field = fields.get(path);
    if (field !== undefined && fits(field)) return [];
    const why = field === undefined ? 'there is no such field' : `a field of type ${field.type} has no terms`;
    return [`the hierarchy ${JSON.stringify(name)} of ${JSON.stringify(path)} is not used: ${why}`];
  });
  const having = [...fields.values()].map((field) => {
    const hierarchy = fits(field) ? hierarchies.get(field.path) : undefined;
    return [field.path, hierarchy === undefined ? field : { ...field, hierarchy }] as const;
  });
  return { fields: new Map(having), unfit };
};

/** Integer types, whose values and bucket keys print without decimals. */
export const isIntegerType = (type: string): boolean =>
  type === 'long' || type === 'integer' || type === 'short' || type === 'byte' || type === 'unsigned_long';

export interface IntegerRange {
  readonly min: number | bigint;
  readonly max: number | bigint;
}

const integerRanges: Readonly<Record<string, IntegerRange>> = {
  byte: { min: -128, max: 127 },
  short: { min: -32_768, max: 32_767 },
  integer: { min: -2_147_483_648, max: 2_147_483_647 },
  long: { min: -(2n ** 63n), max: 2n ** 63n - 1n },
  unsigned_long: { min: 0n, max: 2n ** 64n - 1n },
};

/** The range of an integer type, null for other types. */
export const integerRange = (type: string): IntegerRange | null => integerRanges[type] ?? null;

/** Integer types with values beyond 2^53, which JSON numbers and doubles would round. */
export const isWideType = (type: string): boolean => type === 'long' || type === 'unsigned_long';

/** Whether values of a field may be whole numbers beyond 2^53. */
export const mayBeWide = ({ type, holdsLongs }: Pick<Field, 'type' | 'holdsLongs'>): boolean =>
  isWideType(type) || holdsLongs === true;

/** The document's key as a field: not in any mapping, a keyword for filters and sorts, never missing. */
export const documentKey: Field = {
  path: '_id',
  type: '_id',
  kind: 'keyword',
  nestedIn: [],
  isArray: false,
  indexField: { path: '_id', type: '_id', nestedIn: [] },
};

/** The field with that dotted path, including `_id` and keys of flattened fields; undefined when the catalogue has none. */
export const fieldNamed = (fields: Fields, path: string): Field | undefined =>
  path === documentKey.path ? documentKey : (fields.get(path) ?? flattenedKey(fields, path));

/** The dotted path at which documents hold the values of a field. */
export const placeOf = ({ path, storedAt, indexField }: Field): string =>
  indexField.keyOf === undefined ? (storedAt ?? path) : path;

/**
 * The values at one key of a flattened field: a keyword that documents hold in the field.
 * @param fields by the names that `path` begins with, which may differ from their own
 */
export const flattenedKey = (fields: Fields, path: string): Field | undefined => {
  const above = pathsAbove(path).find((candidate) => fields.get(candidate)?.kind === 'flattened');
  if (above === undefined) return undefined;
  const { indexField, nestedIn, path: storedAt } = fields.get(above)!;
  const key = path.slice(above.length);
  return {
    path: `${storedAt}${key}`,
    type: 'keyword',
    kind: 'keyword',
    nestedIn,
    isArray: false,
    storedAt,
    indexField: {
      path: `${indexField.path}${key}`,
      type: 'keyword',
      nestedIn: indexField.nestedIn,
      keyOf: indexField.path,
    },
  };
};

/**
 * The origin of an indexed document: an object that indexing jobs write into each document and that is never shown.
 * Defined in `introspection` because both the modules that hide it and the one that writes it depend on this one.
 */
export const originField = 'tributary_origin';

export interface Origin {
  /** The repository's code. */
  readonly repository: string;
  readonly organization: string;
  /** The attempt of a job that wrote the document. */
  readonly run: string;
  /** The record that the document is part of; absent when it has the same name as the document. */
  readonly record?: string;
}

const keyword: JsonObject = { type: 'keyword' };

/** The mapping of the object. */
export const originProperties: JsonObject = {
  [originField]: {
    properties: { repository: keyword, organization: keyword, run: keyword, record: keyword },
  },
};

/** An index's properties or a stored document without the object; the same instance if there is none. */
export const withoutOrigin = (object: JsonObject): JsonObject =>
  Object.hasOwn(object, originField)
    ? Object.fromEntries(Object.entries(object).filter(([name]) => name !== originField))
    : object;

const isName = /^[A-Za-z][_A-Za-z0-9]*$/;

/**
 * One segment of a dotted path as a GraphQL name: characters outside [_A-Za-z0-9] become `_`, a leading digit is
 * prefixed with one, and a leading `__`, which GraphQL reserves, is shortened to `_`.
 */
export const graphqlSegment = (segment: string): string => {
  if (isName.test(segment)) return segment;
  const name = segment.replace(/[^_A-Za-z0-9]/g, '_').replace(/^__+/, '_');
  return name === '' || /^[0-9]/.test(name) ? `_${name}` : name;
};

/** The name of a dotted path in `aggregations`: its segments joined by `__`, never at the beginning of the name. */
export const aggregationName = (path: string): string =>
  // most paths; names are computed for every node and facet of a query
  isName.test(path) ? path : path.split('.').map(graphqlSegment).join('__').replace(/^__+/, '_');

/** The location of a dotted path in `node`: its segments as GraphQL names. */
const nodePath = (path: string): string => path.split('.').map(graphqlSegment).join('.');

/**
 * Checks that no two fields share a GraphQL name, either in `node` or in `aggregations`.
 * @throws TributaryError schema_build_error naming both paths and a remedy
 */
export const assertUniqueNames = (fields: Fields): void => {
  assertUnique([...fields.values()], nodePath);
  assertUnique([...fields.values()].filter(hasAggregation), aggregationName);
};

const assertUnique = (fields: readonly Field[], nameOf: (path: string) => string): void => {
  const shared = sharedName(
    fields.map(({ path }) => path),
    nameOf,
  );
  if (shared !== null) throw collision(shared.name, shared.first, shared.second);
};

/** Two paths with the same GraphQL name. */
export interface NameCollision {
  readonly name: string;
  readonly first: string;
  readonly second: string;
}

/**
 * The first two dotted paths that share a GraphQL name, in `node` or in `aggregations`; null when none do.
 * @param settled paths that may share names with each other
 */
export const nameCollision = (
  paths: readonly string[],
  settled: ReadonlySet<string> = new Set(),
): NameCollision | null =>
  sharedName(paths, nodePath, settled) ?? sharedName(paths, aggregationName, settled);

const sharedName = (
  paths: readonly string[],
  nameOf: (path: string) => string,
  settled: ReadonlySet<string> = new Set(),
): NameCollision | null => {
  const firstOf = new Map<string, string>();
  for (const second of paths) {
    const name = nameOf(second);
    const first = firstOf.get(name);
    const isSettled = first !== undefined && settled.has(first) && settled.has(second);
    if (first !== undefined && first !== second && !isSettled) return { name, first, second };
    firstOf.set(name, second);
  }
  return null;
};

const spelledOut: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ä: 'ae',
    ö: 'oe',
    ü: 'ue',
    Ä: 'Ae',
    Ö: 'Oe',
    Ü: 'Ue',
    ß: 'ss',
    æ: 'ae',
    œ: 'oe',
    ø: 'o',
    '%': 'percent',
    '&': 'and',
    '#': 'number',
  }),
);

/** Two names that GraphQL can distinguish, for paths that it cannot: letters spelled out, else a number appended. */
export const fieldNameOffers = (first: string, second: string): readonly [string, string] => {
  const [a, b] = [offeredName(first), offeredName(second)];
  return aggregationName(a) === aggregationName(b) ? [a, `${b}_2`] : [a, b];
};

/** A name for one without letters and digits, as `#` or `%` in a header; null if its signs have no names. */
export const signsName = (name: string): string | null => {
  const words = [...name].flatMap((sign) => spelledOut.get(sign) ?? []);
  return /[\p{L}\p{N}]/u.test(name) || words.length === 0 ? null : words.join('_');
};

const offeredName = (path: string): string =>
  path
    .split('.')
    .map((segment) =>
      [...segment]
        .map((letter) => spelledOut.get(letter) ?? letter.normalize('NFD').replace(/\p{M}/gu, ''))
        .join('')
        .replace(/[^A-Za-z0-9]+/g, '_')
        .replace(/^_+|_+$/g, ''),
    )
    .map((segment) => (/^[A-Za-z]/.test(segment) ? segment : `field_${segment}`))
    .join('.');

const collision = (name: string, first: string, second: string): TributaryError =>
  new TributaryError(
    'schema_build_error',
    `fields "${first}" and "${second}" share the GraphQL name ${name}; rename one of them in the index's mapping`,
    { details: { name, paths: [first, second] } },
  );

/** Nested paths are not facets themselves, but their contents are. */
const hasAggregation = (field: Field): boolean => field.kind !== 'nested';

/** Fields by their name in `aggregations`, without the nested paths themselves; of several with one name the first. */
export const fieldByAggregationName = (fields: Fields): ReadonlyMap<string, Field> => {
  const named = Map.groupBy([...fields.values()].filter(hasAggregation), ({ path }) => aggregationName(path));
  return new Map([...named].map(([name, [first]]) => [name, first!]));
};

/** The paths above other paths: for `a.b.c` both `a` and `a.b`. */
export const parentPaths = (fields: Fields): ReadonlySet<string> => {
  const parents = new Set<string>();
  for (const path of fields.keys())
    for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1))
      parents.add(path.slice(0, dot));
  return parents;
};

/** Mappings and documents have fewer levels; clients and other servers may write any number. */
const maxLevels = 100;

/** The paths above one: `a.b.c` -> `a`, `a.b`. Of more than 100, which no field has, the first 100. */
export const pathsAbove = (path: string): readonly string[] => {
  const above: string[] = [];
  for (let dot = path.indexOf('.'); dot >= 0 && above.length < maxLevels; dot = path.indexOf('.', dot + 1))
    above.push(path.slice(0, dot));
  return above;
};

/** Splits names into words as people would: ordinals, runs of capitals, capitalised words, numbers, other letters. */
const words =
  /\d*(?:1st|2nd|3rd|(?![123])\dth)(?![a-z0-9])|\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\d+|[\p{Lo}\p{Lt}\p{Lm}]+/gu;

/** The default display name of a field: the words of its dotted path, capitalised. `ca19-9_level`: "Ca 19 9 Level". */
export const displayNameOf = (path: string): string => {
  const parts = path.match(words) ?? [path];
  return parts.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
};
