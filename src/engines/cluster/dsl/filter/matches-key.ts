import type { RangeBound } from '../../../../sqon/filter.ts';
import { patternMatcher } from '../../../../sqon/pattern.ts';
import type { PartFilter } from './key-query.ts';
import { keywordTest } from '../../../semantics/search-word.ts';
import { utf8Order } from '../../../semantics/utf8-order.ts';

/** Whether a key satisfies a pattern, word or range as if it were a keyword value. */
export const matchesKey = (filter: PartFilter, key: string): boolean => {
  if (filter.kind === 'pattern') {
    const fold = filter.caseInsensitive ? foldAscii : (text: string): string => text;
    return patternMatcher(filter.pattern, fold)(key);
  }
  if (filter.kind === 'word') return keywordTest(filter)(key) && filter.except?.includes(key) !== true;
  const { gt, gte, lt, lte } = filter;
  return (
    holds(gt, (order) => order > 0, key) &&
    holds(gte, (order) => order >= 0, key) &&
    holds(lt, (order) => order < 0, key) &&
    holds(lte, (order) => order <= 0, key)
  );
};

const holds = (bound: RangeBound | undefined, fits: (order: number) => boolean, key: string): boolean =>
  bound === undefined || fits(utf8Order(key, String(bound)));

const foldAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
