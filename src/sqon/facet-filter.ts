import { fieldNamed, type Field, type Fields } from '../introspection/fields/field.ts';
import { group, type Sqon } from './ast.ts';
import { compileOn, compileSqon } from './compile.ts';
import type { CompiledNodes } from './scope.ts';
import { and, type Filter } from './filter.ts';
import { withoutField } from './rewrite.ts';

/** What one facet counts: which documents, and which nested objects in them. */
export interface FacetFilter {
  readonly filter: Filter;
  /** Keyed by index nested path of the field: the condition on the counted object, or on its ancestor there. */
  readonly objects: Record<string, Filter>;
}

/**
 * What a facet on a field counts under a filter. Its own selections do not narrow it, unless `filterThemselves` is set.
 * Conditions that are linked to the root by and-groups and concern a single nested path also restrict the objects.
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
  const conditions = [...conjuncts(selected), ...conjuncts(always)];
  return {
    filter: and([compileSqon(selected, fields, compiled), compileSqon(always, fields, compiled)]),
    objects: objectFilters(conditions, field, fields, compiled),
  };
};

/** The conditions that must all hold: the filter itself, or the contents of and-groups from the root. */
const conjuncts = (sqon: Sqon | null): readonly Sqon[] => {
  if (sqon === null) return [];
  return sqon.kind === 'group' && sqon.op === 'and' ? sqon.content.flatMap(conjuncts) : [sqon];
};

const objectFilters = (
  conditions: readonly Sqon[],
  field: Field,
  fields: Fields,
  compiled: CompiledNodes,
): Record<string, Filter> => {
  const found = new Map<string, Filter[]>();
  for (const condition of conditions) {
    const path = restrictedPath(condition, field, fields);
    if (path === null) continue;
    const filter = compileOn(
      onObject(condition, [...fields.get(path)!.nestedIn, path]),
      path,
      fields,
      compiled,
    );
    if (filter === null) continue;
    const key = fields.get(path)!.indexField.path;
    found.set(key, [...(found.get(key) ?? []), filter]);
  }
  return Object.fromEntries([...found].map(([path, filters]) => [path, and(filters)]));
};

/**
 * The nested path of the facet's field whose objects a condition restricts: the one all its leaves refer to, or, when
 * they all refer to one below the field's own, the field's own path, whose object must then contain a matching deeper
 * one.
 */
const restrictedPath = (condition: Sqon, field: Field, fields: Fields): string | null => {
  const innermost = new Set(leafFields(condition).map((name) => fieldNamed(fields, name)?.nestedIn.at(-1)));
  const [path] = innermost;
  if (innermost.size !== 1 || path === undefined) return null;
  if (field.nestedIn.includes(path)) return path;
  const own = field.nestedIn.at(-1);
  return own !== undefined && fields.get(path)!.nestedIn.includes(own) ? own : null;
};

const leafFields = (sqon: Sqon): readonly string[] => {
  switch (sqon.kind) {
    case 'group':
      return sqon.content.flatMap(leafFields);
    case 'leaf':
      return [sqon.fieldName];
    case 'multi':
      return sqon.fieldNames;
    case 'constant':
      return [unknownField];
  }
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
  const same = content.every((node, position) => node === sqon.content[position]);
  if (sqon.pivot === null) return same ? sqon : { ...sqon, content };
  const together = sqon.op === 'not' ? [group('and', content, null, sqon.at)] : content;
  return { ...sqon, pivot: null, content: together };
};
