import { fieldNamed, type Field, type Fields } from '../introspection/fields/field.ts';
import { group, type Sqon } from './ast.ts';
import { compileOn, compileSqon } from './compile.ts';
import type { CompiledNodes } from './scope.ts';
import { and, or, type Filter } from './filter.ts';
import { operators } from './operators/table.ts';
import { fieldNamesIn, withContent, withoutField } from './rewrite.ts';

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
    conditions.map((one) => restriction(one, field, fields, compiled)).filter((one) => one !== null);
  const any = conditionsIn(selected).map((one) => joined(restrictions(conjuncts(one)), and));
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
  const own = field.nestedIn.at(-1);
  return own !== undefined && fields.get(path)!.nestedIn.includes(own) ? own : null;
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
