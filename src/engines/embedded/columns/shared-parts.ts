import { LRUCache } from 'lru-cache';

/** The parts of queries that are long: lists of values, and sets of them. Branches of a hierarchy occur in many searches. */

/** Shorter ones are sent unchanged. */
const minLength = 256;

/** The limit on the parts that a thread keeps, as texts, in bytes. */
const maxKeptBytes = 2 ** 25;

/** A part as threads send it: its JSON in shared memory. */
class SharedPart {
  readonly sharedPart: string;
  readonly json: Uint8Array<SharedArrayBuffer>;

  constructor(part: object) {
    const text = Buffer.from(JSON.stringify(part));
    this.sharedPart = String(++shared);
    this.json = new Uint8Array(new SharedArrayBuffer(text.length));
    this.json.set(text);
  }
}

let shared = 0;

/** Parts that were sent once; when they are sent again they are shared. */
const sentOnce = new WeakSet<object>();
const sharedParts = new WeakMap<object, SharedPart>();

/** The names of received parts, unique in the thread that sent them. */
const names = new WeakMap<object, string>();
const received = new LRUCache<string, object>({ maxSize: maxKeptBytes });

/** A query with its long parts in shared memory, where they were sent before. It must not be changed afterwards. */
export const packed = <Part>(query: Part): Part =>
  replaced(query, (part) => {
    if (!isLong(part)) return undefined;
    const known = sharedParts.get(part);
    if (known !== undefined) return known;
    if (!sentOnce.has(part)) {
      sentOnce.add(part);
      return part;
    }
    const made = new SharedPart(part);
    sharedParts.set(part, made);
    return made;
  }) as Part;

/** The query again: a part that was received before is the same object. */
export const unpacked = <Part>(query: Part): Part =>
  replaced(query, (part) => {
    if (!('sharedPart' in part) || !('json' in part)) return isLong(part) ? part : undefined;
    const { sharedPart, json } = part as SharedPart;
    const known = received.get(sharedPart);
    if (known !== undefined) return known;
    const made = JSON.parse(Buffer.from(json).toString()) as object;
    received.set(sharedPart, made, { size: json.length });
    names.set(made, sharedPart);
    return made;
  }) as Part;

/** For keys: long parts that were received in shared memory by their names. */
export const named = (query: unknown): unknown =>
  replaced(query, (part) =>
    names.has(part) ? { sharedPart: names.get(part) } : isLong(part) ? part : undefined,
  );

const isLong = (part: object): boolean =>
  Array.isArray(part)
    ? part.length >= minLength && typeof part[0] !== 'object'
    : 'sets' in part && 'values' in part && Array.isArray(part.values) && part.values.length >= minLength;

/**
 * @param replace returns the replacement of a part; undefined: only the parts inside it are replaced
 * @param known the replacements so far: filters that are one object stay one
 */
const replaced = (
  part: unknown,
  replace: (part: object) => object | undefined,
  known = new Map<object, object>(),
): unknown => {
  if (typeof part !== 'object' || part === null) return part;
  const shared =
    known.get(part) ?? replace(part) ?? withReplaced(part, (child) => replaced(child, replace, known));
  known.set(part, shared);
  return shared;
};

const withReplaced = (part: object, replace: (part: unknown) => unknown): object => {
  if (Array.isArray(part)) return typeof part[0] === 'object' ? part.map(replace) : part;
  let changed: Record<string, unknown> | null = null;
  for (const key in part) {
    const before = (part as Record<string, unknown>)[key];
    const after = replace(before);
    if (after !== before) (changed ??= { ...part })[key] = after;
  }
  return changed ?? part;
};
