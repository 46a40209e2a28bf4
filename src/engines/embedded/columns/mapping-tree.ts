import { badUserInput } from '../../../lib/errors/errors.ts';
import { kindOf } from '../../../introspection/fields/field.ts';
import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts';
import { propertiesOf } from '../../../introspection/mapping/mapping.ts';
import { analysisOf, constantOf, termForm } from '../../../introspection/terms/term-forms.ts';
import { flattenedReader, keyedPath } from './flattened.ts';
import { KeywordColumn } from './keyword-column.ts';
import { NumberColumn } from './number-column.ts';
import { isAncestor, NestedLevel, type Column } from './nested-level.ts';
import { valueReader, type ValueReader } from './value-reader.ts';

/** A mapping prepared for reading documents: how the value at each key is handled. */
export type MappingNode =
  | ObjectNode
  | { readonly kind: 'value'; readonly feeds: Feed[] }
  /** Stored but not searchable: `enabled: false` and types without a column. */
  | { readonly kind: 'opaque' };

export interface ObjectNode {
  readonly kind: 'object' | 'nested';
  readonly level: NestedLevel;
  readonly children: Map<string, MappingNode>;
  /** Unmapped keys are an error here. */
  readonly strict: boolean;
  /** Unmapped keys are ignored here, with everything below them. */
  readonly isClosed: boolean;
}

/** A column that takes the values of a field: its own, a multi-field's, or a copy_to target. */
export interface Feed {
  readonly column: Column;
  readonly read: ValueReader;
  /** The value that the column stores for null. */
  readonly nullValue: NullValue;
}

type NullValue = string | number | boolean | null;

export interface MappingTree {
  readonly root: ObjectNode;
  readonly levels: ReadonlyMap<string, NestedLevel>;
  /** By path; alias fields lead to their target. */
  readonly columns: ReadonlyMap<string, Column>;
  /** The unmapped keys found in documents. */
  readonly unmapped: UnmappedKeys;
  /** Whether any field is copied to another. */
  readonly copies: boolean;
}

/**
 * The tree of `mapping` ({dynamic, properties, settings}). Spaces and columns of `existing` are reused, so an extended mapping
 * adds to them.
 * @throws TributaryError BAD_USER_INPUT for a field that is copied into other nested objects: search servers refuse that too
 */
export const mappingTree = (mapping: JsonObject, existing?: MappingTree): MappingTree => {
  const builder: Builder = {
    levels: new Map(existing?.levels ?? [['', new NestedLevel('', null)]]),
    columns: new Map(existing?.columns),
    feeds: new Map(),
    copies: [],
    aliases: [],
    analysis: analysisOf(mapping['settings']),
  };
  const root = buildObject(builder, mapping, '', builder.levels.get('')!, 'object', 'true');
  for (const { path, target } of builder.aliases) {
    const column = builder.columns.get(target);
    if (column !== undefined) builder.columns.set(path, column);
  }
  for (const { feeds, target, path, level } of builder.copies) {
    const column = builder.columns.get(target);
    if (column === undefined) continue;
    if (!isAncestor(column.level, level))
      throw badUserInput(
        `field ${path} cannot be copied to ${target}, which lies in other nested objects: copy_to leads to the same object, or to one around it`,
      );
    feeds.push(...(builder.feeds.get(column.path) ?? [feedOf(column)]));
  }
  return {
    root,
    levels: builder.levels,
    columns: builder.columns,
    unmapped: existing?.unmapped ?? new UnmappedKeys(),
    copies: builder.copies.length > 0,
  };
};

interface Builder {
  readonly levels: Map<string, NestedLevel>;
  readonly columns: Map<string, Column>;
  /** The feeds of each field itself, without copies: copied values are not copied again. */
  readonly feeds: Map<string, readonly Feed[]>;
  /** Resolved last: a target may be mapped after its source. */
  readonly copies: {
    readonly feeds: Feed[];
    readonly target: string;
    readonly path: string;
    readonly level: NestedLevel;
  }[];
  readonly aliases: { readonly path: string; readonly target: string }[];
  readonly analysis: JsonObject;
}

const buildObject = (
  builder: Builder,
  property: JsonObject,
  path: string,
  level: NestedLevel,
  kind: 'object' | 'nested',
  dynamicAbove: string,
): ObjectNode => {
  const dynamic = String(property['dynamic'] ?? dynamicAbove);
  const children = new Map<string, MappingNode>();
  for (const [key, child] of Object.entries(propertiesOf(property))) {
    if (!isJsonObject(child)) continue;
    children.set(key, buildNode(builder, child, path === '' ? key : `${path}.${key}`, level, dynamic));
  }
  return { kind, level, children, strict: dynamic === 'strict', isClosed: dynamic === 'false' };
};

