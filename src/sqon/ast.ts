/** SQON, the filter language, as a tagged union. Made by parse.ts only; readonly throughout. */

export type SqonScalar = string | number | boolean;
export type GroupOp = 'and' | 'or' | 'not';
export type LeafOp = 'in' | 'not-in' | 'some-not-in' | 'all' | 'gt' | 'gte' | 'lt' | 'lte' | 'between';

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
  /** From here on the values are those of a saved set: compared as they are, whatever characters they hold. */
  readonly exactFrom?: number;
  readonly pivot: string | null;
  readonly at: string;
}

export interface SqonWildcard {
  readonly kind: 'wildcard';
  readonly fieldNames: readonly string[];
  /** `*` any run of characters, `?` any one; anchored at both ends, case-insensitive. */
  readonly value: string;
  readonly pivot: string | null;
  readonly at: string;
}

export type Sqon = SqonGroup | SqonLeaf | SqonWildcard;

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

export const wildcard = (
  fieldNames: readonly string[],
  value: string,
  pivot: string | null = null,
  at = '$',
): SqonWildcard => ({ kind: 'wildcard', fieldNames, value, pivot, at });
