import type { Field, Fields } from '../introspection/fields/field.ts';
import type { Sqon } from './ast.ts';
import { nested, all, and, none, not, or, type Filter } from './filter.ts';
import { malformed } from './malformed.ts';
import { badUserInput, type TributaryError } from '../lib/errors/errors.ts';

/** The state passed along while compiling. */
export interface Compilation {
  readonly fields: Fields;
  readonly work: Work;
  readonly compiled: CompiledNodes;
}

/** The compiled nodes of one query's filters, by scope and node. Readonly fields and nodes keep an entry right. */
export type CompiledNodes = Map<string, Map<Sqon, Scoped>>;

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
  const scoped = innermost === shared ? filter : nested(field.indexField.nestedIn.at(-1)!, filter);
  return shared === scope ? here(scoped) : above(shared, scoped);
};

/**
 * Some object at the nested path satisfies the condition, evaluated on an object of the scope: level by level up to
 * their common ancestor.
 */
export const someObjectAt = (path: Field, inner: Scoped, scope: string, context: Compilation): Scoped => {
  const shared = sharedPath([...path.nestedIn, path.path], scopeChain(scope, context.fields));
  let scoped = inner;
  for (let level = path; level.path !== shared;) {
    const parent = level.nestedIn.at(-1) ?? '';
    scoped = someObject(level, parent, scoped, context.work);
    if (parent === shared) break;
    level = context.fields.get(parent)!;
  }
  return shared === scope ? scoped : lifted(scoped, shared);
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

/**
 * A condition being compiled. It is evaluated on an object of some scope (a nested path, "" for the document), but may
 * include conditions on an object above: `above` is evaluated on the ancestor at its own scope. Negations are pushed
 * inwards immediately, so every part occurs positively.
 */
export type Scoped =
  | { readonly kind: 'here'; readonly filter: Filter }
  | { readonly kind: 'above'; readonly scope: string; readonly filter: Filter }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Scoped[] };

/** The remaining budget of a compilation, shared by all parts of one filter. */
export interface Work {
  /** For case splits, in visited nodes. */
  left: number;
  /** For the terms of hierarchies that conditions expand to. */
  terms: number;
}

/** The limit on distinct ancestor conditions in one pivot: each may double an engine's work. */
const maxAncestorConditions = 8;

/** A condition on the current object. */
export const here = (filter: Filter): Scoped => ({ kind: 'here', filter });

/** A constant is the same wherever it is evaluated. */
const above = (scope: string, filter: Filter): Scoped =>
  filter.kind === 'all' || filter.kind === 'none' ? here(filter) : { kind: 'above', scope, filter };

/** The conjunction, parts on the same object merged. */
export const allOf = (of: readonly Scoped[]): Scoped => combine('and', of);
/** The disjunction, parts on the same object merged. */
export const anyOf = (of: readonly Scoped[]): Scoped => combine('or', of);

/** Merges parts evaluated on the same object into one condition, so that only genuinely mixed ones remain. */
const combine = (kind: 'and' | 'or', of: readonly Scoped[]): Scoped => {
  const join = kind === 'and' ? and : or;
  const parts = of.flatMap((part) => (part.kind === kind ? part.of : [part]));
  const local = join(parts.flatMap((part) => (part.kind === 'here' ? [part.filter] : [])));
  if (local.kind === (kind === 'and' ? 'none' : 'all')) return here(local);
  const ancestors = new Map<string, Filter[]>();
  for (const part of parts)
    if (part.kind === 'above') ancestors.set(part.scope, [...(ancestors.get(part.scope) ?? []), part.filter]);
  const rest: Scoped[] = [
    ...[...ancestors].map(([scope, filters]) => above(scope, join(filters))),
    ...parts.filter((part) => part.kind === 'and' || part.kind === 'or'),
  ];
  if (local.kind !== (kind === 'and' ? 'all' : 'none')) rest.unshift(here(local));
  return rest.length === 0 ? here(local) : rest.length === 1 ? rest[0]! : { kind, of: rest };
};

/** The negation, pushed inwards. */
export const negated = (scoped: Scoped): Scoped => {
  switch (scoped.kind) {
    case 'here':
      return here(not(scoped.filter));
    case 'above':
      return above(scoped.scope, not(scoped.filter));
    case 'and':
      return anyOf(scoped.of.map(negated));
    case 'or':
      return allOf(scoped.of.map(negated));
  }
};

/**
 * "Some object at this nested path satisfies it", evaluated on its parent object. Conditions on ancestors A are moved
 * out of the quantifier by case split: some(F) is (A and some(F with A true)) or some(F with A false), since A occurs
 * positively.
 * @param parent the scope of the result: the nested path above, "" for the document
 * @throws TributaryError BAD_USER_INPUT past 8 distinct conditions on ancestors, or when the budget is exhausted
 */
const someObject = (path: Field, parent: string, scoped: Scoped, work: Work): Scoped => {
  const conditions = new Set<Filter>();
  collectAncestorConditions(scoped, conditions);
  if (conditions.size > maxAncestorConditions) throw tooManyConditions(path.path, conditions.size);
  return split(path, parent, scoped, work);
};

const tooManyConditions = (path: string, count: number): TributaryError =>
  badUserInput(
    `filter: the pivot "${path}" mixes ${count} conditions on objects above it, expected at most ${maxAncestorConditions}; move them out of the pivot`,
    { details: { pivot: path, found: count, accepted: maxAncestorConditions } },
  );

const tooMuchWork = (): TributaryError =>
  badUserInput(
    'filter: its pivots mix too many conditions on objects above them; move these out of the pivots',
  );

const collectAncestorConditions = (scoped: Scoped, into: Set<Filter>): void => {
  if (scoped.kind === 'above') into.add(scoped.filter);
  else if (scoped.kind !== 'here') for (const part of scoped.of) collectAncestorConditions(part, into);
};

const split = (path: Field, parent: string, scoped: Scoped, work: Work): Scoped => {
  if (scoped.kind === 'here') return here(someAt(path, scoped.filter));
  const condition = firstAncestorCondition(scoped)!;
  const ifTrue = split(path, parent, assuming(scoped, condition.filter, all, work), work);
  const ifFalse = split(path, parent, assuming(scoped, condition.filter, none, work), work);
  const judged = condition.scope === parent ? here(condition.filter) : condition;
  return anyOf([allOf([judged, ifTrue]), ifFalse]);
};

/** Deeper objects are the same whether reached through one level or two. */
const someAt = (path: Field, filter: Filter): Filter =>
  filter.kind === 'nested' ? filter : nested(path.indexField.path, filter);

const firstAncestorCondition = (scoped: Scoped): Extract<Scoped, { kind: 'above' }> | null => {
  if (scoped.kind === 'above') return scoped;
  if (scoped.kind === 'here') return null;
  for (const part of scoped.of) {
    const ancestor = firstAncestorCondition(part);
    if (ancestor !== null) return ancestor;
  }
  return null;
};

const assuming = (scoped: Scoped, condition: Filter, value: Filter, work: Work): Scoped => {
  work.left -= 1;
  if (work.left < 0) throw tooMuchWork();
  switch (scoped.kind) {
    case 'here':
      return scoped;
    case 'above':
      return scoped.filter === condition ? here(value) : scoped;
    case 'and':
    case 'or':
      return combine(
        scoped.kind,
        scoped.of.map((part) => assuming(part, condition, value, work)),
      );
  }
};
