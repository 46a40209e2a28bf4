import type { GraphQLResolveInfo } from 'graphql';
import { TributaryError } from '../../errors/errors.ts';
import { furtherFacets } from '../../facets/measures.ts';
import { deferValue } from '../../graphql/execution.ts';
import { exactly } from '../../search/count.ts';
import { areOfSameNodes, type NodesAnswer } from '../../search/nodes-answer.ts';
import type { NetworkQuery, CatalogueResult, HitsRequest, SearchFn } from '../../search/query.ts';
import { countOnly } from '../../search/query.ts';
import type { RequestContext } from '../../search/request-context.ts';
import { parseSqon } from '../../sqon/parse.ts';
import { facetSelection, fitTypes, hitsSelection, type HitsArgs } from '../hits/selection.ts';
import { hitsConnection } from '../hits/shape.ts';
import { relayArgs, type FieldConfig } from './connection-type.ts';
import { nodeSelectionOf } from './nodes-arguments.ts';

export interface SearchResolvers {
  readonly hits: FieldConfig['resolve'];
  readonly aggregations: FieldConfig['resolve'];
}

export interface ResolverSettings {
  /** The catalogue's id as a node. */
  readonly nodeId: string;
  /** Refuses filters in arguments, however they are passed. */
  readonly filtersDisabled: boolean;
}

/** The resolvers of `hits` and `aggregations` over a search. */
export const searchResolvers = (
  search: SearchFn<NetworkQuery>,
  { nodeId, filtersDisabled }: ResolverSettings,
): SearchResolvers => {
  const run = async (query: NetworkQuery, context: RequestContext): Promise<OwnAnswer> => {
    const startedMs = performance.now();
    const answer = await tracedSearch(search)(query, context);
    if (answer.nodes !== undefined) context.trace.nodesAnswers.push(answer.nodes);
    return { answer, own: ownNodesAnswer(nodeId, answer, performance.now() - startedMs) };
  };
  return {
    hits: async (source, args: HitsArgs & RelayArgs, context, info) => {
      if (filtersDisabled) rejectFilters(args.filters);
      warnOfRelay(args, context.trace.warn);
      const query = { ...hitsSelection(args, info), ...nodesOf(source) };
      const { answer, own } = await run(query, context);
      const shown = args.trackTotalHits === false ? { ...answer, total: null } : answer;
      return hitsConnection(shown, own, context.trace.warn, () => context.isUnwanted());
    },
    aggregations: async (source, args: AggregationsArgs, context, info) => {
      if (filtersDisabled) rejectFilters(args.filters);
      return aggregations({ args, nodes: nodesOf(source), nodeId }, info, (query) => run(query, context));
    },
  };
};

type RelayArgs = Readonly<Partial<Record<(typeof relayArgs)[number], unknown>>>;

const warnOfRelay = (args: RelayArgs, warn: (message: string) => void): void => {
  for (const name of relayArgs)
    if (args[name] != null)
      warn(`the argument ${name} of hits has no effect: page with searchAfter, or with first and offset`);
};

interface OwnAnswer {
  readonly answer: CatalogueResult;
  /** The answer of the catalogue as its own only node. */
  readonly own: NodesAnswer;
}

/** The outcome for a single catalogue, as a network of itself. */
const ownNodesAnswer = (
  nodeId: string,
  { total: hits, withheld }: Pick<CatalogueResult, 'total' | 'withheld'>,
  tookMs: number,
): NodesAnswer => ({
  partial: false,
  statuses: [
    {
      nodeId,
      name: nodeId,
      hits,
      ...(withheld && { withheld }),
      status: 'OK',
      errors: '',
      state: 'ok',
      code: null,
      took: Math.round(tookMs),
      uncoveredFields: [],
      institutions: [],
      reach: { queried: 1, answered: 1 },
    },
  ],
  coverage: () => [{ nodeId, state: 'answered', docs: exactly(hits) }],
});

interface AggregationsArgs {
  readonly filters?: unknown;
  readonly include_missing?: boolean | null;
  readonly aggregations_filter_themselves?: boolean | null;
}

interface AggregationsRequest {
  readonly args: AggregationsArgs;
  readonly nodes: Pick<NetworkQuery, 'nodes'>;
  readonly nodeId: string;
}

const nodesOf = (source: unknown): Pick<NetworkQuery, 'nodes'> => {
  const nodes = nodeSelectionOf(source);
  return nodes === null ? {} : { nodes };
};

// it is shown as `docs` of coverage, never of a node that withholds its records
const boundedCount: HitsRequest = { ...countOnly, bounded: true };

const aggregations = async (
  { args, nodes, nodeId }: AggregationsRequest,
  info: GraphQLResolveInfo,
  run: (query: NetworkQuery) => Promise<OwnAnswer>,
) => {
  const plan = facetSelection(info);
  const query: NetworkQuery = {
    filters: parseSqon(args.filters),
    filterThemselves: args.aggregations_filter_themselves ?? false,
    includeMissing: args.include_missing ?? true,
    facets: plan.requests,
    hits: plan.coverageOf.length > 0 ? boundedCount : null,
    ...nodes,
  };
  const { answer, own } = await run(query);
  const facets = await withFurther(answer, query, async (further) => (await run(further)).answer);
  const { coverage } = answer.nodes ?? own;
  const found = { facets, nodeId, coverage };
  const shaped = plan.shapes[0]!(found);
  return fitTypes(plan, found) ? deferValue(shaped, info) : shaped;
};

/** A search whose warnings and gaps are recorded for the extensions of the response. */
export const tracedSearch =
  (search: SearchFn<NetworkQuery>): SearchFn<NetworkQuery> =>
  async (query, context) => {
    const answer = await search(query, context);
    answer.warnings.forEach(context.trace.warn);
    context.trace.isPartial ||= answer.nodes?.partial === true;
    return answer;
  };

/** The facets of an answer; those that depend on it are queried again, and dropped if other nodes answer then. */
export const withFurther = async (
  { facets, nodes }: CatalogueResult,
  query: NetworkQuery,
  run: (query: NetworkQuery) => Promise<CatalogueResult>,
): Promise<CatalogueResult['facets']> => {
  const further = furtherFacets(query.facets, facets);
  if (further === null) return facets;
  const again = await run({ ...query, facets: further.requests, hits: null });
  return areOfSameNodes(again.nodes, nodes) ? further.joined(again.facets) : facets;
};

const rejectFilters = (filters: unknown): void => {
  if (filters !== undefined && filters !== null)
    throw new TributaryError('FORBIDDEN', 'filters are disabled here');
};
