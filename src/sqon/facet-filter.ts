import { fieldNamed } from '../introspection/fields/document-key.ts';
import type { Field, Fields } from '../introspection/fields/field.ts';
import type { Sqon } from './ast.ts';
import { group } from './ast.ts';
import { compileOn, compileSqon } from './compile.ts';
import type { Filter } from './filter.ts';
import { and } from './filter.ts';
import { withoutField } from './without-field.ts';

/** What one facet looks at: which documents, and which nested objects in them. */
export interface FacetFilter {
  readonly filter: Filter;
  /** By index nested path of the field: what the counted object, or its ancestor there, must satisfy. */
  readonly objects: Record<string, Filter>;
}

/**
 * What a facet on a field counts under a filter. Its own selections do not narrow it, unless `filterThemselves`.
 * Conditions that hang from the root through and-groups and speak of one nested path only also restrict the objects.
 * @param always a filter of which no part is ever dropped: the caller's access filter
 * @throws TributaryError BAD_USER_INPUT when the filter does not fit the catalogue
 */
export const facetFilter = (
  sqon: Sqon | null,
  field: Field,
  fields: Fields,
  filterThemselves: boolean,
  always: Sqon | null = null,
): FacetFilter => {
  const selected = filterThemselves ? sqon : withoutField(sqon, field.path);
  const conditions = [...conjuncts(selected), ...conjuncts(always)];
  return {
    filter: and([compileSqon(selected, fields), compileSqon(always, fields)]),
    objects: objectFilters(conditions, field, fields),
  };
};

/** The conditions that all must hold: the filter itself, or what and-groups from the root hold. */
const conjuncts = (sqon: Sqon | null): readonly Sqon[] => {
  if (sqon === null) return [];
  return sqon.kind === 'group' && sqon.op === 'and' ? sqon.content.flatMap(conjuncts) : [sqon];
};

const objectFilters = (conditions: readonly Sqon[], field: Field, fields: Fields): Record<string, Filter> => {
  const found = new Map<string, Filter[]>();
  for (const condition of conditions) {
    const path = restrictedPath(condition, field, fields);
    if (path === null) continue;
    const filter = compileOn(onObject(condition, [...fields.get(path)!.nestedIn, path]), path, fields);
    if (filter === null) continue;
    const key = fields.get(path)!.indexField.path;
    found.set(key, [...(found.get(key) ?? []), filter]);
  }
  return Object.fromEntries([...found].map(([path, filters]) => [path, and(filters)]));
};

/**
 * The nested path of the facet's field whose objects a condition restricts: the one all its leaves speak of, or, when
 * they all speak of one below the field's own, that own path, whose object must then hold such a deeper one.
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

/** A constant says nothing of an object, as a condition on a field that is nowhere: no field has this name. */
const unknownField = '';

/** The condition asked of one object: pivots on its own path or above it mean that same object, save below another. */
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
