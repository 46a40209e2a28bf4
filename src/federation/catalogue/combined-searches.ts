import type { CatalogueQuery, CatalogueResult, HitsRequest, SearchFn } from '../../search/query.ts';
import type { RequestContext } from '../../search/request-context.ts';

/**
 * A search that runs once for all that the fields of one operation request of it: `hits` and `aggregations` with the same
 * filter are one query. Fields are resolved together, so whatever is requested before control returns belongs together.
 */
export const combinedSearches = (search: SearchFn): SearchFn => {
  const waiting = new Map<RequestContext, Pending[]>();
  return (query, context) =>
    new Promise((resolve, reject) => {
      const pending = { query, resolve, reject };
      const known = waiting.get(context);
      if (known !== undefined) return void known.push(pending);
      const all = [pending];
      waiting.set(context, all);
      queueMicrotask(() => {
        waiting.delete(context);
        for (const group of grouped(all)) void answer(group, search, context);
      });
    });
};

interface Pending {
  readonly query: CatalogueQuery;
  readonly resolve: (answer: CatalogueResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Those that one query can answer. */
const grouped = (all: readonly Pending[]): readonly (readonly Pending[])[] => {
  const groups: Pending[][] = [];
  for (const one of all) {
    const found = groups.find((group) => group.every((other) => isCompatible(one.query, other.query)));
    if (found) found.push(one);
    else groups.push([one]);
  }
  return groups;
};

const isCompatible = (left: CatalogueQuery, right: CatalogueQuery): boolean =>
  isSame(left.filters, right.filters) &&
  isSame(left.nodes, right.nodes) &&
  left.identify === right.identify &&
  (left.hits === null || right.hits === null || isCountOf(left, right) || isCountOf(right, left)) &&
  (left.facets.length === 0 ||
    right.facets.length === 0 ||
    (left.filterThemselves === right.filterThemselves && left.includeMissing === right.includeMissing));

/** Whether only the number of hits is requested, and the other query has it. */
const isCountOf = ({ hits }: CatalogueQuery, other: CatalogueQuery): boolean =>
  hits !== null && hits.first === 0 && hits.offset === 0 && hits.searchAfter === null && other.hits !== null;

const isSame = (left: unknown, right: unknown): boolean =>
  left === right || JSON.stringify(left) === JSON.stringify(right);

const answer = async (
  group: readonly Pending[],
  search: SearchFn,
  context: RequestContext,
): Promise<void> => {
  let start = 0;
  const parts = group.map(({ query }) => ({ start, end: (start += query.facets.length) }));
  const [faceted = group[0]!] = group.filter(({ query }) => query.facets.length > 0);
  const facets = group.flatMap(({ query }) => query.facets);
  try {
    const coverageOf = [...new Set(group.flatMap(({ query }) => query.coverageOf ?? []))];
    const found = await search({ ...faceted.query, facets, coverageOf, hits: hitsOf(group) }, context);
    for (const [at, { query, resolve }] of group.entries()) {
      const { start, end } = parts[at]!;
      resolve({
        ...found,
        total: query.hits?.trackTotal ? found.total : null,
        hits: query.hits !== null && query.hits.first > 0 ? found.hits : [],
        facets: found.facets.slice(start, end),
      });
    }
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
};

const hitsOf = (group: readonly Pending[]): CatalogueQuery['hits'] => {
  const all = group.flatMap(({ query }) => query.hits ?? []);
  const page = all.find(({ first, searchAfter }) => first > 0 || searchAfter !== null) ?? all[0];
  if (page === undefined) return null;
  const counting = all.filter(({ trackTotal }) => trackTotal);
  const isBounded = counting.length > 0 && counting.every(({ bounded }) => bounded === true);
  const bounded = isBounded ? { bounded: true as const } : {};
  return { ...withoutBounds(page), trackTotal: counting.length > 0, ...bounded };
};

const withoutBounds = (page: HitsRequest): HitsRequest => {
  const { bounded, ...rest } = page;
  return bounded === undefined ? page : rest;
};
