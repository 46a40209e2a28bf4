import type { JsonObject } from '../../json/json.ts';

/** What a field is to the filter language, the schema and the engines, regardless of its exact mapped type. */
export type FieldKind = 'keyword' | 'text' | 'number' | 'date' | 'boolean' | 'object' | 'nested' | 'json';

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
  /** The engine's view of the field: the same path unless the catalogue has a nestingPrefix. */
  readonly indexField: IndexField;
  /** The mapping's date format, for kind `date`. */
  readonly format?: string;
}

/** Fields by dotted path, including objects and nested ones, in mapping order. */
export type Fields = ReadonlyMap<string, Field>;

const numberTypes = new Set([
  'long', 'integer', 'short', 'byte', 'unsigned_long', 'double', 'float', 'half_float', 'scaled_float',
]); // prettier-ignore

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
  object: 'object',
  nested: 'nested',
};

/** Types whose values this server shows as they are, without searching them. */
const opaqueTypes = [
  'aggregate_metric_double', 'alias', 'binary', 'completion', 'date_range', 'dense_vector', 'double_range', 'flat_object',
  'flattened', 'float_range', 'geo_point', 'geo_shape', 'histogram', 'integer_range', 'ip_range', 'join', 'json', 'knn_vector',
  'long_range', 'percolator', 'point', 'rank_feature', 'rank_features', 'search_as_you_type', 'semantic_text', 'shape',
  'sparse_vector', 'token_count',
]; // prettier-ignore

/** The field types that search servers support in mappings. */
export const mappedTypes: readonly string[] = [...numberTypes, ...Object.keys(kinds), ...opaqueTypes];

/** Whether search servers support a field type in mappings. */
export const isMappedType = (type: string): boolean => mappedTypes.includes(type);

/** The kind of a mapped type; anything unknown (geo_point, binary, ranges, ...) is opaque `json`. */
export const kindOf = (type: string): FieldKind =>
  numberTypes.has(type) ? 'number' : Object.hasOwn(kinds, type) ? kinds[type]! : 'json';

/** Whether fields of a kind have values of their own: objects have only those in them, and `json` is never searched. */
export const hasOwnValues = (kind: FieldKind): boolean =>
  kind !== 'object' && kind !== 'nested' && kind !== 'json';

/** Integer types, whose values and bucket keys print without decimals. */
export const isIntegerType = (type: string): boolean =>
  type === 'long' || type === 'integer' || type === 'short' || type === 'byte' || type === 'unsigned_long';

/** The document's key as a field: not in any mapping, a keyword for filters and sorts, never missing. */
export const documentKey: Field = {
  path: '_id',
  type: '_id',
  kind: 'keyword',
  nestedIn: [],
  isArray: false,
  indexField: { path: '_id', type: '_id', nestedIn: [] },
};

/** The field with that dotted path, including `_id`; undefined when the catalogue has none. */
export const fieldNamed = (fields: Fields, path: string): Field | undefined =>
  path === documentKey.path ? documentKey : fields.get(path);

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
