import type { Field, Fields } from '../introspection/fields/field.ts';
import type { Sqon } from './ast.ts';
import type { Filter } from './filter.ts';
import { nested } from './filter.ts';
import { malformed } from './malformed.ts';
import type { Scoped, Work } from './scoped.ts';
import { above, allOf, anyOf, here, someObject } from './scoped.ts';

/** The state passed along while compiling. */
export interface Compilation {
  readonly fields: Fields;
  readonly work: Work;
}

/**
 * The nested field that a pivot refers to.
 * @throws TributaryError BAD_USER_INPUT when there is none
 */
export const pivotField = (node: Sqon, pivot: string, fields: Fields): Field => {
  const field = fields.get(pivot);
  if (field?.kind === 'nested') return field;
  const paths = [...fields.values()].filter(({ kind }) => kind === 'nested').map(({ path }) => path);
  const accepted = paths.length === 0 ? 'this catalogue has none' : paths.slice(0, 20).join(', ');
  throw malformed(`${node.at}.pivot`, pivot, `a nested path (${accepted})`);
};

/**
 * Some object that holds the field satisfies the condition, evaluated on an object of the scope: it is that object
 * itself, one below it, one above it, or one beside it below a common ancestor.
 */
export const placed = (filter: Filter, field: Field, scope: string, context: Compilation): Scoped => {
  const innermost = field.nestedIn.at(-1) ?? '';
  if (innermost === scope) return here(filter);
  const shared = sharedPath(field.nestedIn, scopeChain(scope, context.fields));
  const held = innermost === shared ? filter : nested(field.indexField.nestedIn.at(-1)!, filter);
  return shared === scope ? here(held) : above(shared, held);
};

/**
 * Some object at the nested path satisfies the condition, evaluated on an object of the scope: level by level up to
 * their common ancestor.
 */
export const someObjectAt = (path: Field, inner: Scoped, scope: string, context: Compilation): Scoped => {
  const shared = sharedPath([...path.nestedIn, path.path], scopeChain(scope, context.fields));
  let held = inner;
  for (let level = path; level.path !== shared;) {
    const parent = level.nestedIn.at(-1) ?? '';
    held = someObject(level, parent, held, context.work);
    if (parent === shared) break;
    level = context.fields.get(parent)!;
  }
  return shared === scope ? held : lifted(held, shared);
};

/** A condition on an object of a shallower scope, as seen from a deeper one. */
const lifted = (scoped: Scoped, scope: string): Scoped => {
  switch (scoped.kind) {
    case 'here':
      return above(scope, scoped.filter);
    case 'above':
      return scoped;
    case 'and':
      return allOf(scoped.of.map((part) => lifted(part, scope)));
    case 'or':
      return anyOf(scoped.of.map((part) => lifted(part, scope)));
  }
};

/** The nested paths from the outermost down to the scope itself. */
const scopeChain = (scope: string, fields: Fields): readonly string[] =>
  scope === '' ? [] : [...fields.get(scope)!.nestedIn, scope];

/** The deepest nested path common to both chains, "" when they share only the document. */
const sharedPath = (left: readonly string[], right: readonly string[]): string => {
  let shared = '';
  for (const [level, path] of left.entries()) {
    if (right[level] !== path) break;
    shared = path;
  }
  return shared;
};
