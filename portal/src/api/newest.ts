import { queryOptions } from '@tanstack/react-query';
import { aggregationName } from '../../../src/introspection/fields/field.ts';
import type { Catalogue } from './catalogue.ts';
import { query } from './server.ts';

/** The largest value of a date or number at each of a few nodes, by node; nodes without one are absent. */
export const newestQuery = (catalogue: Catalogue, nodeIds: readonly string[], path: string | null) =>
  queryOptions({
    queryKey: ['newest', catalogue.source.id, nodeIds, path],
    queryFn: ({ signal }) => askNewest(catalogue, nodeIds, path!, signal),
    enabled: path !== null && nodeIds.length > 0 && catalogue.source.kind === 'network',
  });

type Answer = Readonly<
  Record<
    string,
    { readonly aggregations: Record<string, { readonly stats: { readonly max: unknown } | null } | null> }
  >
>;

const askNewest = async (
  { source }: Catalogue,
  nodeIds: readonly string[],
  path: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> => {
  const name = aggregationName(path);
  const roots = nodeIds.map(
    (nodeId, at) =>
      `n${at}: network(nodesFilter: [${JSON.stringify(nodeId)}]) { aggregations { ${name} { stats { max } } } }`,
  );
  const data = await query<Answer>(source.path, `{ ${roots.join(' ')} }`, {}, signal);
  return new Map(
    nodeIds.flatMap((nodeId, at) => {
      const max = data[`n${at}`]?.aggregations[name]?.stats?.max;
      return max == null ? [] : [[nodeId, Number(max)] as const];
    }),
  );
};
