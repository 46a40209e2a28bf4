import { allOf, anyOf } from '../scope.ts';
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
