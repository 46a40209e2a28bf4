import { starPattern, wildcardPattern } from '../../sqon/pattern.ts';
import { patternMatcher } from '../../sqon/pattern-matcher.ts';

/**
 * Whether a value matches a client's pattern as a whole.
 * @param isWildcard the operator `wildcard`: `?` is any one character and the case of ASCII letters does not count; else only `*` is special
 */
export const patternTest = (pattern: string, isWildcard: boolean): ((value: string) => boolean) =>
  isWildcard
    ? patternMatcher(wildcardPattern(pattern), foldAscii)
    : patternMatcher(starPattern(pattern), (text) => text);

/** As engines fold case in a catalogue. */
const foldAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
