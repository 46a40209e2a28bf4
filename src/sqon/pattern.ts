import type { PatternPart } from './filter.ts';

/** Parses a value of in, not-in or some-not-in as a pattern: only `*` is special. */
export const starPattern = (value: string): readonly PatternPart[] => partsOf(value, /\*+/g);

/** Parses the value of a wildcard: `*` is any run of characters, `?` any one. */
export const wildcardPattern = (value: string): readonly PatternPart[] => partsOf(value, /\*+|\?/g);

const partsOf = (value: string, special: RegExp): readonly PatternPart[] => {
  const parts: PatternPart[] = [];
  let from = 0;
  for (const match of value.matchAll(special)) {
    if (match.index > from) parts.push({ literal: value.slice(from, match.index) });
    parts.push({ wildcard: match[0] === '?' ? 'one' : 'any' });
    from = match.index + match[0].length;
  }
  if (from < value.length) parts.push({ literal: value.slice(from) });
  return parts;
};
