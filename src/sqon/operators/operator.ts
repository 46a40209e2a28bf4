import type { Field } from '../../introspection/fields/field.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import type { Sqon, SqonLeaf, SqonMulti, SqonScalar } from '../ast.ts';
import type { BoundName, Filter } from '../filter.ts';
import type { Compilation, Scoped } from '../scope.ts';

/** Properties of every row. */
interface Row {
  /** Other accepted spellings. */
  readonly aliases: readonly string[];
}

/** Properties of an operator on fields. */
interface FieldRow<Node> extends Row {
  /** Its entry in the introspection payloads; null for an operator that they omit, as existing clients compare them. */
  readonly introspection: Introspection | null;
  /** Its replacement at a server that does not support it; null if every server does. */
  readonly older: Older<Node> | null;
}

export interface Introspection {
  /** The field types under which it is listed. */
  readonly listedFor: readonly TypeClass[];
  /** The name it is listed under, if that is an alias. */
  readonly listedAs?: string;
  /** The types it applies to, as worded in JSON Schema documents. */
  readonly applicableTo: 'all' | readonly string[];
  readonly valueType: string;
}

/**
 * The field types for which clients expect the same list of operators: `ordered` those with ranges only, `measured` the
 * other numbers and dates, `named` keywords and booleans, `other` the rest.
 */
export type TypeClass = 'ordered' | 'measured' | 'named' | 'other';

/** A condition for servers without the operator, and how its result differs. */
interface Older<Node> {
  /** @param field the field of the condition, where it is known */
  readonly means: (sqon: Node, field?: Field) => Sqon;
  /** Whether its result can differ for this condition; always, if absent. */
  readonly differs?: (sqon: Node) => boolean;
  /** The difference, worded as the end of a sentence. */
  readonly warning: string;
}

/** A group of conditions. */
export interface GroupOperator extends Row {
  readonly kind: 'group';
  /** Combines its conditions when each may be satisfied by a different object. */
  readonly alone: (parts: readonly Scoped[]) => Scoped;
  /** Combines them when one object at the pivot must satisfy them. */
  readonly together: (parts: readonly Scoped[]) => Scoped;
  /** Whether it holds where the combined conditions do not. */
  readonly negative: boolean;
  /** Its truth value for every document, from the truth values of its conditions; null when it depends on the document. */
  readonly truth: (truths: readonly (boolean | null)[]) => boolean | null;
  /** Whether no object can ever satisfy them together. */
  readonly neverTogether: (truths: readonly (boolean | null)[]) => boolean;
}

/** A condition on one field with a list of values. */
export interface LeafOperator extends FieldRow<SqonLeaf> {
  readonly kind: 'leaf';
  /** The operator it is the complement of, and on which level: the object that holds the field, or the whole record. */
  readonly complement: { readonly of: 'in'; readonly on: 'object' | 'record' } | null;
  /** Whether `__missing__`, values that end in `*` and saved sets have their special meanings among the values. */
  readonly takesSpecialValues: boolean;
  /** Whether it requires a value; without one, other operators match nothing, or everything. */
  readonly needsValues: boolean;
  /** Whether one value is enough, or all must match. */
  readonly quantifier: 'some' | 'every';
  /** Whether it narrows the documents counted, as searches do, so that no facet treats it as its own selection. */
  readonly isSearch: boolean;
  /** Whether its values are terms of the field's hierarchy, of which `except` may leave some out; unset: no. */
  readonly takesTerms?: true;
  /** The kinds of fields it supports, and what the others lack. */
  readonly fits: 'all' | { readonly accepts: (field: Field) => boolean; readonly others: string };
  /** The ends of a range, which compare by order; null for operators that compare with each value. */
  readonly bounds: readonly Bound[] | null;
  /** A notice about the values, and what would be valid; null for none. */
  readonly notice: (leaf: SqonLeaf) => { readonly text: string; readonly accepted: string } | null;
  /**
   * Evaluated on an object of the scope; the operator supports the field.
   * @param pivot the nested field that the leaf's pivot refers to
   */
  readonly compile: (on: LeafCompilation) => Scoped;
  /** Tests a text as shown, if the value means a part of it; null for a value that is compared as a whole. */
  readonly partTest: (value: SqonScalar) => ((text: string) => boolean) | null;
  /**
   * For a remote node: the same using conditions that no facet treats as its own selection.
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
  /** The JSON Schema of its `value` and other properties. */
  readonly properties: { readonly value: JsonObject } & JsonObject;
  /**
   * Parses the properties besides `fieldNames`.
   * @param at JSON path of the content
   * @throws TributaryError BAD_USER_INPUT
   */
  readonly parse: (content: JsonObject, at: string) => Pick<SqonMulti, 'value' | 'wholeWords'>;
  /** Whether it can match anything in the field. */
  readonly finds: (field: Field) => boolean;
  /** A notice about the value; null for none. */
  readonly notice: (sqon: SqonMulti) => string | null;
  /** The conditions that it consists of, all of which must match, each in any of the fields. */
  readonly parts: (sqon: SqonMulti) => readonly SqonMulti[];
  /** One of its parts on one field that it can match, evaluated on the object that holds the field. */
  readonly compilePart: (part: SqonMulti, field: Field) => Filter;
}

/** An end of a range, and which of several bounds determines it. */
export interface Bound {
  readonly name: BoundName;
  readonly of: 'least' | 'greatest';
}
