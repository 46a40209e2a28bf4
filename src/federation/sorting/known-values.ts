import type { CursorValue } from '../../engines/engine.ts';
import { sortValues, type CursorKey } from '../../engines/semantics/cursor.ts';
import { TributaryError } from '../../errors/errors.ts';
import type { Field } from '../../introspection/fields/field.ts';
import type { CatalogueQuery, SearchFn } from '../../search/query.ts';
import type { RequestContext } from '../../search/request-context.ts';
import type { SqonScalar } from '../../sqon/ast.ts';
import { group, leaf } from '../../sqon/ast.ts';
import { isSearchValue } from '../../sqon/without-field.ts';
import type { TranslatedKey, TranslatedSort } from './sort-groups.ts';
import { textOf } from './sort-groups.ts';

/** A field with more values is not split by all of them. */
const maxValues = 32;
/** The limit on groups of one node. */
const maxGroups = 256;

/**
 * For each translated key: the shown values that a node's records are grouped by. All values that the field has, so that
 * records with several are placed by the right one; of a field with very many, those that are listed as translated.
 * @throws TributaryError BAD_USER_INPUT for keys that make too many groups
 */
export const knownValues = async (
  query: CatalogueQuery,
  { translated }: TranslatedSort,
  search: SearchFn,
  context: RequestContext,
): Promise<readonly (readonly string[])[]> => {
  const found = await Promise.all(translated.map((key) => allValues(key, query, search, context)));
  const known = translated.map((key, at) => found[at] ?? listedValues(key));
  for (let at = known.length - 1; at >= 0 && groupsOf(known) > maxGroups; at -= 1)
    known[at] = listedValues(translated[at]!);
  if (groupsOf(known) <= maxGroups) return known;
  throw new TributaryError(
    'BAD_USER_INPUT',
    `sorts by several fields whose values it translates: that takes ${groupsOf(known)} queries, at most ${maxGroups} are sent`,
  );
};

const groupsOf = (known: readonly (readonly string[])[]): number =>
  known.reduce((groups, values) => groups * (values.length + 1), 1);

const listedValues = ({ values }: TranslatedKey): readonly string[] => [...new Set(values.listed.values())];

/** null where there are too many, or the node cannot list them. */
const allValues = async (
  key: TranslatedKey,
  query: CatalogueQuery,
  search: SearchFn,
  context: RequestContext,
): Promise<readonly string[] | null> => {
  const { field, values, isListed, isRemote } = key;
  const found = isListed
    ? await facetValues(field, query, search, context)
    : field.kind === 'number'
      ? await scannedValues(field, query, search, context)
      : null;
  const texts = (found ?? []).map((value) => textOf(value, field));
  // a remote node would take them for patterns and sets
  const askable = texts.filter((text) => values.listed.has(text) || !(isRemote && isSearchValue(text)));
  return found && [...new Set(askable.map((text) => values.toNetwork(text)))];
};

const facetValues = async (
  field: Field,
  { filters }: CatalogueQuery,
  search: SearchFn,
  context: RequestContext,
): Promise<readonly string[] | null> => {
  const query: CatalogueQuery = {
    // a filter on nested objects would restrict the objects that are counted
    filters: field.nestedIn.length === 0 ? filters : null,
    filterThemselves: true,
    includeMissing: false,
    facets: [{ field: field.path, measure: { kind: 'terms', max: maxValues + 1, distinct: false } }],
    hits: null,
  };
  const [facet] = (await search(query, context)).facets;
  if (facet?.kind !== 'terms' || facet.buckets.length > maxValues) return null;
  return facet.buckets.map(({ key }) => key);
};

/** Numbers, whose values nodes do not list: each record above the last value shows the next. */
const scannedValues = async (
  { path, type }: Field,
  query: CatalogueQuery,
  search: SearchFn,
  context: RequestContext,
): Promise<readonly CursorValue[] | null> => {
  const sort = { fieldName: path, order: 'asc', missing: 'last' } as const;
  const sortedBy: readonly CursorKey[] = [{ field: { path, type }, order: 'asc', missing: 'last' }];
  const found: CursorValue[] = [];
  while (found.length <= maxValues) {
    const last = found.at(-1);
    const above = last === undefined ? [] : [leaf('gt', path, [last as SqonScalar])];
    const hits = { first: 1, offset: 0, sort: [sort], searchAfter: null, trackTotal: false, fields: [] };
    const filters = group('and', [...(query.filters ? [query.filters] : []), ...above]);
    const [next] = (await search({ ...query, filters, facets: [], hits }, context)).hits;
    const [value] = next ? sortValues(next.cursor, sortedBy) : [];
    if (!value || value.isMissing) return found;
    // of several values of one record the least may be below
    if (last !== undefined && !(Number(value.value) > Number(last))) return null;
    found.push(value.value);
  }
  return null;
};
