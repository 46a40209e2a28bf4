import { combinationOperators, fieldOperators, operatorAliases } from './describe/operators.ts';
import type { GroupOp, LeafOp } from './ast.ts';

/** What an `op` means: a group, a leaf with `fieldName`, or a wildcard with `fieldNames`. */
export type OperatorMeaning =
  | { readonly kind: 'group'; readonly op: GroupOp }
  | { readonly kind: 'leaf'; readonly op: LeafOp }
  | { readonly kind: 'wildcard' };

type Meanings = readonly (readonly [string, OperatorMeaning])[];

const canonical: ReadonlyMap<string, OperatorMeaning> = new Map([
  ...(combinationOperators.map((op) => [op, { kind: 'group', op }]) as Meanings),
  ...(fieldOperators.map((op) => [op, { kind: 'leaf', op }]) as Meanings),
  ['wildcard', { kind: 'wildcard' }],
]);

const accepted: ReadonlyMap<string, OperatorMeaning> = new Map([
  ...canonical,
  ...Object.entries(operatorAliases).map(([alias, op]) => [alias, canonical.get(op)!] as const),
]);

/** What an `op` as written means, aliases included, or undefined when it is no operator. */
export const operatorMeaning = (op: unknown): OperatorMeaning | undefined =>
  typeof op === 'string' ? accepted.get(op) : undefined;

/** The canonical operators, for messages. */
export const operatorNames = (): string => [...canonical.keys()].join(', ');
