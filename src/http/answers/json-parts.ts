import { isUnserializable, jsonValue } from './json-value.ts';
import { roomBeside } from '../../json/large/json-weight.ts';

/** A chunk of a JSON text: literal text, or a value or list items small enough to serialize at once. */
export type JsonPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'items'; readonly items: readonly unknown[]; readonly path: readonly string[] };

/** Approximate upper bound of a part; the largest is the longest text made up of escapes only. */
const partCharacters = 16 * 1024;

/**
 * Yields the JSON text of a value in parts, each generated on demand.
 * @param path of the value: locates a part in the response
 */
export function* jsonParts(value: unknown, path: readonly string[] = []): Generator<JsonPart, void> {
  const json = jsonValue(value);
  if (typeof json === 'string' && json.length > partCharacters) yield* textParts(json);
  else if (typeof json !== 'object' || json === null || roomBeside(json, partCharacters) >= 0)
    yield { kind: 'value', value: json };
  else if (Array.isArray(json)) yield* listParts(json, path);
  else yield* objectParts(json, path);
}

const text = (characters: string): JsonPart => ({ kind: 'text', text: characters });

function* textParts(long: string): Generator<JsonPart, void> {
  yield text('"');
  for (let from = 0; from < long.length;) {
    let to = Math.min(long.length, from + partCharacters);
    // do not split a surrogate pair
    if (to < long.length && isFirstHalf(long.charCodeAt(to - 1))) to--;
    yield text(JSON.stringify(long.slice(from, to)).slice(1, -1));
    from = to;
  }
  yield text('"');
}

const isFirstHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

function* listParts(list: readonly unknown[], path: readonly string[]): Generator<JsonPart, void> {
  yield text('[');
  for (let from = 0; from < list.length;) {
    if (from > 0) yield text(',');
    const to = from + fittingItems(list, from);
    if (to > from) yield { kind: 'items', items: list.slice(from, to), path };
    else yield* jsonParts(isUnserializable(jsonValue(list[from])) ? null : list[from], path);
    from = Math.max(to, from + 1);
  }
  yield text(']');
}

/** How many of the next items fit into one part; none if the first is too large. */
const fittingItems = (list: readonly unknown[], from: number): number => {
  let room = partCharacters;
  let to = from;
  while (to < list.length) {
    room = roomBeside(list[to], room);
    if (room < 0) break;
    to++;
  }
  return to - from;
};

function* objectParts(object: object, path: readonly string[]): Generator<JsonPart, void> {
  yield text('{');
  let before = '';
  for (const key of Object.keys(object)) {
    const value = jsonValue((object as Readonly<Record<string, unknown>>)[key]);
    if (isUnserializable(value)) continue;
    yield text(`${before}${JSON.stringify(key)}:`);
    yield* jsonParts(value, [...path, key]);
    before = ',';
  }
  yield text('}');
}
