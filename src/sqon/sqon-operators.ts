import type { GroupOp, LeafOp } from './ast.ts';

/** What an `op` means: a group, a leaf with `fieldName`, or a wildcard with `fieldNames`. */
export type OperatorMeaning =
  | { readonly kind: 'group'; readonly op: GroupOp }
  | { readonly kind: 'leaf'; readonly op: LeafOp }
  | { readonly kind: 'wildcard' };

export const groupOps: readonly GroupOp[] = ['and', 'or', 'not'];
export const leafOps: readonly LeafOp[] = [
  'in', 'not-in', 'some-not-in', 'all', 'gt', 'gte', 'lt', 'lte', 'between',
]; // prettier-ignore

/** Other spellings the contract accepts, and what they stand for. */
export const operatorAliases: Readonly<Record<string, LeafOp | 'wildcard'>> = {
  filter: 'wildcard',
  '>': 'gt',
  '>=': 'gte',
  '=': 'in',
  '==': 'in',
  '===': 'in',
  '<': 'lt',
  '<=': 'lte',
  '!=': 'not-in',
  '!==': 'not-in',
};

const canonical = new Map<string, OperatorMeaning>([
  ...groupOps.map((op): [string, OperatorMeaning] => [op, { kind: 'group', op }]),
  ...leafOps.map((op): [string, OperatorMeaning] => [op, { kind: 'leaf', op }]),
  ['wildcard', { kind: 'wildcard' }],
]);

const accepted = new Map<string, OperatorMeaning>([
  ...canonical,
  ...Object.entries(operatorAliases).map(([alias, op]): [string, OperatorMeaning] => [
    alias,
    canonical.get(op)!,
  ]),
]);

/** What an `op` as written means, or undefined when it is no operator. */
export const operatorMeaning = (op: unknown): OperatorMeaning | undefined =>
  typeof op === 'string' ? accepted.get(op) : undefined;

/** The accepted operators, for messages. */
export const operatorNames = (): string => [...canonical.keys()].join(', ');
