import { queryOptions } from '@tanstack/react-query';
import type { Catalogue } from './catalogue.ts';
import type { Filter } from './filter.ts';
import { upperOf } from './read-answer.ts';
import { query } from './server.ts';

/** How many records match: at least, and at most. */
export interface Counted {
  readonly count: number;
  readonly upper: number;
}

/** As many aliases as every server accepts in a document. */
const atOnce = 12;

/**
 * How many records match each of many filters, in as few requests as aliases allow.
 * @param nodes the institutions to query; null: all
 */
export const countsQuery = (
  catalogue: Catalogue,
  filters: readonly Filter[],
  nodes: readonly string[] | null = null,
) =>
  queryOptions({
    queryKey: ['counts', catalogue.source.id, filters, nodes],
    queryFn: ({ signal }) => askCounts(catalogue, filters, nodes, signal),
    enabled: filters.length > 0,
  });

/** In the order of the filters; null: nobody answered, or it is not disclosed. @throws ApiError */
const askCounts = async (
  catalogue: Catalogue,
  filters: readonly Filter[],
  nodes: readonly string[] | null,
  signal: AbortSignal,
): Promise<readonly (Counted | null)[]> => {
  const groups = Array.from({ length: Math.ceil(filters.length / atOnce) }, (_, at) =>
    filters.slice(at * atOnce, (at + 1) * atOnce),
  );
  return (await Promise.all(groups.map((group) => askGroup(catalogue, group, nodes, signal)))).flat();
};

interface Total {
  readonly total: number | null;
  readonly upper_bound: number | null;
}

type Answer = Readonly<Record<string, (Total & { readonly hits?: Total }) | null>>;

const askGroup = async (
  { source }: Catalogue,
  filters: readonly Filter[],
  nodes: readonly string[] | null,
  signal: AbortSignal,
): Promise<readonly (Counted | null)[]> => {
  const isNetwork = source.kind === 'network';
  const roots = filters.map((_, at) =>
    isNetwork
      ? `a${at}: network(nodesFilter: $nodes, filters: $f${at}) { total upper_bound }`
      : `a${at}: ${source.documentType} { hits(first: 0, filters: $f${at}) { total upper_bound } }`,
  );
  const names = filters.map((_, at) => `$f${at}: JSON`).join(' ');
  const variables = Object.fromEntries(filters.map((filter, at) => [`f${at}`, filter]));
  const document = `query Portal(${isNetwork ? '$nodes: [String] ' : ''}${names}) { ${roots.join(' ')} }`;
  const data = await query<Answer>(
    source.path,
    document,
    isNetwork ? { nodes, ...variables } : variables,
    signal,
  );
  return filters.map((_, at) => {
    const root = data[`a${at}`];
    const { total = null, upper_bound: upper = null } = root?.hits ?? root ?? {};
    return total === null ? null : { count: total, upper: upperOf(upper, total) };
  });
};
