/** SQON, the filter language, as a tagged union. Constructed only by parse.ts; readonly throughout. */

export type SqonScalar = string | number | boolean;
export type GroupOp = 'and' | 'or' | 'not';
const membershipOps = ['in', 'not-in', 'some-not-in', 'all', 'is'] as const;
/** The operators that compare values with a list. */
type MembershipOp = (typeof membershipOps)[number];
export type LeafOp = MembershipOp | 'gt' | 'gte' | 'lt' | 'lte' | 'between' | 'starts-with' | 'under';
export type MultiOp = 'wildcard' | 'search';
/** Every operator. Each is defined by its row in operators/. */
export type Operator = GroupOp | LeafOp | MultiOp;

export interface SqonGroup {
  readonly kind: 'group';
  readonly op: GroupOp;
  readonly content: readonly Sqon[];
  /** A nested path at which a single object must satisfy the group, or null. */
  readonly pivot: string | null;
  /** Its location in the input, for messages: `$.content[0]`. */
  readonly at: string;
}

export interface SqonLeaf {
  readonly kind: 'leaf';
  readonly op: LeafOp;
  readonly fieldName: string;
  /** At least one unless the input was an empty list; a scalar became a list of one. */
  readonly values: readonly SqonScalar[];
  /** From this index on, values are compared literally, whatever characters they contain: values of a saved set. */
  readonly exactFrom?: number;
  /** Values that no pattern counts, even if they match. */
  readonly except?: readonly string[];
  /** For `under`, the terms whose branches are left out. */
  readonly exceptTerms?: readonly string[];
  /** Whether it is a search, which no facet treats as its own selection; absent where that follows from its values. */
  readonly isSearch?: boolean;
  readonly pivot: string | null;
  readonly at: string;
}

/** A condition on several fields at once. */
export interface SqonMulti {
  readonly kind: 'multi';
  readonly op: MultiOp;
  readonly fieldNames: readonly string[];
  readonly value: string;
  /** For a word search: the last word is complete, like the others. */
  readonly wholeWords?: boolean;
  /** Values that do not count, even if they match. */
  readonly except?: readonly string[];
  readonly pivot: string | null;
  readonly at: string;
}

/**
 * Replaces a condition on a field that does not exist there: true or false for every document. Clients cannot write it.
 * It keeps the condition's place, so that a facet that drops its own selection finds the group unchanged.
 */
export interface SqonConstant {
  readonly kind: 'constant';
  readonly value: boolean;
  readonly pivot: null;
  readonly at: string;
}

export type Sqon = SqonGroup | SqonLeaf | SqonMulti | SqonConstant;

/** Whether an operator compares values with a list. */
export const isMembership = (op: string): op is MembershipOp =>
  (membershipOps as readonly string[]).includes(op);

/** The special value for "no value". */
export const MISSING = '__missing__';

/** The key of values that a release counts together because it does not list them. */
export const OTHER = '__other__';
/** The prefix of a value that refers to the ids of a saved set. */
export const SET_PREFIX = 'set_id:';

/** Whether a value of in, not-in, some-not-in or all is a pattern: only a star at its end makes it one. */
export const isPrefixPattern = (value: unknown): value is string =>
  typeof value === 'string' && value.endsWith('*') && !value.startsWith(SET_PREFIX);

/** Whether a value means something other than itself in these operators: a pattern, a saved set, or no value. */
export const isSpecialValue = (value: unknown): boolean =>
  typeof value === 'string' && (value.endsWith('*') || value === MISSING || value.startsWith(SET_PREFIX));

/** A group. @param at JSON path, for messages */
export const group = (
  op: GroupOp,
  content: readonly Sqon[],
  pivot: string | null = null,
  at = '$',
): SqonGroup => ({
  kind: 'group',
  op,
  content,
  pivot,
  at,
});

/** A condition on one field. @param at JSON path, for messages */
export const leaf = (
  op: LeafOp,
  fieldName: string,
  values: readonly SqonScalar[],
  pivot: string | null = null,
  at = '$',
): SqonLeaf => ({ kind: 'leaf', op, fieldName, values, pivot, at });

/** A condition on several fields. @param at JSON path, for messages */
export const multi = (
  op: MultiOp,
  fieldNames: readonly string[],
  value: string,
  pivot: string | null = null,
  at = '$',
): SqonMulti => ({ kind: 'multi', op, fieldNames, value, pivot, at });

/** A pattern on several fields. @param at JSON path, for messages */
export const wildcard = (
  fieldNames: readonly string[],
  value: string,
  pivot: string | null = null,
  at = '$',
): SqonMulti => multi('wildcard', fieldNames, value, pivot, at);

/** A condition with the same result for every document. @param at JSON path, for messages */
export const constant = (value: boolean, at = '$'): SqonConstant => ({
  kind: 'constant',
  value,
  pivot: null,
  at,
});
