import { fieldNamed } from '../introspection/fields/document-key.ts';
import type { Field } from '../introspection/fields/field.ts';
import type { SqonLeaf, SqonWildcard } from './ast.ts';
import type { Filter } from './filter.ts';
import { all, none, not } from './filter.ts';
import { anyValueFilter, asksForMissing, existsFilter, valueFilters, wildcardFilter } from './leaf-filter.ts';
import { isRangeOp, rangeFilter } from './range-filter.ts';
import type { Compilation } from './scope.ts';
import { pivotField, placed, someObjectAt } from './scope.ts';
import type { Scoped } from './scoped.ts';
import { allOf, anyOf, here, negated } from './scoped.ts';

/** A leaf judged on an object of the scope. Its pivot matters to `all` only, but must be a nested path. */
export const compileLeaf = (leaf: SqonLeaf, scope: string, context: Compilation): Scoped => {
  const pivot = leaf.pivot === null ? null : pivotField(leaf, leaf.pivot, context.fields);
  const field = fieldNamed(context.fields, leaf.fieldName);
  if (field === undefined || (field.kind === 'json' && !asksWhetherThere(leaf, field)))
    return here(constantLeaf(leaf));
  if (isRangeOp(leaf.op)) return placed(rangeFilter(leaf, leaf.op, field), field, scope, context);
  if (field.kind === 'nested') return compileNestedPath(leaf, field, scope, context);
  switch (leaf.op) {
    case 'in':
      return placed(anyValueFilter(leaf, field, context.fields), field, scope, context);
    case 'not-in':
      return placed(not(anyValueFilter(leaf, field, context.fields)), field, scope, context);
    case 'some-not-in':
      return compileSomeNotIn(leaf, field, scope, context);
    case 'all':
      return compileAll(leaf, field, pivot, scope, context);
  }
};

/** An object of which no part is indexed is missing everywhere, as its facet counts it. */
export const asksWhetherThere = (leaf: SqonLeaf, field: Field): boolean =>
  field.type !== 'nested' && !isRangeOp(leaf.op) && asksForMissing(leaf);

/** A leaf on a field that the catalogue lacks, or cannot be asked for, is constant. */
export const constantLeaf = (leaf: SqonLeaf): Filter =>
  (leaf.op === 'not-in' || leaf.op === 'some-not-in') && !asksForMissing(leaf) ? all : none;

/** Each object is without all of the values; `__missing__` among them asks, as in not-in, for some object with one. */
const compileSomeNotIn = (leaf: SqonLeaf, field: Field, scope: string, context: Compilation): Scoped => {
  const others = anyValueFilter(leaf, field, context.fields, { missing: false });
  const without = negated(placed(others, field, scope, context));
  if (!asksForMissing(leaf)) return without;
  return allOf([without, placed(existsFilter(field, context.fields), field, scope, context)]);
};

/** Each value is held by some object; with a pivot one object holds all. No values at all match nothing. */
const compileAll = (
  leaf: SqonLeaf,
  field: Field,
  pivot: Field | null,
  scope: string,
  context: Compilation,
): Scoped => {
  if (leaf.values.length === 0) return here(none);
  const each = valueFilters(leaf, field, context.fields).map((filter) =>
    placed(filter, field, pivot?.path ?? scope, context),
  );
  return pivot === null ? allOf(each) : someObjectAt(pivot, allOf(each), scope, context);
};

/** Of a nested path itself only its being there can be asked: it has no values of its own. */
const compileNestedPath = (leaf: SqonLeaf, field: Field, scope: string, context: Compilation): Scoped => {
  const values = leaf.op === 'all' ? new Set(leaf.values).size : 1;
  if (!asksForMissing(leaf) || values > 1) return here(constantLeaf(leaf));
  const present = someObjectAt(field, here(all), scope, context);
  return leaf.op === 'in' || leaf.op === 'all' ? negated(present) : present;
};

/** A wildcard judged on an object of the scope: some listed field of some object fits. */
export const compileWildcard = (leaf: SqonWildcard, scope: string, context: Compilation): Scoped => {
  if (leaf.pivot !== null) pivotField(leaf, leaf.pivot, context.fields);
  return anyOf(
    leaf.fieldNames.map((name) => {
      const field = fieldNamed(context.fields, name);
      if (field === undefined) return here(none);
      return placed(wildcardFilter(leaf, field), field, scope, context);
    }),
  );
};
