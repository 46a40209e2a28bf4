import { hash } from 'node:crypto';
import type { Fields } from './field.ts';

/** Identifies what can be queried in a catalogue: equal fingerprints, equal fields. 32 hexadecimal digits. */
export const fieldsFingerprint = (fields: Fields): string => {
  const known = fingerprints.get(fields);
  if (known !== undefined) return known;
  const entries = [...fields.values()].map(({ path, type, isArray, format = null }) => [
    path,
    type,
    isArray,
    format,
  ]);
  // the key order of a mapping is irrelevant
  entries.sort(([left], [right]) => (String(left) < String(right) ? -1 : 1));
  const made = hash('sha256', JSON.stringify(entries)).slice(0, 32);
  fingerprints.set(fields, made);
  return made;
};

/** Sent with every answer. Entries live as long as their fields; fields changed in place would make one wrong. */
const fingerprints = new WeakMap<Fields, string>();
