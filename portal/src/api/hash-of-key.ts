import { hashKey, type QueryKey } from '@tanstack/react-query';

/** As the library makes it, but a question that holds thousands of values is written down once, not at every drawing. */
export const hashOfKey = (key: QueryKey): string => key.map(hashOfPart).join('\n');

const hashes = new WeakMap<object, string>();

const hashOfPart = (part: unknown): string => {
  if (typeof part !== 'object' || part === null) return hashKey([part]);
  const known = hashes.get(part);
  if (known !== undefined) return known;
  const hash = hashKey([part]);
  hashes.set(part, hash);
  return hash;
};
