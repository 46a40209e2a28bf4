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
  areLacking,
  fetchExtents,
  fetchOverview,
  fetchTotal,
  rangedAmong,
  type FacetSizes,
  type Question,
} from './questions.ts';
import { aggregationName } from '../../../src/introspection/fields/field.ts';
import { hasAnswered } from '../look/honest.ts';
import { query } from './server.ts';

/** Keeps what there is of an answer, while the rest of it is awaited; who leaves before it comes fetches it anew later. */
export const into =
  <Of>({ client, queryKey, signal }: Pick<QueryFunctionContext, 'client' | 'queryKey' | 'signal'>) =>
  (now: Of): void => {
    if (!signal.aborted) client.setQueryData<Of>(queryKey, now, { updatedAt: 0 });
  };

/** Keeps the first page of a list likewise. */
export const intoFirst = <Of>(context: Parameters<typeof into>[0]): ((page: Of) => void) => {
  const keep = into<InfiniteData<Of, unknown>>(context);
  return (page) => keep({ pages: [page], pageParams: [null] });
};

const shortMs = 60_000;
const longMs = 300_000;

/** The query for what a source offers. */
export const catalogueQuery = (source: Source) =>
  queryOptions({
    queryKey: ['catalogue', source.id],
    queryFn: ({ signal }) => describe(source, signal),
    staleTime: longMs,
  });

const extentsKey = 'extents';

/** Where the numbers of facets begin and end. */
export const extentsQuery = (catalogue: Catalogue | undefined, paths: readonly string[]) =>
  queryOptions({
    queryKey: [extentsKey, catalogue?.source.id, paths],
    queryFn: (context) => {
      // the whole that is known is worth more than a part that is new
      const isKnown = context.client.getQueryData(context.queryKey) !== undefined;
      const keep = isKnown ? () => undefined : into<Extents>(context);
      return fetchExtents(catalogue!, paths, context.signal, keep);
    },
    enabled: catalogue !== undefined,
    staleTime: ({ state: { data } }) => (data !== undefined && areLacking(data) ? 0 : longMs),
  });

/** The total of a question and the part of each institution. */
export const totalQuery = (catalogue: Catalogue | undefined, question: Question) =>
  queryOptions({
    queryKey: ['total', catalogue?.source.id, question],
    queryFn: (context) => fetchTotal(catalogue!, question, context.signal, into(context)),
    enabled: catalogue !== undefined,
  });

/** Where the first numbers of a source leave values to be typed. */
export const examplesKey = (sourceId: string): readonly string[] => ['examples', sourceId];

/** What the numbers of a question depend on. */
export interface OverviewInput {
  readonly catalogue: Catalogue;
  readonly question: Question;
  readonly paths: readonly string[];
  readonly sizes: FacetSizes;
}

/** The numbers of a question; kept as they grow, while institutions still answer. */
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
      const answer = await answerOf(client, input, context.signal, into(context));
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

/** Whether an institution could not answer the same question before. */
const hasComeBack =
  ({ nodes }: Overview) =>
  (before: NodePart): boolean =>
    before.state !== 'pending' &&
    !hasAnswered(before) &&
    nodes.some((node) => node.nodeId === before.nodeId && hasAnswered(node));

/** Whatever else was requested of a source: it lacks an institution that has come back. */
const isBeside =
  (sourceId: string) =>
  ({ queryKey: [what, source] }: { readonly queryKey: QueryKey }): boolean =>
    source === sourceId && what !== 'overview' && what !== 'catalogue';

/**
 * Counts and values at once, histograms as soon as it is known where they begin and end: those of fields that nobody who is
 * fast has, once the others have answered. Only the first question of a source need not wait for the extents: later ones
 * would take away what is drawn.
 */
const answerOf = async (
  client: QueryClient,
  { catalogue, question, paths, sizes }: OverviewInput,
  signal: AbortSignal,
  grown: (now: Overview) => void,
): Promise<Overview> => {
  const parts: Overview[] = [];
  const fetchPart = async (at: number, own: readonly string[], extents: Extents): Promise<void> => {
    const keep = (now: Overview): void => {
      parts[at] = now;
      if (parts[0] !== undefined) grown(together(paths, parts, true));
    };
    keep(await fetchOverview(catalogue, question, own, extents, sizes, signal, { streamed: keep }));
  };
  const ranged = rangedAmong(catalogue, paths);
  const all = client.getQueriesData({ queryKey: [extentsKey, catalogue.source.id] });
  const isFirst = ranged.length > 0 && all.every(([, data]) => data === undefined);
  const fetchRanges = async (): Promise<void> => {
    const wanted = extentsQuery(catalogue, paths);
    const known = client.getQueryData<Extents>(wanted.queryKey);
    const extents = known ?? (await firstData(client, wanted.queryKey, client.fetchQuery(wanted)));
    const late = areLacking(extents) ? ranged.filter((path) => !extents.has(path)) : [];
    const own = isFirst
      ? ranged.filter((path) => extents.has(path))
      : paths.filter((path) => !late.includes(path));
    const sent = own.length > 0 || !isFirst ? fetchPart(isFirst ? 1 : 0, own, extents) : undefined;
    // an institution that comes back is sent one request at first: the question itself
    if (known !== undefined) await sent;
    if (late.length > 0) await fetchPart(2, late, await client.fetchQuery(wanted));
    // numbers that it may have beyond these can wait until it is back
    else void client.prefetchQuery({ ...wanted, staleTime: longMs });
    await sent;
  };
  await Promise.all([isFirst ? fetchPart(0, paths, noExtents) : undefined, fetchRanges()]);
  return together(paths, parts, false);
};

const noExtents: Extents = new Map();

/** What a query has, as old as it may be, or else what it has first: that of who is fast, or all. @param whole its answer */
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
