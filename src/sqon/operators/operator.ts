import type { Field, FieldKind } from '../../introspection/fields/field.ts';
import type { JsonObject } from '../../json.ts';
import type { Sqon, SqonLeaf, SqonMulti, SqonScalar } from '../ast.ts';
import type { Filter } from '../filter.ts';
import type { Bound } from '../range-filter.ts';
import type { Compilation } from '../scope.ts';
import type { Scoped } from '../scoped.ts';

/** What every row says. */
interface Row {
  /** Other spellings that are accepted. */
  readonly aliases: readonly string[];
}

/** What a row says of an operator on fields. */
interface FieldRow<Node> extends Row {
  /** What the introspection payloads say; null for an operator that they leave out, as existing clients compare them. */
  readonly introspection: Introspection | null;
  /** What stands for it at a server that does not know it; null where every server does. */
  readonly older: Older<Node> | null;
}

export interface Introspection {
  /** The types of fields under which it is listed. */
  readonly listedFor: readonly TypeClass[];
  /** The name it is listed under, where that is an alias. */
  readonly listedAs?: string;
  /** The types it applies to, in words of JSON Schema documents. */
  readonly applicableTo: 'all' | readonly string[];
  readonly valueType: string;
}

/**
 * The types of fields that clients know to have one list of operators: `ordered` those with a range alone, `measured`
 * the other numbers and dates, `named` keywords and booleans, `other` the rest.
 */
export type TypeClass = 'ordered' | 'measured' | 'named' | 'other';

/** A condition that a server without the operator takes, and what the answer is not then. */
export interface Older<Node> {
  readonly means: (sqon: Node) => Sqon;
  /** What differs, as the end of a sentence. */
  readonly warning: string;
}

/** A group of conditions. */
export interface GroupOperator extends Row {
  readonly kind: 'group';
  /** How its conditions are joined when each may be met by another object. */
  readonly alone: (parts: readonly Scoped[]) => Scoped;
  /** How they are joined when one object at the pivot must meet them. */
  readonly together: (parts: readonly Scoped[]) => Scoped;
  /** Whether it holds where what is joined does not. */
  readonly negative: boolean;
  /** What it is of every document, from what its conditions are; null when it depends on the document. */
  readonly truth: (truths: readonly (boolean | null)[]) => boolean | null;
  /** Whether no object at all can meet them together. */
  readonly neverTogether: (truths: readonly (boolean | null)[]) => boolean;
}

/** A condition on one field with a list of values. */
export interface LeafOperator extends FieldRow<SqonLeaf> {
  readonly kind: 'leaf';
  /** What it is the complement of, and of which: the object that holds the field, or the whole record. */
  readonly complement: { readonly of: 'in'; readonly on: 'object' | 'record' } | null;
  /** Whether `__missing__`, values with `*` and saved sets among the values mean more than they say. */
  readonly takesSpecialValues: boolean;
  /** Whether it must be given a value; others match nothing, or everything, without one. */
  readonly needsValues: boolean;
  /** Whether some value is enough, or all must be met. */
  readonly quantifier: 'some' | 'every';
  /** Whether it narrows what is looked at, as searches do, so that no facet takes it for its own selection. */
  readonly isSearch: boolean;
  /** The kinds of fields it fits, and what those lack that it does not fit. */
  readonly fits: 'all' | { readonly kinds: readonly FieldKind[]; readonly others: string };
  /** The ends of a range, which compare by order; null for operators that compare with each value. */
  readonly bounds: readonly Bound[] | null;
  /** What a caller should know of the values, and what would be right; null for nothing. */
  readonly notice: (leaf: SqonLeaf) => { readonly text: string; readonly accepted: string } | null;
  /**
   * Judged on an object of the scope; the field is one that it fits.
   * @param pivot the nested field that the leaf's pivot names
   */
  readonly compile: (on: LeafCompilation) => Scoped;
  /** The test of a text as shown, where the value means a part of it; null for a value that is compared as a whole. */
  readonly partTest: (value: SqonScalar) => ((shown: string) => boolean) | null;
  /**
   * For a remote node: the same by conditions that no facet takes for its own selection.
   * @param anyOf a search for any of some values
   * @param nestedPath the innermost nested path of the field
   */
  readonly asSearch: (
    leaf: SqonLeaf,
    anyOf: (values: readonly SqonScalar[]) => Sqon,
    nestedPath: string | null,
  ) => Sqon;
}

export interface LeafCompilation {
  readonly leaf: SqonLeaf;
  readonly field: Field;
  readonly pivot: Field | null;
  readonly scope: string;
  readonly context: Compilation;
}

/** A condition on several fields with one text; always a search. */
export interface MultiOperator extends FieldRow<SqonMulti> {
  readonly kind: 'multi';
  /** The JSON Schema of its `value` and of what may stand beside it. */
  readonly properties: { readonly value: JsonObject } & JsonObject;
  /**
   * Reads what stands beside `fieldNames`.
   * @param at JSON path of the content
   * @throws TributaryError BAD_USER_INPUT
   */
  readonly parse: (content: JsonObject, at: string) => Pick<SqonMulti, 'value' | 'wholeWords'>;
  /** Whether it can find something in the field. */
  readonly finds: (field: Field) => boolean;
  /** What a caller should know of the value; null for nothing. */
  readonly notice: (sqon: SqonMulti) => string | null;
  /** The conditions that it is made of, all of which must be met, each in any of the fields. */
  readonly parts: (sqon: SqonMulti) => readonly SqonMulti[];
  /** One of its parts on one field that it can find something in, judged on the object that holds the field. */
  readonly compilePart: (part: SqonMulti, field: Field) => Filter;
}
