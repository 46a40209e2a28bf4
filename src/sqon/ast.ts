/** SQON, the filter language, as a tagged union. Made by parse.ts only; readonly throughout. */

export type SqonScalar = string | number | boolean;
export type GroupOp = 'and' | 'or' | 'not';
export type LeafOp =
  'in' | 'not-in' | 'some-not-in' | 'all' | 'gt' | 'gte' | 'lt' | 'lte' | 'between' | 'starts-with';
export type MultiOp = 'wildcard' | 'search';
/** Every operator. What is known of one is its row in operators/. */
export type Operator = GroupOp | LeafOp | MultiOp;

export interface SqonGroup {
  readonly kind: 'group';
  readonly op: GroupOp;
  readonly content: readonly Sqon[];
  /** A nested path whose one object must satisfy the group, or null. */
  readonly pivot: string | null;
  /** Where it stood in the input, for messages: `$.content[0]`. */
  readonly at: string;
}

export interface SqonLeaf {
  readonly kind: 'leaf';
  readonly op: LeafOp;
  readonly fieldName: string;
  /** At least one unless the input was an empty list; a scalar became a list of one. */
  readonly values: readonly SqonScalar[];
  /** From here on values are compared as they are, whatever characters they hold: those of a saved set. */
  readonly exactFrom?: number;
  /** Values that count for none of the patterns, though they match. */
  readonly except?: readonly string[];
  /** Whether it is a search, which no facet takes for its own selection; absent where its values tell. */
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
  /** Of a search for words: the last one is as whole as the others. */
  readonly wholeWords?: boolean;
  /** Values that do not count, though they match. */
  readonly except?: readonly string[];
  readonly pivot: string | null;
  readonly at: string;
}

/**
 * What a condition on a field is where that field is not: true or false of every document. No client can write it. It
 * stands where the condition stood, so that a facet that drops its own selection finds the group as it was.
 */
export interface SqonConstant {
  readonly kind: 'constant';
  readonly value: boolean;
  readonly pivot: null;
  readonly at: string;
}

export type Sqon = SqonGroup | SqonLeaf | SqonMulti | SqonConstant;

/** The special value that stands for "no value". */
export const MISSING = '__missing__';
/** The prefix of a value that stands for the ids of a saved set. */
export const SET_PREFIX = 'set_id:';

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

export const leaf = (
  op: LeafOp,
  fieldName: string,
  values: readonly SqonScalar[],
  pivot: string | null = null,
  at = '$',
): SqonLeaf => ({ kind: 'leaf', op, fieldName, values, pivot, at });

export const multi = (
  op: MultiOp,
  fieldNames: readonly string[],
  value: string,
  pivot: string | null = null,
  at = '$',
): SqonMulti => ({ kind: 'multi', op, fieldNames, value, pivot, at });

export const wildcard = (
  fieldNames: readonly string[],
  value: string,
  pivot: string | null = null,
  at = '$',
): SqonMulti => multi('wildcard', fieldNames, value, pivot, at);

export const constant = (value: boolean, at = '$'): SqonConstant => ({
  kind: 'constant',
  value,
  pivot: null,
  at,
});
