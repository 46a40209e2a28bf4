import {
  GraphQLFloat,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
  type GraphQLResolveInfo,
} from 'graphql';
import { badUserInput } from '../../lib/errors/errors.ts';
import { furtherFacets } from '../../search/facets/measures.ts';
import { deferValue } from '../../lib/graphql/execution.ts';
import { described } from '../../lib/graphql/scalars.ts';
import { facetSelection, fitTypes, hitsSelection, type HitsArgs } from '../hits/selection.ts';
import { hitsConnection } from '../hits/shape.ts';
import { relayArgs, type FieldConfig } from './connection-type.ts';
import { exactly } from '../../search/count.ts';
import {
  areOfSameNodes,
  type NodesAnswer,
  type NodeSelection,
  type WaitFor,
} from '../../search/nodes-answer.ts';
import {
  countOnly,
  filtersAreDisabled,
  rejectFilters,
  type NetworkQuery,
  type CatalogueResult,
  type HitsRequest,
  type SearchFn,
} from '../../search/query.ts';
import type { RequestContext } from '../../search/request-context.ts';
import { parseSqon } from '../../sqon/parse.ts';

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
    if (filtersDisabled) rejectFilters(query);
    const startedMs = performance.now();
    const answer = await tracedSearch(search)(query, context);
    if (answer.nodes !== undefined) context.trace.nodesAnswers.push(answer.nodes);
    return { answer, alone: ownNodesAnswer(nodeId, answer, performance.now() - startedMs) };
  };
  return {
    hits: async (source, args: HitsArgs & RelayArgs, context, info) => {
      if (filtersDisabled) rejectArgument(args.filters);
      warnOfRelay(args, context.trace.warn);
      const query = { ...hitsSelection(args, info), ...nodesOf(source) };
      const { answer, alone } = await run(query, context);
      const selected = args.trackTotalHits === false ? { ...answer, total: null } : answer;
      return hitsConnection(selected, alone, context.trace.warn, () => context.isUnwanted());
    },
    aggregations: async (source, args: AggregationsArgs, context, info) => {
      if (filtersDisabled) rejectArgument(args.filters);
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
  /** The answer described as a network of one node, for searches that have no nodes. */
  readonly alone: NodesAnswer;
}

/** A catalogue's answer, described as a network of one node. */
const ownNodesAnswer = (
  nodeId: string,
  { total: hits, withheld, origin }: Pick<CatalogueResult, 'total' | 'withheld' | 'origin'>,
  tookMs: number,
): NodesAnswer => ({
  partial: false,
  statuses: [
    {
      nodeId,
      name: nodeId,
      hits,
      ...(withheld && { withheld }),
      ...(origin?.lastUpdated && { lastUpdated: origin.lastUpdated }),
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
  const { answer, alone } = await run(query);
  const facets = await withFurther(answer, query, async (further) => (await run(further)).answer);
  const { coverage } = answer.nodes ?? alone;
  const parts = { facets, nodeId, coverage };
  const shaped = plan.shapes[0]!(parts);
  return fitTypes(plan, parts) ? deferValue(shaped, info) : shaped;
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

/** Adds the facets that depend on the first answer by a second query; without them if other nodes answer the second. */
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

/** An empty filter is refused too, as where requests are read. */
const rejectArgument = (filters: unknown): void => {
  if (filters !== undefined && filters !== null) throw filtersAreDisabled();
};

const waitForInput = new GraphQLInputObjectType({
  name: 'WaitFor',
  description: 'When to answer although some nodes may still answer: once both hold, or all have ended.',
  fields: {
    share: {
      type: new GraphQLNonNull(GraphQLFloat),
      description: 'The share of the nodes that have answered, from 0 to 1.',
    },
    ms: { type: new GraphQLNonNull(GraphQLInt), description: 'The time that has passed, in milliseconds.' },
  },
});

/** The argument of a root field that limits the wait for its nodes. */
export const waitForArgument = {
  waitFor: described(
    waitForInput,
    'When to answer although some nodes may still answer; those are `pending`. By default all are waited for, each within its own time.',
  ),
};

/** @throws TributaryError BAD_USER_INPUT for a share or a time out of range */
export const waitForOf = (waitFor: WaitFor | null | undefined): WaitFor | undefined => {
  if (waitFor == null) return undefined;
  const { share, ms } = waitFor;
  if (share >= 0 && share <= 1 && ms >= 0 && ms <= 600_000) return { share, ms };
  throw badUserInput(`waitFor takes a share from 0 to 1 and up to 600000 ms, not ${share} and ${ms} ms`);
};

/** The arguments of a root field that select the nodes to query. */
export const nodesArguments = {
  nodesFilter: described(new GraphQLList(GraphQLString), 'The ids of the nodes to query; all by default.'),
  required: described(
    new GraphQLList(GraphQLString),
    'The ids of nodes without which there is no answer; by default those that the network requires.',
  ),
  ...waitForArgument,
};

/** Which nodes a root field queries, as GraphQL passes it. */
export interface NodesArguments {
  readonly nodesFilter?: readonly (string | null)[] | null;
  readonly required?: readonly (string | null)[] | null;
  readonly waitFor?: WaitFor | null;
}

/** The source of a document type's fields: the arguments of its root field. */
export interface RootSource {
  readonly nodes: NodeSelection | null;
}

/** An empty list means all nodes; a list of only nulls names none. */
export const rootSource = ({ nodesFilter, required, waitFor: waits }: NodesArguments): RootSource => {
  const waitFor = waitForOf(waits);
  const only = nodesFilter && nodesFilter.length > 0 ? nodesFilter.filter((id) => id !== null) : null;
  const needed = (required ?? []).filter((id) => id !== null);
  if (only === null && needed.length === 0 && waitFor === undefined) return { nodes: null };
  return { nodes: { only, required: needed, ...(waitFor && { waitFor }) } };
};

/** The nodes that the root field above selects; null for all. */
const nodeSelectionOf = (source: unknown): NodeSelection | null =>
  (source as Partial<RootSource> | null | undefined)?.nodes ?? null;

/**
 * The selected nodes of a catalogue that is not a network: its only node is itself.
 * @throws TributaryError BAD_USER_INPUT for another node
 */
export const ownRootSource = (args: NodesArguments, nodeId: string): RootSource => {
  const { nodes } = rootSource(args);
  const excludes = nodes?.only != null && !nodes.only.includes(nodeId);
  const unknown = excludes ? null : nodes?.required.find((id) => id !== nodeId);
  if (!excludes && unknown == null) return { nodes: null };
  throw badUserInput(
    excludes
      ? `nodesFilter leaves out "${nodeId}", the only node here`
      : `required names "${unknown}", but the only node here is "${nodeId}"`,
  );
};
