import type { PatternPart, RangeBound } from '../../sqon/filter.ts';
import type { PartFilter } from './key-query.ts';
import { utf8Order } from './utf8-order.ts';

/** Whether a key satisfies a pattern or range, as it would as a value of a keyword field. */
export const matchesKey = (filter: PartFilter, key: string): boolean => {
  if (filter.kind === 'pattern') {
    const fold = filter.caseInsensitive ? foldAscii : (text: string): string => text;
    return matchesPattern(stepsOf(filter.pattern, fold), [...fold(key)]);
  }
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

/** A character, any one of them, or any number of them. */
type Step = string | typeof one | typeof any;
const one = Symbol('one');
const any = Symbol('any');

const stepsOf = (pattern: readonly PatternPart[], fold: (text: string) => string): readonly Step[] =>
  pattern.flatMap((part): readonly Step[] =>
    'literal' in part ? [...fold(part.literal)] : [part.wildcard === 'any' ? any : one],
  );

/** On a mismatch the last `any` takes one character more: at worst the product of both lengths. */
const matchesPattern = (steps: readonly Step[], text: readonly string[]): boolean => {
  let step = 0;
  let at = 0;
  let last = -1;
  let resume = 0;
  while (at < text.length) {
    if (steps[step] === any) {
      last = step;
      step += 1;
      resume = at;
    } else if (steps[step] === one || steps[step] === text[at]) {
      step += 1;
      at += 1;
    } else if (last >= 0) {
      resume += 1;
      at = resume;
      step = last + 1;
    } else return false;
  }
  return steps.slice(step).every((rest) => rest === any);
};
