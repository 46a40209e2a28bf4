import {
  queryOptions,
  type InfiniteData,
  type QueryClient,
  type QueryFunctionContext,
  type QueryKey,
} from '@tanstack/react-query';
import type { NodePart, Overview } from './answer.ts';
import { describe, type Catalogue } from './catalogue.ts';
import type { Source } from './config.ts';
import { examplesOf } from './examples.ts';
import type { Extents } from './extents.ts';
import {
  fetchExtents,
  fetchOverview,
  fetchTotal,
  rangedAmong,
  type FacetSizes,
  type Growing,
  type Question,
} from './questions.ts';
import { aggregationName } from '../../../src/introspection/fields/field.ts';
import { hasAnswered } from '../look/honest.ts';
import { query } from './server.ts';

/** Stores the partial answer while the rest is awaited; a page that is left before it comes fetches it again later. */
export const into =
  <Of>({ client, queryKey, signal }: Pick<QueryFunctionContext, 'client' | 'queryKey' | 'signal'>) =>
  (now: Of): void => {
    if (!signal.aborted) client.setQueryData<Of>(queryKey, now, { updatedAt: 0 });
  };

/** How the function of a query awaits its answer. */
export const growing = <Of>(context: Parameters<typeof into>[0]): Growing<Of> => ({
  signal: context.signal,
  soon: into(context),
});

/** Stores the first page of a list in the same way. */
export const intoFirst = <Of>(context: Parameters<typeof into>[0]): ((page: Of) => void) => {
  const keep = into<InfiniteData<Of, unknown>>(context);
  return (page) => keep({ pages: [page], pageParams: [null] });
};

const shortMs = 60_000;
const longMs = 300_000;

/** The query for a source's catalogue. */
export const catalogueQuery = (source: Source) =>
  queryOptions({
    queryKey: ['catalogue', source.id],
    queryFn: ({ signal }) => describe(source, signal),
    staleTime: longMs,
  });

const extentsKey = 'extents';

/** The query for the ranges of numeric facets. */
export const extentsQuery = (catalogue: Catalogue | undefined, paths: readonly string[]) =>
  queryOptions({
    queryKey: [extentsKey, catalogue?.source.id, paths],
    queryFn: (context) => {
      // complete known ranges are worth more than newer partial ones
      const isKnown = context.client.getQueryData(context.queryKey) !== undefined;
      return fetchExtents(catalogue!, paths, {
        signal: context.signal,
        soon: isKnown ? () => undefined : into(context),
      });
    },
    enabled: catalogue !== undefined,
    staleTime: ({ state: { data } }) => (data?.areLacking ? 0 : longMs),
  });

/** The total of a query and the part of each institution. */
export const totalQuery = (catalogue: Catalogue | undefined, question: Question) =>
  queryOptions({
    queryKey: ['total', catalogue?.source.id, question],
    queryFn: (context) => fetchTotal(catalogue!, question, growing(context)),
    enabled: catalogue !== undefined,
  });

/** The key of example values from the first numbers of a source. */
export const examplesKey = (sourceId: string): readonly string[] => ['examples', sourceId];

/** The inputs that a query's numbers depend on. */
export interface OverviewInput {
  readonly catalogue: Catalogue;
  readonly question: Question;
  readonly paths: readonly string[];
  readonly sizes: FacetSizes;
}

/** The numbers of a query; updated while institutions are still answering. */
export const overviewQuery = (
  client: QueryClient,
  { catalogue, question, paths, sizes }: Omit<OverviewInput, 'catalogue'> & Partial<OverviewInput>,
) => {
  const queryKey = ['overview', catalogue?.source.id, question, paths, sizes];
  return queryOptions<Overview>({
    queryKey,
    queryFn: async (context) => {
      const input = { catalogue: catalogue!, question, paths, sizes };
      const before = client.getQueryData<Overview>(queryKey);
      const answer = await answerOf(client, input, growing(context));
      if (before?.nodes.some(hasComeBack(answer))) {
        void client.invalidateQueries({ predicate: isBeside(catalogue!.source.id) });
        void client.prefetchQuery(extentsQuery(catalogue, paths));
      }
      const key = examplesKey(catalogue!.source.id);
      client.setQueryData(key, (known: unknown) => known ?? examplesOf(answer, catalogue!));
      return answer;
    },
    enabled: catalogue !== undefined,
    staleTime: (query) => (query.state.data?.partial ? 0 : shortMs),
  });
};

