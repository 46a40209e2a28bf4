import { isJsonObject, type JsonValue } from '../../../lib/json/json.ts';
import { KeywordColumn } from './keyword-column.ts';
import type { Column } from './nested-level.ts';
import { pathsAbove } from '../../../introspection/fields/field.ts';

/** The path of the column that keeps each value of a flattened field with its key. */
export const keyedPath = (path: string): string => `${path}\0`;

/** The depth of objects in each other that search servers accept by default. */
const maxDepth = 20;

interface Leaves {
  readonly found: string[];
  readonly isKeyed: boolean;
  readonly maxDepth: number;
  readonly maxLength: number;
  readonly nullValue: string | null;
}

/**
 * Reads the values in an object, at any depth: `{a: {b: "x"}}` holds "x", which with its key is `a.b\0x`. null for a value
 * that is not an object, or is too deep.
 */
export const flattenedReader =
  (property: { readonly [key: string]: JsonValue | undefined }, isKeyed: boolean) =>
  (value: JsonValue): readonly string[] | undefined | null => {
    if (!isJsonObject(value)) return null;
    const { depth_limit: depth, ignore_above: length, null_value: nullValue } = property;
    const leaves: Leaves = {
      found: [],
      isKeyed,
      maxDepth: typeof depth === 'number' ? depth : maxDepth,
      maxLength: typeof length === 'number' ? length : Infinity,
      nullValue: typeof nullValue === 'string' ? nullValue : null,
    };
    if (!addLeaves(leaves, value, '', 0)) return null;
    return leaves.found.length === 0 ? undefined : leaves.found;
  };

/** @returns false where it is too deep or a key has a character that separates them */
const addLeaves = (leaves: Leaves, value: JsonValue, key: string, depth: number): boolean => {
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).every((item) => addLeaves(leaves, item, key, depth));
  if (isJsonObject(value))
    return (
      depth < leaves.maxDepth &&
      Object.entries(value).every(
        ([name, inner]) =>
          !name.includes('\0') &&
          addLeaves(leaves, inner ?? null, key === '' ? name : `${key}.${name}`, depth + 1),
      )
    );
  const leaf = value ?? leaves.nullValue;
  if (leaf === null) return true;
  const text = String(leaf);
  if (text.length <= leaves.maxLength) leaves.found.push(leaves.isKeyed ? `${key}\0${text}` : text);
  return true;
};

/**
 * The column of one key of a flattened field, made of the field's keyed values.
 * @param path `field.key`
 * @returns undefined where no field is flattened, or no object has the key
 */
export const keyColumn = (columns: ReadonlyMap<string, Column>, path: string): Column | undefined => {
  for (const above of pathsAbove(path)) {
    const keyed = columns.get(keyedPath(above));
    if (keyed !== undefined) return ofKey(keyed, path, `${path.slice(above.length + 1)}\0`);
  }
  return undefined;
};

const ofKey = (keyed: Column, path: string, prefix: string): Column | undefined => {
  const source = keyed.data as KeywordColumn;
  const { table } = source;
  const start = Buffer.from(prefix);
  const bytes = table.usedBytes();
  const values: string[] = [];
  for (let code = 1; code <= table.size; code++)
    if (
      bytes
        .subarray(table.offsets[code - 1]!, table.offsets[code]!)
        .subarray(0, start.length)
        .equals(start)
    )
      values[code] = table.value(code).slice(prefix.length);
  if (values.length === 0) return undefined;
  const data = new KeywordColumn();
  const { count } = keyed.level;
  for (let ordinal = 0; ordinal < count; ordinal++) {
    const entries = source.codesOf(ordinal).flatMap((code) => values[code] ?? []);
    if (entries.length > 0) data.append(ordinal, entries);
  }
  data.padTo(count);
  return { ...keyed, path, type: 'keyword', fieldKind: 'keyword', property: {}, data };
};
