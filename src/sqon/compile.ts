import { badUserInput } from '../lib/errors/errors.ts';
import { fieldNamed, type Fields, type Field } from '../introspection/fields/field.ts';
import { likelyField } from '../introspection/fields/unknown-fields.ts';
import { group, type Sqon, type SqonGroup, type SqonLeaf, type SqonMulti } from './ast.ts';
import { all, none, and, or, type Filter } from './filter.ts';
import { matchesMissing } from './leaf-filter.ts';
import { malformed } from './malformed.ts';
import { operators, namesOf } from './operators/table.ts';
import { fieldNamesIn, withContent, withoutField, allConditions } from './rewrite.ts';
import {
  here,
  negated,
  pivotField,
  someObjectAt,
  placed,
  allOf,
  anyOf,
  type Scoped,
  type Compilation,
  type CompiledNodes,
} from './scope.ts';

/**
 * Compiles a filter to the engines' algebra.
 * @param compiled the nodes that are compiled already. The filters of one query share it: a node that occurs in several
 *   of them compiles to one object, which engines evaluate once for the hits and all facets
 * @throws TributaryError BAD_USER_INPUT when the filter does not fit the catalogue: a pivot that is not a nested path,
 *   a value of the wrong type, a range on an unordered field, or when it would be too large to run
 */
export const compileSqon = (sqon: Sqon | null, fields: Fields, compiled: CompiledNodes = new Map()): Filter =>
  sqon === null ? all : (compileOn(sqon, '', fields, compiled) ?? none);

/** The node visits a compilation, which is one step, may spend on case splits: far more than any sensible filter needs. */
const workPerFilter = 20_000;

/** The terms that all branches of a filter may have together: several times the largest hierarchies in use. */
const termsPerFilter = 2_000_000;

/**
 * The filter evaluated on an object of a nested path ("" for the document); null when it also has a condition on an
 * object above that one.
 * @throws TributaryError BAD_USER_INPUT as compileSqon
 */
const compileOn = (sqon: Sqon, scope: string, fields: Fields, compiled: CompiledNodes): Filter | null => {
  const work = { left: workPerFilter, terms: termsPerFilter };
  const scoped = compileNode(sqon, scope, { fields, work, compiled });
  if (scoped.kind !== 'here') return null;
  assertSize(scoped.filter);
  return scoped.filter;
};

const compileNode = (sqon: Sqon, scope: string, context: Compilation): Scoped => {
  const atScope = context.compiled.get(scope) ?? new Map<Sqon, Scoped>();
  context.compiled.set(scope, atScope);
  const known = atScope.get(sqon);
  if (known !== undefined) return known;
  const scoped = compileUncached(sqon, scope, context);
  atScope.set(sqon, scoped);
  return scoped;
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
  const compiled = pivot === null ? alone(parts) : someObjectAt(pivot, together(parts), scope, context);
  return negative ? negated(compiled) : compiled;
};

