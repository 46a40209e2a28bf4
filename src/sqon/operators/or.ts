import { anyOf } from '../scoped.ts';
import type { GroupOperator } from './operator.ts';

/** Some condition holds; with a pivot, for some object. */
export const or: GroupOperator = {
  kind: 'group',
  aliases: [],
  alone: anyOf,
  together: anyOf,
  negative: false,
  truth: (truths) => (truths.every((one) => one === false) ? false : truths.includes(true) ? true : null),
  neverTogether: (truths) => truths.every((one) => one === false),
};
