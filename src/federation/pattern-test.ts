import { starPattern, wildcardPattern } from '../sqon/pattern.ts';
import { patternMatcher } from '../sqon/pattern-matcher.ts';

/**
 * Whether a value matches a client's pattern as a whole.
 * @param isWildcard the operator `wildcard`: `?` is any one character and case does not count; else only `*` is special
 */
export const patternTest = (pattern: string, isWildcard: boolean): ((value: string) => boolean) =>
  isWildcard
    ? patternMatcher(wildcardPattern(pattern), (text) => text.toLowerCase())
    : patternMatcher(starPattern(pattern), (text) => text);
