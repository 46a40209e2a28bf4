import { allOf } from '../scoped.ts';
import type { GroupOperator } from './operator.ts';

/** All conditions hold; with a pivot, for one object together. */
export const and: GroupOperator = {
  kind: 'group',
  aliases: [],
  alone: allOf,
  together: allOf,
  negative: false,
  truth: (truths) => (truths.includes(false) ? false : truths.every((one) => one === true) ? true : null),
  neverTogether: (truths) => truths.includes(false),
};
