import { parseDate } from '../../../src/introspection/dates/dates.ts';
import { isIntegerType, kindOf } from '../../../src/introspection/fields/field.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/lib/json/json.ts';

export type Value = string | number | bigint | boolean;

/** The mapping's entry of a dotted path, multi-fields included; alias fields lead to their target. */
export const propertyAt = (properties: JsonObject, path: string): JsonObject | undefined => {
  let level: JsonObject = properties;
  let property: JsonObject | undefined;
  for (const segment of path.split('.')) {
    const next: JsonValue | undefined = level[segment];
    if (!isJsonObject(next)) return undefined;
    property = next;
    level = { ...(next['properties'] as JsonObject), ...(next['fields'] as JsonObject) };
  }
  return property?.['type'] === 'alias' ? propertyAt(properties, String(property['path'])) : property;
};

/** The innermost nested path above a dotted path, '' for none. */
export const nestedAbove = (properties: JsonObject, path: string): string => {
  const segments = path.split('.');
  const above = segments.slice(0, -1).map((_, i) => segments.slice(0, i + 1).join('.'));
  return above.filter((prefix) => propertyAt(properties, prefix)?.['type'] === 'nested').at(-1) ?? '';
};

/** Whatever stands at a relative path, through lists and objects; null included. */
const rawAt = (value: JsonValue | undefined, segments: readonly string[]): readonly JsonValue[] => {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => rawAt(item, segments));
  if (segments.length === 0) return [value];
  if (!isJsonObject(value)) return [];
  return segments.flatMap((_, i) => rawAt(value[segments.slice(0, i + 1).join('.')], segments.slice(i + 1)));
};

/** The objects at `path` below an object that itself stands at `objectPath`. */
export const objectsAt = (object: JsonObject, objectPath: string, path: string): readonly JsonObject[] =>
  rawAt(object, relative(objectPath, path)).filter(isJsonObject);

/** All values of a field in an object at `objectPath`, as the field's type reads them, those copied to it included. */
export const valuesIn = (
  properties: JsonObject,
  object: JsonObject,
  objectPath: string,
  path: string,
): readonly Value[] => {
  const property = propertyAt(properties, path);
  if (property === undefined) return [];
  return sourcesOf(properties, path).flatMap((source) =>
    rawAt(object, relative(objectPath, source))
      .map((raw) => raw ?? property['null_value'] ?? null)
      .flatMap((raw) => (raw === null || typeof raw === 'object' ? [] : (read(property, raw) ?? []))),
  );
};

/** A value as the field's type reads it: null when it is malformed, [] when it counts as none. */
export const read = (property: JsonObject, raw: string | number | boolean): readonly Value[] | null => {
  const type = String(property['type']);
  switch (kindOf(type)) {
    case 'number':
      return readNumber(property, type, raw);
    case 'date': {
      if (typeof raw === 'boolean') return null;
      const time = parseDate(raw, property['format'] as string | undefined, 'down');
      return time === null ? null : [time];
    }
    case 'boolean': {
      const text = String(raw);
      if (typeof raw === 'number' || !['true', 'false', ''].includes(text)) return null;
      return [text === 'true'];
    }
    case 'text':
      return wordsOf(String(raw));
    case 'keyword':
      return String(raw).length > Number(property['ignore_above'] ?? Infinity) ? [] : [String(raw)];
    default:
      return [];
  }
};

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
const symbols = /^(?:\p{Emoji_Presentation}|\p{Regional_Indicator}|\p{Emoji}\uFE0F)/u;

/** Words as the platform's own segmenter finds them, ideographs one by one; a text without any has the empty one. */
export const wordsOf = (text: string): readonly string[] => {
  const words = [...segmenter.segment(text.toLowerCase())].flatMap(({ segment, isWordLike }) => {
    if (/\p{Script=Han}/u.test(segment)) return [...segment];
    return isWordLike === true || symbols.test(segment) ? [segment] : [];
  });
  return words.length > 0 ? words : [''];
};

const limits: Readonly<Record<string, bigint>> = {
  byte: 2n ** 7n,
  short: 2n ** 15n,
  integer: 2n ** 31n,
  long: 2n ** 63n,
};

/** A fraction as its type keeps it. */
export const stored = (property: JsonObject, value: number): number => {
  switch (property['type']) {
    case 'float':
      return Math.fround(value);
    case 'half_float':
      return new (globalThis as unknown as Halves).Float16Array([value])[0]!;
    case 'scaled_float':
      return Math.round(value * Number(property['scaling_factor'])) / Number(property['scaling_factor']);
    default:
      return value;
  }
};

/** The compiler's library does not know it yet. */
interface Halves {
  readonly Float16Array: new (values: readonly number[]) => { readonly [index: number]: number };
}

const readNumber = (
  property: JsonObject,
  type: string,
  raw: string | number | boolean,
): readonly Value[] | null => {
  if (raw === '') return property['null_value'] === undefined ? [] : [Number(property['null_value'])];
  if (typeof raw === 'boolean' || Number.isNaN(Number(raw))) return null;
  if (property['coerce'] === false && (typeof raw === 'string' || !Number.isInteger(raw))) return null;
  if (!isIntegerType(type)) {
    const kept = stored(property, Number(raw));
    return Number.isFinite(kept) ? [kept] : null;
  }
  const whole = /^-?\d+$/.test(String(raw)) ? BigInt(raw) : BigInt(Math.trunc(Number(raw)));
  const [least, most] = type === 'unsigned_long' ? [0n, 2n ** 64n] : [-limits[type]!, limits[type]!];
  if (whole < least || whole >= most) return null;
  return [Number.isSafeInteger(Number(whole)) ? Number(whole) : whole];
};

/** Which paths of the document feed a field: itself, its parent if it is a multi-field, what is copied to it. */
const sourcesOf = (properties: JsonObject, path: string): readonly string[] => {
  const known = sources.get(properties) ?? new Map<string, readonly string[]>();
  sources.set(properties, known);
  const found = known.get(path) ?? findSources(properties, path);
  known.set(path, found);
  return found;
};

/** By mapping, which an index replaces when it grows, and path. */
const sources = new WeakMap<JsonObject, Map<string, readonly string[]>>();

const findSources = (properties: JsonObject, path: string): readonly string[] => {
  const own = resolveAlias(properties, path);
  const parent = own.slice(0, own.lastIndexOf('.'));
  const isMultiField = own.includes('.') && isJsonObject(propertyAt(properties, parent)?.['fields']);
  const source = isMultiField ? parent : own;
  return [source, ...copiedTo(properties, '', source)];
};

const resolveAlias = (properties: JsonObject, path: string): string => {
  const segments = path.split('.');
  let level: JsonValue | undefined = properties;
  let entry: JsonValue | undefined;
  for (const segment of segments) {
    entry = isJsonObject(level) ? level[segment] : undefined;
    level = isJsonObject(entry) ? entry['properties'] : undefined;
  }
  return isJsonObject(entry) && entry['type'] === 'alias' ? String(entry['path']) : path;
};

const copiedTo = (properties: JsonObject, prefix: string, target: string): readonly string[] =>
  Object.entries(properties).flatMap(([key, property]) => {
    if (!isJsonObject(property)) return [];
    const path = prefix + key;
    const targets = [property['copy_to']].flat();
    return [
      ...(targets.includes(target) ? [path] : []),
      ...copiedTo((property['properties'] ?? {}) as JsonObject, `${path}.`, target),
    ];
  });

const relative = (objectPath: string, path: string): readonly string[] =>
  (objectPath === '' ? path : path.slice(objectPath.length + 1)).split('.');
