import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts';
import { badUserInput } from '../../../lib/errors/errors.ts';
import { keyProblem, keyProblemIn } from '../../../introspection/mapping/expanded-keys.ts';
import type { Feed, MappingNode, MappingTree, ObjectNode, UnmappedKeys } from './mapping-tree.ts';
import type { NestedLevel } from './nested-level.ts';
import type { Scalar, Staged } from './value-reader.ts';

/** A document or nested object broken down into the values of its level's columns and child levels. */
export interface Row {
  /** By column slot: one value, or an unshared list. */
  readonly values: (Staged | Staged[] | undefined)[];
  /** By child level slot, in document order. */
  readonly children: (Row[] | undefined)[];
}

/**
 * Breaks down a document. With `strict`, a value that does not fit its field or an unmapped key under a strict mapping
 * is an error; without it, as for documents already stored, it is ignored.
 * @throws TributaryError BAD_USER_INPUT naming the field and the value
 */
export const readRow = (tree: MappingTree, document: JsonObject, strict: boolean): Row => {
  const row = emptyRow(tree.root.level);
  readObject({ strict, rows: [row], unmapped: tree.unmapped }, tree.root, document, '');
  return row;
};

/** The reader's position: `rows` are the objects enclosing the current value, by the depth of their level. */
interface Reading {
  readonly strict: boolean;
  readonly rows: readonly Row[];
  readonly unmapped: UnmappedKeys;
}

const emptyRow = ({ constants }: NestedLevel): Row => {
  const values: Row['values'] = [];
  for (const { slot, value } of constants) values[slot] = value;
  return { values, children: [] };
};

const readObject = (reading: Reading, node: ObjectNode, object: JsonObject, path: string): void => {
  for (const key in object) {
    const value = object[key];
    if (value !== undefined) readKey(reading, node, key, value, path === '' ? key : `${path}.${key}`);
  }
};

const readKey = (reading: Reading, node: ObjectNode, key: string, value: JsonValue, path: string): void => {
  const child = node.children.get(key);
  if (child !== undefined) {
    readNode(reading, child, value, path);
    return;
  }
  rejectKeys(reading, node, key, value);
  // a dotted key is short for objects within objects
  const dot = key.indexOf('.');
  const head = dot > 0 ? node.children.get(key.slice(0, dot)) : undefined;
  if (head !== undefined) {
    readNode(reading, head, { [key.slice(dot + 1)]: value }, path.slice(0, path.length - key.length + dot));
  } else if (reading.strict && node.strict) {
    throw badUserInput(`field ${path} is not mapped and the mapping is strict`);
  } else if (value !== null && !(Array.isArray(value) && value.length === 0)) {
    reading.unmapped.add(path);
  }
};

/** Handles keys without a field; parts the mapping ignores are not inspected. */
const rejectKeys = (reading: Reading, node: ObjectNode, key: string, value: JsonValue): void => {
  if (!reading.strict) return;
  const problem = keyProblem(key) ?? (node.isClosed ? null : keyProblemIn(value));
  if (problem !== null) throw badUserInput(problem);
};

const readNode = (reading: Reading, node: MappingNode, value: JsonValue, path: string): void => {
  if (node.kind === 'opaque') return;
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) readNode(reading, node, item, path);
    return;
  }
  if (node.kind === 'value') {
    readScalar(reading, node.feeds, value as JsonValue, path);
    return;
  }
  if (value === null) return;
  if (!isJsonObject(value)) {
    reject(reading, `field ${path} holds ${JSON.stringify(value)} where the mapping has an object`);
    return;
  }
  readObject(node.kind === 'nested' ? entered(reading, node.level) : reading, node, value, path);
};

/** The position inside a new object of a nested level. */
const entered = (reading: Reading, level: NestedLevel): Reading => {
  const row = emptyRow(level);
  const above = reading.rows[level.depth - 1]!;
  (above.children[level.slot] ??= []).push(row);
  return { ...reading, rows: [...reading.rows.slice(0, level.depth), row] };
};

const readScalar = (reading: Reading, feeds: readonly Feed[], value: JsonValue, path: string): void => {
  for (const { column, read, nullValue } of feeds) {
    const given = value ?? nullValue;
    if (given === null) continue;
    const staged = read(given as Scalar | JsonObject);
    if (staged === null) {
      reject(reading, `field ${path} holds ${JSON.stringify(value)}, which is not a valid ${column.type}`);
      continue;
    }
    // a copy_to target may belong to an enclosing object
    if (staged !== undefined) addStaged(reading.rows[column.level.depth]!, column.slot, staged);
  }
};

const addStaged = ({ values }: Row, slot: number, staged: Staged | readonly Staged[]): void => {
  const before = values[slot];
  const added = staged as Staged | Staged[];
  if (before === undefined) values[slot] = Array.isArray(added) ? [...added] : added;
  else if (!Array.isArray(before)) values[slot] = [before].concat(added);
  else if (!Array.isArray(added)) before.push(added);
  else for (const item of added) before.push(item);
};

const reject = (reading: Reading, message: string): void => {
  if (reading.strict) throw badUserInput(message);
};
