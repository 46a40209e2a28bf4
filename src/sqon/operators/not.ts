import { allOf, anyOf } from '../scoped.ts';
import type { GroupOperator } from './operator.ts';

/** None of them holds; with a pivot, no object satisfies all of them together. */
export const not: GroupOperator = {
  kind: 'group',
  aliases: [],
  alone: anyOf,
  together: allOf,
  negative: true,
  truth: (truths) => (truths.includes(true) ? false : truths.every((one) => one === false) ? true : null),
  neverTogether: (truths) => truths.includes(false),
};
