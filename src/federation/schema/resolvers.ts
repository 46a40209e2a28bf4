import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';
import { completed } from '../../graphql/completed-value.ts';
import type { SelectedField } from '../../graphql/selected-fields.ts';
import type { Caller } from '../../search/query.ts';
import type { AskedNetwork, NetworkAnswer } from '../catalogue/ask-network.ts';
import { askNetwork } from '../catalogue/ask-network.ts';
import type { NetworkArguments, NetworkSelection, PlannedSelection } from './selection.ts';
import { networkSelection } from './selection.ts';
import { shapeHits } from './shape-hits.ts';

/** The network at the time of a query. */
export interface NetworkNow extends AskedNetwork {
  /** Runs once per parsed document. */
  readonly select: (info: GraphQLResolveInfo) => PlannedSelection;
}

/**
 * The resolver of the root field `network`: one query per node, whatever is selected.
 * @param now the nodes as they stand; throws TributaryError NOT_READY while discovery runs
 * @param strictFilters a filter on a field that no node has is an error instead of a warning
 */
export const resolveNetwork =
  (now: () => NetworkNow, strictFilters: boolean): GraphQLFieldResolver<unknown, Caller, NetworkArguments> =>
  async (_source, args, caller, info) => {
    const current = now();
    const nodeIds = current.nodes.map(({ config }) => config.nodeId);
    const selection = networkSelection(current.select(info), args, nodeIds, caller.warn);
    const answer = await askNetwork(selection.question, current, caller, { strictFilters });
    if (!selection.selected.some(({ name }) => name === 'partial' || name === 'nodes'))
      caller.answeredBy?.(answer.nodes);
    return completed(shapeNetwork(selection, answer, current), caller, info);
  };

/** The value of the field `network`, keyed by response name. */
const shapeNetwork = (
  { selected, facets, shapeOverlap, cursors }: NetworkSelection,
  answer: NetworkAnswer,
  { nodes, network }: AskedNetwork,
): Readonly<Record<string, unknown>> => {
  const merged = {
    facets: facets.places.map((place) => answer.facets[place]!),
    nodeId: '',
    coverage: answer.nodes.coverage,
  };
  const values: Readonly<Record<string, (field: SelectedField) => unknown>> = {
    total: () => answer.total,
    partial: () => answer.nodes.partial,
    nodes: () => answer.nodes.statuses,
    aggregations: ({ responseName }) => facets.shapes.get(responseName)!(merged),
    overlap: ({ responseName }) => shapeOverlap(responseName, answer.facets, answer.answers, network),
    hits: ({ args }) => ({
      total: args['trackTotalHits'] === false ? null : answer.total,
      edges: shapeHits(answer.hits, network, nodes, cursors!),
    }),
  };
  return Object.fromEntries(selected.map((field) => [field.responseName, values[field.name]!(field)]));
};
