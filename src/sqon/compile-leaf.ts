import type { Field } from '../introspection/fields/field.ts';
import { fieldNamed } from '../introspection/fields/field.ts';
import type { SqonLeaf, SqonMulti } from './ast.ts';
import type { Filter } from './filter.ts';
import { all, none } from './filter.ts';
import { matchesMissing } from './leaf-filter.ts';
import { malformed } from './malformed.ts';
import { namesOf, operators } from './operators/table.ts';
import type { Compilation, Scoped } from './scope.ts';
import { pivotField, placed, someObjectAt, allOf, anyOf, here, negated } from './scope.ts';

/** A leaf evaluated on an object of the scope. Its pivot matters only to `all`, but must be a nested path. */
export const compileLeaf = (leaf: SqonLeaf, scope: string, context: Compilation): Scoped => {
  const operator = operators[leaf.op];
  const pivot = leaf.pivot === null ? null : pivotField(leaf, leaf.pivot, context.fields);
  const field = fieldNamed(context.fields, leaf.fieldName);
  if (field === undefined || (field.kind === 'json' && !testsExistence(leaf, field)))
    return here(constantLeaf(leaf));
  assertFits(leaf, field);
  if (field.kind === 'nested') return compileNestedPath(leaf, field, scope, context);
  return operator.compile({ leaf, field, pivot, scope, context });
};

/** An object without any indexed part is missing everywhere, as in its facet's count. */
export const testsExistence = (leaf: SqonLeaf, field: Field): boolean =>
  field.type !== 'nested' && operators[leaf.op].takesSpecialValues && matchesMissing(leaf);

/** A leaf on a field that is missing from the catalogue, or not searchable, is constant. */
export const constantLeaf = (leaf: SqonLeaf): Filter =>
  operators[leaf.op].complement !== null && !matchesMissing(leaf) ? all : none;

/** @throws TributaryError BAD_USER_INPUT for a field of a kind that the operator does not support */
const assertFits = (leaf: SqonLeaf, field: Field): void => {
  const { fits } = operators[leaf.op];
  if (fits === 'all' || fits.kinds.includes(field.kind)) return;
  const others = namesOf('leaf').filter((op) => operators[op].fits === 'all');
  throw malformed(
    `${leaf.at}.op`,
    leaf.op,
    `${others.slice(0, -1).join(', ')} or ${others.at(-1)} for field "${field.path}" of type ${field.type}, which ${fits.others}`,
  );
};

/** A nested path itself can only be tested for existence: it has no values itself. */
const compileNestedPath = (leaf: SqonLeaf, field: Field, scope: string, context: Compilation): Scoped => {
  const { quantifier, complement } = operators[leaf.op];
  const values = quantifier === 'every' ? new Set(leaf.values).size : 1;
  if (!matchesMissing(leaf) || values > 1) return here(constantLeaf(leaf));
  const present = someObjectAt(field, here(all), scope, context);
  return complement === null ? negated(present) : present;
};

/** Each part of the condition matches in some listed field of some object, evaluated on an object of the scope. */
export const compileMulti = (sqon: SqonMulti, scope: string, context: Compilation): Scoped => {
  const operator = operators[sqon.op];
  if (sqon.pivot !== null) pivotField(sqon, sqon.pivot, context.fields);
  const fields = sqon.fieldNames
    .map((name) => fieldNamed(context.fields, name))
    .filter((field) => field !== undefined && operator.finds(field));
  const parts = operator.parts(sqon);
  if (parts.length === 0) return here(none);
  return allOf(
    parts.map((part) =>
      anyOf(fields.map((field) => placed(operator.compilePart(part, field!), field!, scope, context))),
    ),
  );
};
