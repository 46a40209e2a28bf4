import { jsonValue } from './json-value.ts';

/** The size in UTF-8 bytes of what JSON.stringify would return, computed without serializing. 0 for what it omits. */
export const jsonSize = (value: unknown): number => {
  switch (typeof value) {
    case 'string':
      return textSize(value);
    case 'number':
      return Number.isFinite(value) ? numberSize(value) : 4;
    case 'boolean':
      return value ? 4 : 5;
    case 'object':
      return value === null ? 4 : membersSize(value);
    case 'bigint':
    case 'function':
    case 'symbol':
    case 'undefined':
      return 0;
  }
};

const membersSize = (members: object): number => {
  if (Array.isArray(members)) return listSize(members);
  const json = jsonValue(members);
  return json === members ? objectSize(members) : jsonSize(json);
};

const numberSize = (value: number): number => {
  // the most common case, without formatting the number
  if (Number.isInteger(value) && value >= 0 && value < 1_000_000) {
    if (value < 1_000) return value < 10 ? 1 : value < 100 ? 2 : 3;
    return value < 10_000 ? 4 : value < 100_000 ? 5 : 6;
  }
  return String(value).length;
};

const listSize = (list: readonly unknown[]): number => {
  let bytes = 2 + Math.max(0, list.length - 1);
  for (const item of list) bytes += jsonSize(item) || 4;
  return bytes;
};

const objectSize = (object: object): number => {
  let bytes = 2;
  let members = 0;
  for (const key of Object.keys(object)) {
    const size = jsonSize((object as Readonly<Record<string, unknown>>)[key]);
    // omitted values have no size
    if (size === 0) continue;
    members++;
    bytes += textSize(key) + 1 + size;
  }
  return bytes + Math.max(0, members - 1);
};

/** Bytes that each ASCII character takes inside a JSON string. */
const asciiSizes = Uint8Array.from(
  { length: 128 },
  (_, code) => JSON.stringify(String.fromCharCode(code)).length - 2,
);

const special = /[^\x20\x21\x23-\x5b\x5d-\x7f]/;
/** Below this length, a loop over the characters is faster than a regular expression. */
const shortText = 24;

/** The bytes of a text as JSON, quotes included. A lone surrogate is written as an escape. */
const textSize = (text: string): number => {
  if (text.length > shortText && !special.test(text)) return text.length + 2;
  let bytes = 2;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) bytes += asciiSizes[code]!;
    else if (code < 0x800) bytes += 2;
    else if (code < 0xd800 || code > 0xdfff) bytes += 3;
    else if (isPair(text, at)) {
      bytes += 4;
      at++;
    } else bytes += 6;
  }
  return bytes;
};

const isPair = (text: string, at: number): boolean => {
  const next = text.charCodeAt(at + 1);
  return text.charCodeAt(at) < 0xdc00 && next >= 0xdc00 && next <= 0xdfff;
};
