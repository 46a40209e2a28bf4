import { keywordTest } from '../../engines/semantics/search-word.ts';
import type { MultiOp, SqonMulti } from '../../sqon/ast.ts';
import { wildcardPattern, patternMatcher } from '../../sqon/pattern.ts';

/** Tests whether a value, as the network shows it, matches a part of a search, by search operator. */
export const shownTests: { readonly [Op in MultiOp]: (part: SqonMulti) => (shown: string) => boolean } = {
  wildcard: ({ value }) => patternMatcher(wildcardPattern(value), foldAscii),
  search: ({ value, wholeWords }) => keywordTest({ word: value, isPrefix: wholeWords !== true }),
};

/** Folds case as engines do in a catalogue. */
const foldAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