const buildNode = (
  builder: Builder,
  property: JsonObject,
  path: string,
  level: NestedLevel,
  dynamic: string,
): MappingNode => {
  const type = typeOf(property);
  if (type === 'nested' || type === 'object') {
    if (property['enabled'] === false) return { kind: 'opaque' };
    const inner = type === 'nested' ? nestedSpace(builder, path, level) : level;
    return buildObject(builder, property, path, inner, type, dynamic);
  }
  if (type === 'alias') {
    builder.aliases.push({ path, target: String(property['path']) });
    return { kind: 'opaque' };
  }
  const feeds: Feed[] = [];
  feedColumn(builder, feeds, property, path, level);
  for (const [key, field] of Object.entries(multiFieldsOf(property))) {
    if (isJsonObject(field)) feedColumn(builder, feeds, field, `${path}.${key}`, level);
  }
  builder.feeds.set(path, [...feeds]);
  const targets = property['copy_to'] ?? [];
  for (const target of Array.isArray(targets) ? targets : [targets]) {
    builder.copies.push({ feeds, target: String(target), path, level });
  }
  return { kind: 'value', feeds };
};

const nestedSpace = (builder: Builder, path: string, parent: NestedLevel): NestedLevel => {
  const level = builder.levels.get(path) ?? new NestedLevel(path, parent);
  builder.levels.set(path, level);
  return level;
};

const feedColumn = (
  builder: Builder,
  feeds: Feed[],
  property: JsonObject,
  path: string,
  level: NestedLevel,
): void => {
  const type = typeOf(property);
  const fieldKind = kindOf(type);
  if (fieldKind === 'json' || fieldKind === 'object' || fieldKind === 'nested') return;
  const column = columnAt(builder, property, path, level, type);
  feeds.push(feedOf(column));
  if (fieldKind !== 'flattened') return;
  const keyed = columnAt(builder, property, keyedPath(path), level, type);
  feeds.push({ column: keyed, read: flattenedReader(property, true), nullValue: null });
};

const columnAt = (
  builder: Builder,
  property: JsonObject,
  path: string,
  level: NestedLevel,
  type: string,
): Column => {
  const known = builder.columns.get(path);
  if (known !== undefined) return known;
  const fieldKind = kindOf(type);
  const column: Column = {
    path,
    type,
    fieldKind,
    property,
    level,
    slot: level.columns.length,
    form: termForm(type, property, builder.analysis),
    data:
      fieldKind === 'number' || fieldKind === 'date'
        ? new NumberColumn(type === 'unsigned_long', type === 'date_nanos')
        : new KeywordColumn(),
  };
  level.columns.push(column);
  const value = constantOf(property);
  if (value !== undefined) level.constants.push({ slot: column.slot, value });
  builder.columns.set(path, column);
  return column;
};

const feedOf = (column: Column): Feed => {
  const { type, property, fieldKind, form } = column;
  const nullValue = property['null_value'];
  // in a flattened field it applies to the values inside
  const isOwn = fieldKind !== 'flattened' && isJsonScalar(nullValue);
  return { column, read: valueReader(type, property, form), nullValue: isOwn ? nullValue : null };
};

/** The type of a mapping entry; it is optional for objects. */
const typeOf = (property: JsonObject): string =>
  typeof property['type'] === 'string' ? property['type'] : 'object';

const multiFieldsOf = (property: JsonObject): JsonObject =>
  isJsonObject(property['fields']) ? property['fields'] : {};

const isJsonScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/**
 * The shortest unmapped prefix of the path; null if all of it is mapped or it leads below a field that is not an
 * object.
 */
export const firstUnmapped = (root: ObjectNode, path: string): string | null => {
  const keys = path.split('.');
  let node = root;
  for (const [depth, key] of keys.entries()) {
    const child = node.children.get(key);
    if (child === undefined) return keys.slice(0, depth + 1).join('.');
    if (child.kind !== 'object' && child.kind !== 'nested') return null;
    node = child;
  }
  return null;
};

/** With more distinct keys than this, documents are re-read for every new field. */
const maxPaths = 1_000;

/**
 * The keys of documents, as dotted paths, with a value but no mapped field. A field mapped later can only have values
 * in stored documents if its path is among these, so most new fields need no re-reading.
 */
export class UnmappedKeys {
  /** null: too many to keep, or unknown. */
  #paths: Set<string> | null = new Set();

  add(path: string): void {
    if (this.#paths === null) return;
    this.#paths.add(path);
    if (this.#paths.size > maxPaths) this.#paths = null;
  }

  /** Whether a document may have a value at, below or above a path. */
  mayHold(path: string): boolean {
    // dotted keys are short for objects within objects
    return (
      this.#paths === null || [...this.#paths].some((seen) => isWithin(seen, path) || isWithin(path, seen))
    );
  }

  /** For a snapshot. */
  list(): readonly string[] | null {
    return this.#paths && [...this.#paths];
  }

  /** From a snapshot. */
  restore(list: readonly string[] | null): void {
    this.#paths = list ? new Set(list) : null;
  }
}

const isWithin = (path: string, outer: string): boolean => path === outer || path.startsWith(`${outer}.`);
