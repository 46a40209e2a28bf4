import {
  queryOptions,
  type InfiniteData,
  type QueryClient,
  type QueryFunctionContext,
} from '@tanstack/react-query';
import type { Overview } from './answer.ts';
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
  type Question,
} from './questions.ts';
import { aggregationName } from '../../../src/introspection/fields/field.ts';
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
    queryFn: ({ signal }) => fetchExtents(catalogue!, paths, signal),
    enabled: catalogue !== undefined,
    staleTime: longMs,
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
      const answer = await answerOf(client, input, context.signal, into(context));
      const key = examplesKey(catalogue!.source.id);
      client.setQueryData(key, (known: unknown) => known ?? examplesOf(answer, catalogue!));
      return answer;
    },
    enabled: catalogue !== undefined,
    staleTime: (query) => (query.state.data?.partial ? 0 : shortMs),
  });
};

/** Only the first question of a source need not wait for the extents: later ones would take away what is drawn. */
const answerOf = async (
  client: QueryClient,
  input: OverviewInput,
  signal: AbortSignal,
  grown: (now: Overview) => void,
): Promise<Overview> => {
  const { catalogue, question, paths, sizes } = input;
  const known = client.getQueriesData({ queryKey: [extentsKey, catalogue.source.id] });
  const isFirst = known.every(([, data]) => data === undefined);
  if (isFirst && rangedAmong(catalogue, paths).length > 0) return firstAnswer(client, input, signal, grown);
  const wanted = extentsQuery(catalogue, paths);
  const pending = client.fetchQuery(wanted);
  // a question about known facets is sent at once; extents that have grown old are for the next one
  const extents = client.getQueryData(wanted.queryKey) ?? (await pending);
  return fetchOverview(catalogue, question, paths, extents, sizes, signal, { streamed: grown });
};

const noExtents: Extents = new Map();

/** Counts and values at once, histograms as soon as it is known where they begin and end. */
const firstAnswer = async (
  client: QueryClient,
  { catalogue, question, paths, sizes }: OverviewInput,
  signal: AbortSignal,
  grown: (now: Overview) => void,
): Promise<Overview> => {
  let values: Overview | undefined;
  let ranges: Overview | null = null;
  const publish = (): void => values && grown(together(paths, values, ranges, true));
  const fetchValues = async (): Promise<void> => {
    const streamed = (now: Overview): void => {
      values = now;
      publish();
    };
    values = await fetchOverview(catalogue, question, paths, noExtents, sizes, signal, { streamed });
    publish();
  };
  const fetchRanges = async (): Promise<void> => {
    const extents = await client.fetchQuery(extentsQuery(catalogue, paths));
    const ranged = rangedAmong(catalogue, paths).filter((path) => extents.has(path));
    if (ranged.length === 0) return;
    const streamed = (now: Overview): void => {
      ranges = now;
      publish();
    };
    ranges = await fetchOverview(catalogue, question, ranged, extents, sizes, signal, { streamed });
    publish();
  };
  await Promise.all([fetchValues(), fetchRanges()]);
  return together(paths, values!, ranges, false);
};

/** Merges two answers; each facet keeps its own coverage. */
const together = (
  paths: readonly string[],
  values: Overview,
  ranges: Overview | null,
  isAwaited: boolean,
): Overview => ({
  ...values,
  partial: values.partial || (ranges?.partial ?? false),
  facets: new Map(
    paths.flatMap((path) => {
      const facet = values.facets.get(path) ?? ranges?.facets.get(path);
      return facet === undefined ? [] : [[path, facet] as const];
    }),
  ),
  areRangesAwaited: isAwaited && ranges === null,
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
