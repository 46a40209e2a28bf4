import type { Fields } from '../introspection/fields/field.ts';
import type { Sqon, SqonGroup } from './ast.ts';
import { compileLeaf, compileMulti } from './compile-leaf.ts';
import type { Filter } from './filter.ts';
import { all, none } from './filter.ts';
import { operators } from './operators/table.ts';
import type { Scoped, Compilation } from './scope.ts';
import { here, negated, pivotField, someObjectAt } from './scope.ts';
import { TributaryError } from '../errors/errors.ts';

/**
 * Compiles a filter to the engines' algebra. A node that occurs in several filters compiles to the same object each
 * time, as long as the fields are the same object, so that engines can share work between facets.
 * @throws TributaryError BAD_USER_INPUT when the filter does not fit the catalogue: a pivot that is not a nested path,
 *   a value of the wrong type, a range on an unordered field, or when it would be too large to run
 */
export const compileSqon = (sqon: Sqon | null, fields: Fields): Filter =>
  sqon === null ? all : (compileOn(sqon, '', fields) ?? none);

/** The node visits a compilation may spend on case splits: far more than any sensible filter needs. */
const workPerFilter = 500_000;

/**
 * The filter evaluated on an object of a nested path ("" for the document); null when it also has a condition on an
 * object above that one.
 * @throws TributaryError BAD_USER_INPUT as compileSqon
 */
export const compileOn = (sqon: Sqon, scope: string, fields: Fields): Filter | null => {
  const scoped = compileNode(sqon, scope, { fields, work: { left: workPerFilter } });
  if (scoped.kind !== 'here') return null;
  assertSize(scoped.filter);
  return scoped.filter;
};

/**
 * The compiled form of each node, by identity: engines evaluate a filter object once for the hits and all facets of a
 * search. Entries live as long as their nodes, which live as long as a request or the access rules. A node or a
 * catalogue's fields changed in place would make an entry wrong; both are readonly, and a reload makes new fields.
 */
const compiled = new WeakMap<Fields, WeakMap<Sqon, Map<string, Scoped>>>();

const compileNode = (sqon: Sqon, scope: string, context: Compilation): Scoped => {
  const byNode = entry(compiled, context.fields, () => new WeakMap<Sqon, Map<string, Scoped>>());
  const byScope = entry(byNode, sqon, () => new Map<string, Scoped>());
  const known = byScope.get(scope);
  if (known !== undefined) return known;
  const scoped = compileUncached(sqon, scope, context);
  byScope.set(scope, scoped);
  return scoped;
};

const entry = <Key extends object, Value>(map: WeakMap<Key, Value>, key: Key, make: () => Value): Value => {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
};

const compileUncached = (sqon: Sqon, scope: string, context: Compilation): Scoped => {
  switch (sqon.kind) {
    case 'group':
      return compileGroup(sqon, scope, context);
    case 'leaf':
      return compileLeaf(sqon, scope, context);
    case 'multi':
      return compileMulti(sqon, scope, context);
    case 'constant':
      return here(sqon.value ? all : none);
  }
};

const compileGroup = (group: SqonGroup, scope: string, context: Compilation): Scoped => {
  const pivot = group.pivot === null ? null : pivotField(group, group.pivot, context.fields);
  if (group.content.length === 0) return here(all);
  const parts = group.content.map((node) => compileNode(node, pivot?.path ?? scope, context));
  const { alone, together, negative } = operators[group.op];
  const held = pivot === null ? alone(parts) : someObjectAt(pivot, together(parts), scope, context);
  return negative ? negated(held) : held;
};

/** More nodes than this, counting repetitions, would keep an engine busy with a single request. */
const maxFilterSize = 200_000;

/**
 * Rejects a compiled filter that is too large to run: shared parts count each time they occur.
 * @throws TributaryError BAD_USER_INPUT
 */
const assertSize = (filter: Filter): void => {
  const open = [filter];
  for (let size = 1; open.length > 0; size += 1) {
    if (size > maxFilterSize)
      throw new TributaryError(
        'BAD_USER_INPUT',
        `filter: it takes more than ${maxFilterSize} conditions to run; simplify it`,
        { details: { accepted: maxFilterSize } },
      );
    for (const part of partsOf(open.pop()!)) open.push(part);
  }
};

const partsOf = (filter: Filter): readonly Filter[] => {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of;
    case 'not':
    case 'nested':
      return [filter.of];
    case 'all':
    case 'none':
    case 'terms':
    case 'range':
    case 'pattern':
    case 'word':
    case 'exists':
      return [];
  }
};
