import { readFileSync } from 'node:fs';
import { jsonSyntaxError } from './json-syntax-error.ts';

export type JsonFile =
  | { readonly kind: 'read'; readonly content: unknown }
  | { readonly kind: 'missing' }
  | { readonly kind: 'broken'; readonly reason: string };

/** A JSON file, with or without a byte order mark. Never throws: the caller reports problems. */
export const readJsonFile = (path: string): JsonFile => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unreadable';
    return code === 'ENOENT' ? { kind: 'missing' } : { kind: 'broken', reason: `cannot be read (${code})` };
  }
  const json = text.replace(/^\uFEFF/, '');
  try {
    return { kind: 'read', content: JSON.parse(json) };
  } catch {
    return { kind: 'broken', reason: `is not JSON${faultOf(json)}` };
  }
};

const faultOf = (json: string): string => {
  const fault = jsonSyntaxError(json);
  return fault === null
    ? ''
    : ` (line ${fault.line} column ${fault.column}): ${json.trim() === '' ? 'the file is empty' : `${fault.expected} expected`}`;
};
