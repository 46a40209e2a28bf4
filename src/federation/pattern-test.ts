import type { PatternPart } from '../sqon/filter.ts';
import { starPattern, wildcardPattern } from '../sqon/pattern.ts';

/**
 * Whether a value matches a client's pattern as a whole.
 * @param isWildcard the operator `wildcard`: `?` is any one character and case does not count; else only `*` is special
 */
export const patternTest = (pattern: string, isWildcard: boolean): ((value: string) => boolean) => {
  const fold = (text: string): string => (isWildcard ? text.toLowerCase() : text);
  const parts = isWildcard ? wildcardPattern(pattern) : starPattern(pattern);
  const steps = parts.flatMap((part) => stepsOf(part, fold));
  return (value) => matches(steps, [...fold(value)]);
};

/** A character, any one character, or any run of them. */
type Step = { readonly char: string } | 'one' | 'any';

const stepsOf = (part: PatternPart, fold: (text: string) => string): readonly Step[] =>
  'wildcard' in part ? [part.wildcard] : [...fold(part.literal)].map((char) => ({ char }));

/** Only ever goes back to the last `any`: at worst the product of both lengths, where a regular expression is a power. */
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
