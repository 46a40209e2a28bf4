/** JSON values. */
export type JsonScalar = string | number | boolean | null;
export type JsonValue = JsonScalar | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** True for `{...}`, false for null, lists and scalars. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object inside an object; empty if absent. */
export const objectIn = (object: JsonObject, name: string): JsonObject => {
  const value = object[name];
  return isJsonObject(value) ? value : {};
};

/** The objects of a list inside an object. */
export const objectsIn = (object: JsonObject, name: string): readonly JsonObject[] => {
  const value = object[name];
  return Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];
};

/** A number inside an object; 0 if absent. */
export const numberIn = (object: JsonObject, name: string): number => Number(object[name] ?? 0);

/**
 * Sets a key of an object under construction, even `__proto__`, for which a plain assignment would set the prototype.
 */
export const setOwn = (object: Record<string, unknown>, key: string, value: unknown): void => {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
  else object[key] = value;
};

/** A whole number as it is shown: a JSON number up to 2^53, its digits beyond. */
export const shownWhole = (value: bigint): number | string =>
  value >= -lastExact && value <= lastExact ? Number(value) : value.toString();

const lastExact = 2n ** 53n;

/** Whether the text is digits for a bigint, limited in number. */
export const isWholeText = (text: string): boolean => /^[+-]?\d{1,400}$/.test(text);

/** Digits as the number that is shown for them; any other text stays. */
export const shownDigits = (text: string): number | string =>
  isWholeText(text) ? shownWhole(BigInt(text)) : text;

/** Compares numbers, which may be strings of digits beyond 2^53. */
export const compareNumbers = (a: number | string, b: number | string): number => {
  const [left, right] = [comparable(a), comparable(b)];
  return left < right ? -1 : left > right ? 1 : 0;
};

/** The value as a number or bigint; the two compare exactly. */
const comparable = (value: number | string): number | bigint =>
  typeof value === 'string' && isWholeText(value) ? BigInt(value) : Number(value);

/** Average size of a number, so that the weight of lists of numbers is close to their size. */
const numberBytes = 8;

/** Approximately how many characters a value has as JSON. */
export const sizeOf = (value: unknown): number =>
  Number.MAX_SAFE_INTEGER - roomBeside(value, Number.MAX_SAFE_INTEGER);

/**
 * Approximately how much of `room` is left after serializing a value, in characters: strings are not scanned, toJSON is
 * not called. Negative if the value does not fit; counting then stops early.
 */
export const roomBeside = (value: unknown, room: number): number => {
  if (typeof value === 'string') return room - value.length - 3;
  if (typeof value !== 'object' || value === null) return room - numberBytes;
  let left = room - 2;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && left >= 0; at++) left = roomBeside(value[at], left);
    return left;
  }
  // not `for in`: with some objects that have no prototype, V8 would recompile this function again and again
  for (const key of Object.keys(value)) {
    left = roomBeside((value as Readonly<Record<string, unknown>>)[key], left - key.length - 3);
    if (left < 0) break;
  }
  return left;
};

/** An object under construction. */
export type Draft = Record<string, unknown>;

/** The values stored under a dotted path, through lists of objects; a key may itself contain the dots. */
export const valueAt = (value: JsonValue | undefined, path: string): JsonValue | undefined => {
  if (Array.isArray(value)) {
    const found = (value as readonly JsonValue[]).flatMap((item) => valueAt(item, path) ?? []);
    return found.length === 0 ? undefined : found;
  }
  if (!isJsonObject(value)) return undefined;
  if (Object.hasOwn(value, path)) return value[path];
  for (let dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
    const head = path.slice(0, dot);
    const found = Object.hasOwn(value, head) ? valueAt(value[head], path.slice(dot + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
};

/**
 * Sets a value at a path that has none yet; if the path leads through a list of objects, in each of them.
 * @param target changed in place, with all objects in it
 */
export const putAt = (target: Draft, path: readonly string[], value: unknown): void => {
  const [name, ...rest] = path;
  const known = Object.hasOwn(target, name!) ? target[name!] : undefined;
  if (rest.length === 0) {
    if (known === undefined) setOwn(target, name!, value);
    return;
  }
  const inner = known ?? {};
  if (known === undefined) setOwn(target, name!, inner);
  for (const one of Array.isArray(inner) ? (inner as unknown[]) : [inner])
    if (typeof one === 'object' && one !== null) putAt(one as Draft, rest, value);
};
