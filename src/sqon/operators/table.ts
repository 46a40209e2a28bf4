import type { GroupOp, LeafOp, MultiOp, Operator } from '../ast.ts';
import { all, is, isIn, notIn, someNotIn } from './membership.ts';
import { under } from './under.ts';
import { between, gt, gte, lt, lte } from './ranges.ts';
import type { GroupOperator, LeafOperator, MultiOperator } from './operator.ts';
import { search, startsWith, wildcard } from './searches.ts';
import { allOf, anyOf } from '../scope.ts';

/** All conditions hold; with a pivot, for one object together. */
const and: GroupOperator = {
  kind: 'group',
  aliases: [],
  alone: allOf,
  together: allOf,
  negative: false,
  truth: (truths) => (truths.includes(false) ? false : truths.every((truth) => truth === true) ? true : null),
  neverTogether: (truths) => truths.includes(false),
};

/** Some condition holds; with a pivot, for some object. */
const or: GroupOperator = {
  kind: 'group',
  aliases: [],
  alone: anyOf,
  together: anyOf,
  negative: false,
  truth: (truths) => (truths.every((truth) => truth === false) ? false : truths.includes(true) ? true : null),
  neverTogether: (truths) => truths.every((truth) => truth === false),
};

/** None of them holds; with a pivot, no object satisfies all of them together. */
const not: GroupOperator = {
  kind: 'group',
  aliases: [],
  alone: anyOf,
  together: allOf,
  negative: true,
  truth: (truths) => (truths.includes(true) ? false : truths.every((truth) => truth === false) ? true : null),
  neverTogether: (truths) => truths.includes(false),
};

/**
 * All operators, in the order in which they are listed. Parsing, compiling, validation, the descriptions of operators
 * and the network's translation read it here.
 */
export const operators: {
  readonly [Op in Operator]: Op extends GroupOp
    ? GroupOperator
    : Op extends LeafOp
      ? LeafOperator
      : Op extends MultiOp
        ? MultiOperator
        : never;
} = {
  and,
  or,
  not,
  in: isIn,
  'not-in': notIn,
  'some-not-in': someNotIn,
  all,
  gt,
  gte,
  lt,
  lte,
  between,
  wildcard,
  'starts-with': startsWith,
  search,
  is,
  under,
};

/** The names of all operators, in that order. */
export const operatorNames = Object.keys(operators) as readonly Operator[];

/** The names of one kind of operators, in that order. */
export const namesOf = <Kind extends 'group' | 'leaf' | 'multi'>(kind: Kind): readonly NamesOf[Kind][] =>
  operatorNames.filter((op) => operators[op].kind === kind) as NamesOf[Kind][];

interface NamesOf {
  readonly group: GroupOp;
  readonly leaf: LeafOp;
  readonly multi: MultiOp;
}

const accepted: ReadonlyMap<string, Operator> = new Map([
  ...operatorNames.map((op) => [op, op] as const),
  ...operatorNames.flatMap((op) => operators[op].aliases.map((alias) => [alias, op] as const)),
]);

/** The operator that a written `op` refers to, including aliases, or undefined if unknown. */
export const operatorMeant = (op: unknown): Operator | undefined =>
  typeof op === 'string' ? accepted.get(op) : undefined;
