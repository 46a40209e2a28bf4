import { isJsonObject, setOwn, type JsonValue } from './json.ts';

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
  const dot = path.indexOf('.');
  const head = path.slice(0, dot);
  return dot > 0 && Object.hasOwn(value, head) ? valueAt(value[head], path.slice(dot + 1)) : undefined;
};

/**
 * Sets a value at a path where there is none yet; where the path leads through a list of objects, in each of them.
 * @param target changed in place, with all the objects that are in it
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
