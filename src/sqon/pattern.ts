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

/** A character, any one character, or any run of them. */
type Step = { readonly char: string } | 'one' | 'any';

/**
 * Tests whole values against a pattern.
 * @param fold makes different characters equal in both, such as by lower-casing
 */
export const patternMatcher = (
  pattern: readonly PatternPart[],
  fold: (text: string) => string,
): ((value: string) => boolean) => {
  const steps = pattern.flatMap((part): readonly Step[] =>
    'wildcard' in part ? [part.wildcard] : [...fold(part.literal)].map((char) => ({ char })),
  );
  return (value) => matches(steps, [...fold(value)]);
};

/** Backtracks only to the last `any`: at worst the product of both lengths, where a regular expression is a power. */
const matches = (steps: readonly Step[], text: readonly string[]): boolean => {
  let step = 0;
  let at = 0;
  let lastAny = -1;
  let resume = 0;
  while (at < text.length) {
    const wanted = steps[step];
    if (wanted === 'any') {
      lastAny = step++;
      resume = at;
    } else if (wanted === 'one' || (wanted !== undefined && wanted.char === text[at])) {
      step++;
      at++;
    } else if (lastAny >= 0) {
      step = lastAny + 1;
      at = ++resume;
    } else return false;
  }
  return steps.slice(step).every((rest) => rest === 'any');
};