/** A leaf evaluated on an object of the scope. Its pivot matters only to `all`, but must be a nested path. */
const compileLeaf = (leaf: SqonLeaf, scope: string, context: Compilation): Scoped => {
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
const testsExistence = (leaf: SqonLeaf, field: Field): boolean =>
  field.type !== 'nested' && operators[leaf.op].takesSpecialValues && matchesMissing(leaf);

/** A leaf on a field that is missing from the catalogue, or not searchable, is constant. */
export const constantLeaf = (leaf: SqonLeaf): Filter =>
  operators[leaf.op].complement !== null && !matchesMissing(leaf) ? all : none;

/** @throws TributaryError BAD_USER_INPUT for a field of a kind that the operator does not support */
const assertFits = (leaf: SqonLeaf, field: Field): void => {
  const { fits } = operators[leaf.op];
  if (fits === 'all' || fits.accepts(field)) return;
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
const compileMulti = (sqon: SqonMulti, scope: string, context: Compilation): Scoped => {
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
      throw badUserInput(`filter: it takes more than ${maxFilterSize} conditions to run; simplify it`, {
        details: { accepted: maxFilterSize },
      });
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

/** What one facet counts: which documents, and which nested objects in them. */
export interface FacetFilter {
  readonly filter: Filter;
  /** Keyed by index nested path of the field: the condition on the counted object, or on its ancestor there. */
  readonly objects: ObjectFilters;
}

type ObjectFilters = Readonly<Record<string, Filter>>;

/**
 * What a facet on a field counts under a filter. Its own selections do not narrow it, unless `filterThemselves` is set.
 * Conditions that are linked to the root by and-groups and concern a single nested path also restrict the objects: of
 * each path around the field, objects count that meet any of the conditions on it, as different objects of a document
 * may meet them. What a pivot holds together is one condition, and an object must meet all of it.
 * @param always a filter that is never dropped, not even in part: the caller's access filter
 * @param compiled see compileSqon
 * @throws TributaryError BAD_USER_INPUT when the filter does not fit the catalogue
 */
export const facetFilter = (
  sqon: Sqon | null,
  field: Field,
  fields: Fields,
  filterThemselves: boolean,
  always: Sqon | null = null,
  compiled: CompiledNodes = new Map(),
): FacetFilter => {
  const selected = filterThemselves ? sqon : withoutField(sqon, field.path);
  const filter = and([compileSqon(selected, fields, compiled), compileSqon(always, fields, compiled)]);
  if (field.nestedIn.length === 0) return { filter, objects: {} };
  const restrictions = (conditions: readonly Sqon[]): readonly ObjectFilters[] =>
    conditions
      .map((condition) => restriction(condition, field, fields, compiled))
      .filter((filter) => filter !== null);
  const any = conditionsIn(selected).map((condition) => joined(restrictions(conjuncts(condition)), and));
  return { filter, objects: joined([joined(any, or), ...restrictions(conjuncts(always))], and) };
};

/**
 * The conditions that different objects of a document may meet: the filter itself or, without a pivot, the contents of
 * and-groups, the values of `all` and the words of a search.
 */
const conditionsIn = (sqon: Sqon | null): readonly Sqon[] => {
  if (sqon === null) return [];
  if (sqon.pivot !== null) return [sqon];
  if (sqon.kind === 'group' && sqon.op === 'and') return sqon.content.flatMap(conditionsIn);
  if (sqon.kind === 'multi') return operators[sqon.op].parts(sqon);
  return sqon.kind === 'leaf' && sqon.op === 'all' ? [{ ...sqon, op: 'in' }] : [sqon];
};

/** The conditions that must all hold, with the contents of and-groups in them. */
const conjuncts = (sqon: Sqon | null): readonly Sqon[] => {
  if (sqon === null) return [];
  return sqon.kind === 'group' && sqon.op === 'and' ? sqon.content.flatMap(conjuncts) : [sqon];
};

/** Joins filters by path into one for each path. */
const joined = (
  parts: readonly ObjectFilters[],
  join: (filters: readonly Filter[]) => Filter,
): ObjectFilters => {
  const byPath = Map.groupBy(
    parts.flatMap((part) => Object.entries(part)),
    ([path]) => path,
  );
  return Object.fromEntries(
    [...byPath].map(([path, entries]) => [path, join(entries.map(([, filter]) => filter))]),
  );
};

/** What one condition requires of the objects of a path; null: nothing. */
const restriction = (
  condition: Sqon,
  field: Field,
  fields: Fields,
  compiled: CompiledNodes,
): ObjectFilters | null => {
  const path = restrictedPath(condition, field, fields);
  if (path === null) return null;
  const { nestedIn, indexField } = fields.get(path)!;
  const filter = compileOn(onObject(condition, [...nestedIn, path]), path, fields, compiled);
  return filter === null ? null : { [indexField.path]: filter };
};

/**
 * The nested path of the facet's field whose objects a condition restricts: the one all its leaves refer to, or, when
 * they all refer to one below the field's own, the field's own path, whose object must then contain a matching deeper
 * one.
 */
const restrictedPath = (condition: Sqon, field: Field, fields: Fields): string | null => {
  const innermost = new Set(
    fieldNamesIn(condition, [unknownField]).map((name) => fieldNamed(fields, name)?.nestedIn.at(-1)),
  );
  const [path] = innermost;
  if (innermost.size !== 1 || path === undefined) return null;
  if (field.nestedIn.includes(path)) return path;
  const deepest = field.nestedIn.at(-1);
  return deepest !== undefined && fields.get(path)!.nestedIn.includes(deepest) ? deepest : null;
};

/** A constant does not restrict an object, like a condition on a missing field: no field has this name. */
const unknownField = '';

/**
 * The condition applied to one object: pivots on its own path or above mean that object, except below another pivot.
 */
const onObject = (sqon: Sqon, paths: readonly string[]): Sqon => {
  if (sqon.kind === 'leaf')
    return sqon.pivot === null || !paths.includes(sqon.pivot) ? sqon : { ...sqon, pivot: null };
  if (sqon.kind !== 'group' || (sqon.pivot !== null && !paths.includes(sqon.pivot))) return sqon;
  const content = sqon.content.map((node) => onObject(node, paths));
  if (sqon.pivot === null) return withContent(sqon, content);
  const together = sqon.op === 'not' ? [group('and', content, null, sqon.at)] : content;
  return { ...sqon, pivot: null, content: together };
};

/**
 * Validates a filter against a catalogue's fields.
 * @param options.strict turns warnings about unknown fields or superfluous bounds into errors
 * @param options.compiled see compileSqon
 * @returns notices for the caller, each with its JSON path: unknown fields, conditions that are constant
 * @throws TributaryError BAD_USER_INPUT when the filter does not fit the catalogue: a pivot that is not a nested path,
 *   a value of the wrong type, a range on an unordered field
 */
export const validateSqon = (
  sqon: Sqon | null,
  fields: Fields,
  options: { strict?: boolean; compiled?: CompiledNodes } = {},
): string[] => {
  compileSqon(sqon, fields, options.compiled);
  const check: Check = { fields, strict: options.strict === true, warnings: [], hintsLeft: maxHints };
  for (const condition of sqon === null ? [] : allConditions(sqon))
    if (condition.kind === 'leaf') checkLeaf(condition, check);
    else checkNames(condition, check);
  return check.warnings;
};

interface Check {
  readonly fields: Fields;
  readonly strict: boolean;
  readonly warnings: string[];
  hintsLeft: number;
}

/** How many names are compared with all fields; a filter may contain thousands. */
const maxHints = 5;

const checkLeaf = (leaf: SqonLeaf, check: Check): void => {
  const { fieldName, at } = leaf;
  const { warnings } = check;
  const field = fieldNamed(check.fields, fieldName);
  if (field === undefined) {
    const unknown = noticeOfUnknown(fieldName, `${at}.content.fieldName`, check);
    warnings.push(`filter at ${at}: ${unknown}, the condition matches ${extent(leaf)}`);
  } else if (field.kind === 'json' && !testsExistence(leaf, field))
    warnings.push(
      `filter at ${at}: field "${fieldName}" of type ${field.type} is not searchable, the condition matches ${extent(leaf)}`,
    );
  else if (leaf.values.length === 0 && leaf.exactFrom === undefined)
    warnings.push(`filter at ${at}: no values for "${fieldName}", the condition matches ${extent(leaf)}`);
  else checkValues(leaf, check);
};

const checkValues = (leaf: SqonLeaf, { strict, warnings }: Check): void => {
  const notice = operators[leaf.op].notice(leaf);
  if (notice === null) return;
  if (strict) throw malformed(`${leaf.at}.content.value`, leaf.values, notice.accepted);
  warnings.push(`filter at ${leaf.at}: ${notice.text}`);
};

const extent = (leaf: SqonLeaf): string => (constantLeaf(leaf).kind === 'all' ? 'everything' : 'nothing');

const checkNames = (sqon: SqonMulti, check: Check): void => {
  const { fieldNames, at } = sqon;
  const { fields, warnings } = check;
  const operator = operators[sqon.op];
  const notice = operator.notice(sqon);
  if (notice !== null) warnings.push(`filter at ${at}: ${notice}`);
  if (fieldNames.length === 0)
    warnings.push(`filter at ${at}: no fields to search, the condition matches nothing`);
  for (const [position, name] of fieldNames.entries()) {
    const field = fieldNamed(fields, name);
    if (field === undefined) {
      const unknown = noticeOfUnknown(name, `${at}.content.fieldNames[${position}]`, check);
      warnings.push(`filter at ${at}: ${unknown}, nothing is found in it`);
    } else if (!operator.finds(field))
      warnings.push(
        `filter at ${at}: field "${name}" of type ${field.type} has no text, nothing is found in it`,
      );
  }
};

/** The notice about an unknown field name. @throws TributaryError BAD_USER_INPUT when that is an error */
const noticeOfUnknown = (name: string, at: string, check: Check): string => {
  const likely = check.hintsLeft > 0 ? likelyField(name, check.fields) : undefined;
  check.hintsLeft -= 1;
  const hint = likely === undefined ? '' : ` (did you mean "${likely}"?)`;
  if (!check.strict) return `unknown field "${name}"${hint}`;
  const accepted = 'a field listed by the introspection endpoint';
  throw badUserInput(`filter at ${at}: expected a field of this catalogue, found "${name}"${hint}`, {
    details: { path: at, found: name, accepted, ...(likely !== undefined && { didYouMean: likely }) },
  });
};
