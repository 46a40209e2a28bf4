import type { ValueMap } from '../../facets/row/value-map.ts';
import type { Field } from '../../introspection/fields/field.ts';
import type { Sqon, SqonScalar } from '../../sqon/ast.ts';
import { constant, leaf } from '../../sqon/ast.ts';
import { fieldValue } from '../../sqon/field-values.ts';

/** Records with any of the node's values that are shown as one of these, whatever characters they hold: no patterns. */
export const shownLeaf = (field: Field, map: ValueMap, shown: readonly string[]): Sqon => {
  const exact = shown.flatMap((value) => map.toNode(value)).filter((value) => canHold(value, field));
  if (exact.length === 0) return constant(false);
  return { ...leaf('in', field.path, [...new Set(exact)]), exactFrom: 0 };
};

/** Whether the node's field can hold the value at all; the node would reject others. */
export const canHold = (value: SqonScalar, field: Field): boolean => {
  try {
    fieldValue(value, field, '$');
    return true;
  } catch {
    return false;
  }
};
