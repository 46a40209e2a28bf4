import { queryOptions } from '@tanstack/react-query';
import { aggregationName } from '../../../src/introspection/fields/field.ts';
import type { Bucket } from './answer.ts';
import type { Catalogue } from './catalogue.ts';
import type { Field } from './fields.ts';
import { queryRoot, type Growing, type RequestOptions, type Question } from './questions.ts';
import { upperOf, type Root, type WireFacet, type WireTerm } from './read-answer.ts';
import { facetError, getJson } from './server.ts';

/** A term with its place in its hierarchy. */
export interface Term {
  readonly id: string;
  readonly label: string;
  readonly synonyms: readonly string[];
  /** The path from a root, excluding the term. */
  readonly path: readonly { readonly id: string; readonly label: string }[];
  /** The number of its descendants. */
  readonly narrower: number;
}

/** Terms of a field's hierarchy by their ids, or by a part of their label or of a synonym. */
export const lookUp = async (
  { source }: Catalogue,
  { hierarchy = '' }: Field,
  parameters: readonly (readonly [name: string, value: string])[],
  signal?: AbortSignal,
): Promise<readonly Term[]> => {
  const base =
    source.kind === 'network'
      ? `${source.path}/introspection`
      : `introspection/${encodeURIComponent(source.id)}`;
  const address = `${base}/hierarchies/${encodeURIComponent(hierarchy)}?${new URLSearchParams(parameters.map(([name, value]) => [name, value]))}`;
  return (await getJson<{ found: readonly Term[] }>(address, signal)).found;
};

const longMs = 300_000;

/** The terms wanted at one moment, for each hierarchy: they are looked up in one request. */
const wanted = new Map<string, { readonly ids: Set<string>; readonly found: Promise<readonly Term[]> }>();

/** The URL is not too long with this many ids. */
const maxIds = 50;

const termOf = async (catalogue: Catalogue, field: Field, id: string): Promise<Term | null> => {
  const key = JSON.stringify([catalogue.source.id, field.hierarchy]);
  const waiting = wanted.get(key);
  const batch =
    waiting !== undefined && waiting.ids.size < maxIds ? waiting : newBatch(catalogue, field, key);
  batch.ids.add(id);
  return (await batch.found).find((one) => one.id === id) ?? null;
};

const newBatch = (catalogue: Catalogue, field: Field, key: string) => {
  const ids = new Set<string>();
  const found = new Promise((resolve) => setTimeout(resolve)).then(() => {
    if (wanted.get(key) === batch) wanted.delete(key);
    return lookUp(catalogue, field, [
      ...[...ids].map((id) => ['id', id] as const),
      ['limit', String(maxIds)],
    ]);
  });
  const batch = { ids, found };
  wanted.set(key, batch);
  return batch;
};

/** The query for a term by its id; null: the hierarchy has no such term. */
export const termQuery = (catalogue: Catalogue, field: Field, id: string) =>
  queryOptions({
    queryKey: ['term', catalogue.source.id, field.hierarchy, id],
    queryFn: () => termOf(catalogue, field, id),
    staleTime: longMs,
  });

/** A term found by its id, its label or a synonym, with the number of records that have it or a descendant. */
export interface FoundTerm extends Term {
  readonly count: Pick<Bucket, 'count' | 'upper'>;
}

/** Terms whose id, label or synonym contains a text; those without records come last. */
export const findTerms = async (
  catalogue: Catalogue,
  question: Question,
  field: Field,
  search: string,
  limit: number,
  how: Pick<RequestOptions<readonly FoundTerm[]>, 'signal' | 'soon' | 'waitFor'> = {},
): Promise<readonly FoundTerm[]> => {
  const terms = await lookUp(
    catalogue,
    field,
    [
      ['search', search],
      ['limit', String(limit)],
    ],
    how.signal,
  );
  if (terms.length === 0) return [];
  const name = aggregationName(field.path);
  const partial = catalogue.source.kind === 'network' ? 'partial ' : '';
  const selection = `${partial}aggregations ARGUMENTS { ${name} { groups(sets: $sets) { buckets(max: ${terms.length}) { key doc_count upper_bound } } } }`;
  const more = {
    declared: '$sets: JSON',
    values: { sets: terms.map(({ id }) => ({ key: id, under: [id] })) },
  };
  const read = (root: Root): readonly FoundTerm[] => {
    const counts = new Map(
      (facetIn(root, name)?.groups?.buckets ?? []).map(({ key, doc_count: count, upper_bound }) => [
        key,
        { count, upper: upperOf(upper_bound, count) },
      ]),
    );
    const boundOf = (upper: number): number =>
      how.waitFor !== undefined && root.partial === true && upper > 0 ? Infinity : upper;
    const found = terms.map((term) => {
      const { count, upper } = counts.get(term.id) ?? { count: 0, upper: 0 };
      return { ...term, count: { count, upper: boundOf(upper) } };
    });
    const isFound = ({ count }: FoundTerm): boolean => count.upper > 0;
    return [...found.filter(isFound), ...found.filter((term) => !isFound(term))];
  };
  return queryRoot(catalogue, question, selection, read, { ...how, more });
};

/** @throws ApiError why it could not be computed: an absent facet would read as 0 */
const facetIn = ({ aggregations }: Root, name: string): WireFacet | null => {
  const facet = aggregations?.[name] ?? null;
  if (facet?.reason !== undefined) throw facetError(facet);
  return facet;
};

/** A term of a level, with its documents. */
export interface LevelTerm extends Pick<Bucket, 'count' | 'upper'> {
  readonly id: string;
  readonly label: string;
  /** The documents that have exactly this term. */
  readonly own: number | null;
  readonly hasChildren: boolean;
}

/** The children of a term. */
export interface Level {
  readonly terms: readonly LevelTerm[];
  /** Whether there are more than were requested. */
  readonly hasMore: boolean;
}

/** The children of a term, by number of documents. @param under null: the first level that branches */
export const fetchLevel = async (
  catalogue: Catalogue,
  question: Question,
  path: string,
  under: string | null,
  max: number,
  how: Growing<Level> = {},
): Promise<Level> => {
  const name = aggregationName(path);
  const at = under === null ? '' : `under: ${JSON.stringify(under)}, `;
  const tree = `tree(${at}max: ${max + 1}) { buckets { key label doc_count upper_bound own_count has_children } }`;
  const read = (root: Root): Level => {
    const buckets = facetIn(root, name)?.tree?.buckets ?? [];
    return { terms: buckets.slice(0, max).map(readTerm), hasMore: buckets.length > max };
  };
  return queryRoot(catalogue, question, `aggregations ARGUMENTS { ${name} { ${tree} } }`, read, how);
};

const readTerm = ({
  key,
  label,
  doc_count: count,
  upper_bound,
  own_count: own = null,
  has_children: hasChildren,
}: WireTerm): LevelTerm => ({
  id: key,
  label: label ?? key,
  count,
  upper: upperOf(upper_bound, count),
  own,
  hasChildren,
});
