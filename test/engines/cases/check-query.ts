import type { FacetQuery, HitsQuery, SearchQuery } from '../../../src/engines/engine.ts';
import { withHierarchies, type Fields } from '../../../src/introspection/fields/field.ts';
import { readFields } from '../../../src/introspection/mapping/mapping.ts';
import type { JsonObject, JsonValue } from '../../../src/lib/json/json.ts';
import { compileSqon, facetFilter } from '../../../src/sqon/compile.ts';
import { all, type Filter } from '../../../src/sqon/filter.ts';
import { parseSqon } from '../../../src/sqon/parse.ts';
import type { Check, Collection } from './case.ts';

/**
 * What a check asks an engine, of a walk the first page.
 * @throws TributaryError what a filter is refused with
 */
export const checkQuery = (
  collection: Collection,
  check: Exclude<Check, { readonly write: JsonObject }>,
): SearchQuery => {
  if ('operations' in check) return page({ filter: check.found });
  if ('counted' in check) return { facets: [countedFacet(collection, check)] };
  if ('sqon' in check) return page({ filter: filterOf(collection, check.sqon) });
  if ('filter' in check && 'ids' in check) return page({ filter: check.filter });
  if ('hits' in check) return page(check.hits);
  if ('walk' in check) return page({ ...check.walk, size: check.size });
  if ('facet' in check) {
    const { facet, measure, filter = all, objects = {} } = check;
    return { facets: [{ field: facet, filter, objects, measure }] };
  }
  const { failing } = check;
  if (!('facet' in failing)) return page(failing);
  return { facets: [{ field: failing.facet, filter: all, objects: {}, measure: failing.measure }] };
};

const page = (requested: Partial<HitsQuery>): SearchQuery => ({
  hits: {
    filter: all,
    size: 100,
    offset: 0,
    sort: [],
    searchAfter: null,
    source: null,
    trackTotal: true,
    ...requested,
  },
  facets: [],
});

const filterOf = (collection: Collection, sqon: JsonValue): Filter =>
  compileSqon(parseSqon(sqon), fieldsOf(collection));

const countedFacet = (
  collection: Collection,
  { counted, sqon, measure, filterThemselves = false }: Extract<Check, { counted: string }>,
): FacetQuery => {
  const fields = fieldsOf(collection);
  const field = fields.get(counted)!;
  const selected = facetFilter(parseSqon(sqon), field, fields, filterThemselves);
  return { field: field.indexField, ...selected, measure };
};

const known = new WeakMap<Collection, Fields>();

/** The fields of a collection, with their hierarchies. */
export const fieldsOf = (collection: Collection): Fields => {
  const fields = known.get(collection) ?? readFieldsOf(collection);
  known.set(collection, fields);
  return fields;
};

const readFieldsOf = ({ mapping, hierarchies = {} }: Collection): Fields =>
  withHierarchies(
    readFields(mapping['properties'] as JsonObject).fields,
    new Map(Object.entries(hierarchies)),
  ).fields;
