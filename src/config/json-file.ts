import { readFileSync } from 'node:fs';

export type JsonFile =
  | { readonly kind: 'read'; readonly content: unknown }
  | { readonly kind: 'missing' }
  | { readonly kind: 'broken'; readonly reason: string };

/** A JSON file, with or without a byte order mark. Never throws: what is wrong with it is the caller's to report. */
export const readJsonFile = (path: string): JsonFile => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unreadable';
    return code === 'ENOENT' ? { kind: 'missing' } : { kind: 'broken', reason: `cannot be read (${code})` };
  }
  try {
    return { kind: 'read', content: JSON.parse(text.replace(/^\uFEFF/, '')) };
  } catch (error) {
    return { kind: 'broken', reason: `is not JSON${placeOf(error)}` };
  }
};

/** Only where it stopped making sense: the parser's own message quotes the file. */
const placeOf = (error: unknown): string => {
  const place = /line \d+ column \d+/.exec(String(error))?.[0];
  return place === undefined ? '' : ` (${place})`;
};
