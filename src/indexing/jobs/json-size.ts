import type { JsonValue } from '../../json/json.ts';

/** Approximate size of a value as JSON, in bytes: enough to bound a request, much cheaper than serializing. */
export const jsonSize = (value: JsonValue | undefined): number => {
  switch (typeof value) {
    case 'string':
      return value.length + 3;
    case 'object': {
      if (value === null) return 5;
      if (Array.isArray(value))
        return (value as readonly JsonValue[]).reduce<number>((size, item) => size + jsonSize(item) + 1, 3);
      let size = 3;
      for (const key in value) size += key.length + 4 + jsonSize((value as Record<string, JsonValue>)[key]);
      return size;
    }
    case 'number':
    case 'boolean':
    case 'undefined':
    case 'bigint':
    case 'function':
    case 'symbol':
      return 8;
  }
};