/** Whether an institution answers that could not answer the same query before. */
const hasComeBack =
  ({ nodes }: Overview) =>
  (before: NodePart): boolean =>
    before.state !== 'pending' &&
    !hasAnswered(before) &&
    nodes.some((node) => node.nodeId === before.nodeId && hasAnswered(node));

/** All other queries of a source: they lack an institution that has come back. */
const isBeside =
  (sourceId: string) =>
  ({ queryKey: [what, source] }: { readonly queryKey: QueryKey }): boolean =>
    source === sourceId && what !== 'overview' && what !== 'catalogue';

/**
 * Fetches counts and values at once, histograms as soon as their ranges are known: for fields that no fast institution
 * has, once the others have answered. Only the first query of a source need not wait for the ranges: later ones would
 * remove what is already drawn.
 */
const answerOf = async (
  client: QueryClient,
  { catalogue, question, paths, sizes }: OverviewInput,
  { signal, soon }: Growing<Overview>,
): Promise<Overview> => {
  const parts: Overview[] = [];
  const fetchPart = async (at: number, own: readonly string[], extents: Extents): Promise<void> => {
    const keep = (now: Overview): void => {
      parts[at] = now;
      if (parts[0] !== undefined) soon?.(together(paths, parts, true));
    };
    keep(await fetchOverview(catalogue, question, own, sizes, { extents, signal, soon: keep }));
  };
  const ranged = rangedAmong(catalogue, paths);
  const all = client.getQueriesData({ queryKey: [extentsKey, catalogue.source.id] });
  const isFirst = ranged.length > 0 && all.every(([, data]) => data === undefined);
  const fetchRanges = async (): Promise<void> => {
    const wanted = extentsQuery(catalogue, paths);
    const known = client.getQueryData<Extents>(wanted.queryKey);
    const extents = known ?? (await firstData(client, wanted.queryKey, client.fetchQuery(wanted)));
    const late = extents.areLacking ? ranged.filter((path) => !extents.has(path)) : [];
    const own = isFirst
      ? ranged.filter((path) => extents.has(path))
      : paths.filter((path) => !late.includes(path));
    const sent = own.length > 0 || !isFirst ? fetchPart(isFirst ? 1 : 0, own, extents) : undefined;
    // an institution that has come back first gets one request: the query itself
    if (known !== undefined) await sent;
    if (late.length > 0) await fetchPart(2, late, await client.fetchQuery(wanted));
    // numbers beyond the known range can wait until the institution is back
    else void client.prefetchQuery({ ...wanted, staleTime: longMs });
    await sent;
  };
  await Promise.all([isFirst ? fetchPart(0, paths, noExtents) : undefined, fetchRanges()]);
  return together(paths, parts, false);
};

const noExtents: Extents = new Map();

/** The data of a query, however old, or else its first data: from fast institutions, or all. @param whole its answer */
const firstData = <Of>(client: QueryClient, queryKey: QueryKey, whole: Promise<Of>): Promise<Of> =>
  new Promise((done, failed) => {
    const look = (): void => {
      const data = client.getQueryData<Of>(queryKey);
      if (data !== undefined) done(data);
    };
    const unsubscribe = client.getQueryCache().subscribe(look);
    whole.then(done, failed).finally(unsubscribe);
    look();
  });

/** Merges the parts of an answer; each facet keeps its own coverage. */
const together = (
  paths: readonly string[],
  parts: readonly Overview[],
  areRangesAwaited: boolean,
): Overview => ({
  ...parts[0]!,
  partial: parts.some(({ partial }) => partial),
  facets: new Map(
    paths.flatMap((path) =>
      parts.flatMap(({ facets }) => facets.get(path) ?? []).map((facet) => [path, facet]),
    ),
  ),
  areRangesAwaited,
});

/** The largest value of a date or number at each of a few nodes, by node; nodes without one are absent. */
export const newestQuery = (
  catalogue: Catalogue | undefined,
  nodeIds: readonly string[],
  path: string | null,
) =>
  queryOptions({
    queryKey: ['newest', catalogue?.source.id, nodeIds, path],
    queryFn: ({ signal }) => askNewest(catalogue!, nodeIds, path!, signal),
    enabled: path !== null && nodeIds.length > 0 && catalogue?.source.kind === 'network',
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
