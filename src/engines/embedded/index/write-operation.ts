import { TributaryError } from '../../../lib/errors/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts';
import type { WriteOutcome } from '../../engine.ts';
import type { Columns } from '../columns/columns.ts';
import { mappingTree, type MappingTree } from '../columns/mapping-tree.ts';
import { readRow, type Row } from '../columns/row.ts';
import type { DocumentStore } from '../store/store.ts';
import { isDeepStrictEqual } from 'node:util';

/** A write as sent to the engine's thread: the document is JSON text. */
export interface TextOperation {
  readonly id: string;
  /** Absent for a delete. */
  readonly text?: string;
}

/** A change of the store not yet applied to the columns. */
export interface StoreChange {
  /** The number of the new document, or the next number when there is none. */
  readonly docId: number;
  readonly id: string;
  /** The new document, none for a delete. */
  readonly row?: Row;
  /** The number of the document that was replaced or deleted. */
  readonly old: number | undefined;
}

/**
 * Writes one operation to the store; a document that does not fit the mapping is rejected and changes nothing.
 * @param next the number for a new document
 */
export const applyToStore = (
  store: DocumentStore,
  tree: MappingTree,
  { id, text }: TextOperation,
  next: number,
): { readonly outcome: WriteOutcome; readonly change?: StoreChange } => {
  if (text === undefined) {
    const old = store.docIdOf(id);
    if (old === undefined) return { outcome: { status: 'notFound' } };
    store.remove(old, next - 1);
    return { outcome: { status: 'deleted' }, change: { docId: next, id, old } };
  }
  const row = rowOrReason(tree, JSON.parse(text) as JsonObject);
  if (typeof row === 'string') return { outcome: { status: 'refused', reason: row, retryable: false } };
  const old = store.docIdOf(id);
  if (old !== undefined) store.remove(old, next);
  store.insert({ docId: next, id, src: text });
  return {
    outcome: { status: old === undefined ? 'created' : 'updated' },
    change: { docId: next, id, row, old },
  };
};

/** Applies a change to the columns; seal them after the last. */
export const applyToColumns = (columns: Columns, { docId, id, row, old }: StoreChange): void => {
  if (row !== undefined) columns.append(docId, id, row);
  if (old !== undefined) columns.remove(old);
};

/**
 * Why a document would be refused under a mapping ({dynamic, properties}), or null. Search servers refuse the same, except
 * for types that have no columns here.
 */
export const refusalUnder = (mapping: JsonObject): ((document: JsonObject) => string | null) => {
  const tree = mappingTree(mapping);
  return (document) => {
    const row = rowOrReason(tree, document);
    return typeof row === 'string' ? row : null;
  };
};

const rowOrReason = (tree: MappingTree, document: JsonObject): Row | string => {
  try {
    return readRow(tree, document, true);
  } catch (error) {
    if (error instanceof TributaryError && error.code === 'BAD_USER_INPUT') return error.message;
    throw error;
  }
};

/**
 * A mapping's `properties` with new ones added at any depth; existing ones must not change.
 * @throws TributaryError CONFLICT naming the field and both values
 */
export const extendMapping = (
  properties: JsonValue | undefined,
  added: JsonObject,
  path = '',
): JsonObject => {
  // a Map, because fields may be named like inherited properties of objects
  const grown = new Map(Object.entries(isJsonObject(properties) ? properties : {}));
  for (const [key, property] of Object.entries(added)) {
    const field = path === '' ? key : `${path}.${key}`;
    const before = grown.get(key);
    grown.set(
      key,
      isJsonObject(before) && isJsonObject(property) ? extendProperty(before, property, field) : property,
    );
  }
  return Object.fromEntries(grown);
};

const extendProperty = (before: JsonObject, added: JsonObject, field: string): JsonObject => {
  const grown: Record<string, JsonValue | undefined> = { ...before };
  rejectTypeChange(before, added, field);
  for (const [parameter, value] of Object.entries(added)) {
    if ((parameter === 'properties' || parameter === 'fields') && isJsonObject(value)) {
      grown[parameter] = extendMapping(before[parameter], value, field);
    } else if (parameter !== 'type' && !isDeepStrictEqual(before[parameter], value)) {
      throw conflict(field, parameter, before[parameter], value);
    }
  }
  return grown;
};

const rejectTypeChange = (before: JsonObject, added: JsonObject, field: string): void => {
  const old = before['type'] ?? 'object';
  const type = added['type'] ?? (isJsonObject(added['properties']) ? 'object' : old);
  // children may be added without repeating that the object is nested
  if (type !== old && !(added['type'] === undefined && old === 'nested'))
    throw conflict(field, 'type', old, type);
};

const conflict = (
  field: string,
  parameter: string,
  before: JsonValue | undefined,
  added: JsonValue | undefined,
): TributaryError =>
  new TributaryError(
    'CONFLICT',
    `field ${field} has ${parameter} ${JSON.stringify(before) ?? 'unset'}, which cannot become ${JSON.stringify(added)}; load into a new index instead`,
  );
