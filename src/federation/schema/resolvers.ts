import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';
import { deferValue, inSlices, type SelectedField } from '../../graphql/execution.ts';
import { furtherFacets } from '../../facets/measures.ts';
import { areOfSameNodes } from '../../search/nodes-answer.ts';
import { fitTypes } from '../../local/hits/selection.ts';
import { boundedTotal } from '../../local/hits/shape.ts';
import { waitForOf, type FlatEdge } from '../../local/schema/network-types.ts';
import type { RequestContext } from '../../search/request-context.ts';
import { queryNetwork, type NetworkSnapshot, type NetworkAnswer } from '../catalogue/query-network.ts';
import type { NetworkArguments, NetworkSelection, PlannedSelection } from './selection.ts';
import { networkSelection } from './selection.ts';
import { isWideType, placeOf, type Field } from '../../introspection/fields/field.ts';
import { valueAt, type JsonValue } from '../../json/json.ts';
import { fieldValue, storedValues } from '../../local/hits/stored-document.ts';
import type { CursorScope } from '../merge/cursor.ts';
import type { NetworkQuery } from '../query/network-query.ts';
import type { MergedHit } from '../merge/hits.ts';
import type { NetworkFields } from '../nodes/network-fields.ts';
import type { NodeView } from '../nodes/node-view.ts';

/** The network at the time of a query. */
export interface NetworkNow extends NetworkSnapshot {
  /** Runs once per parsed document. */
  readonly select: (info: GraphQLResolveInfo) => PlannedSelection;
}

/**
 * The resolver of the root field `network`: one query per node, whatever is selected.
 * @param now the current nodes
 * @param strictFilters a filter on a field that no node has is an error instead of a warning
 */
export const resolveNetwork =
  (
    now: () => NetworkNow,
    strictFilters: boolean,
  ): GraphQLFieldResolver<unknown, RequestContext, NetworkArguments> =>
  async (_source, args, context, info) => {
    const current = now();
    const nodeIds = current.nodes.map(({ config }) => config.nodeId);
    const selection = networkSelection(current.select(info), args, nodeIds, context.trace.warn);
    const waitFor = waitForOf(args.waitFor);
    const queried = await queryNetwork(selection.query, current, context, { strictFilters, waitFor });
    const answer = await withFurther(queried, selection.query, (query) =>
      queryNetwork(query, current, context, { strictFilters, waitFor }),
    );
    context.trace.isPartial ||= answer.nodes.partial;
    if (!selection.selected.some(({ name }) => name === 'partial' || name === 'nodes'))
      context.trace.nodesAnswers.push(answer.nodes);
    return shapeNetwork(selection, answer, current, { info, isUnwanted: () => context.isUnwanted() });
  };

/** Nodes are queried again for fields that depend on their answers; dropped if other nodes answer then. */
const withFurther = async (
  answer: NetworkAnswer,
  query: NetworkQuery,
  run: (query: NetworkQuery) => Promise<NetworkAnswer>,
): Promise<NetworkAnswer> => {
  const requests = query.facets.map(({ path, ...facet }) => ({ field: path, ...facet }));
  const further = furtherFacets(requests, answer.facets);
  if (further === null) return answer;
  const facets = further.requests.map(({ field: path, ...facet }) => ({ path, ...facet }));
  const again = await run({ ...query, facets, hits: null });
  return areOfSameNodes(again.nodes, answer.nodes)
    ? { ...answer, facets: further.joined(again.facets) }
    : answer;
};

/** The value of the field `network`, keyed by response name. */
const shapeNetwork = (
  { selected, facets, cursors }: NetworkSelection,
  answer: NetworkAnswer,
  { nodes, network }: NetworkSnapshot,
  {
    info: { rootValue, path },
    isUnwanted,
  }: { readonly info: GraphQLResolveInfo; readonly isUnwanted: () => boolean },
): Readonly<Record<string, unknown>> => {
  const merged = {
    facets: facets.indexes.map((index) => answer.facets[index]!),
    nodeId: '',
    coverage: answer.nodes.coverage,
  };
  const { total, totalBounds } = answer;
  const bounds = boundedTotal({ total, ...(totalBounds && { totalBounds }) });
  const fits = fitTypes(facets, merged);
  const values: Readonly<Record<string, (field: SelectedField) => unknown>> = {
    total: () => bounds.total,
    upper_bound: () => bounds.upper_bound,
    exists: () => bounds.exists,
    exact: () => bounds.exact,
    estimate: () => bounds.estimate,
    partial: () => answer.nodes.partial,
    nodes: () => answer.nodes.statuses,
    aggregations: ({ responseName: key, typeName: typename }) => {
      const shaped = facets.shapes.get(key)!(merged);
      return fits ? deferValue(shaped, { rootValue, path: { prev: path, key, typename } }) : shaped;
    },
    hits: ({ args }) => ({
      ...(args['trackTotalHits'] === false ? boundedTotal({ total: null }) : bounds),
      edges: inSlices(shapeHits(answer.hits, network, nodes, cursors!), isUnwanted),
    }),
  };
  return Object.fromEntries(selected.map((field) => [field.responseName, values[field.name]!(field)]));
};

/** Merged rows in the network's names and values. */
const shapeHits = (
  hits: readonly MergedHit[],
  network: NetworkFields,
  nodes: readonly NodeView[],
  cursors: () => CursorScope,
): readonly FlatEdge[] => {
  const byId = new Map(nodes.map((node) => [node.config.nodeId, node]));
  let scope: CursorScope | null = null;
  return hits.map((merged) => {
    const { nodeId, hit } = merged;
    return {
      nodeId,
      searchAfter: () => merged.printPosition((scope ??= cursors())),
      node: {
        id: hit.id,
        value: (field) => {
          const own = network.byNode.get(nodeId)?.get(field.path);
          const values = byId.get(nodeId)?.fieldMapping.valuesOf(field.path) ?? null;
          const shown = own ? storedValues(valueAt(hit.source, placeOf(own))) : [];
          const of = values || !own || field.kind !== 'number' ? field : own;
          return shapeValue(
            values ? shown.map((value) => values.toNetwork(String(value))) : shown,
            of,
            field.isArray,
          );
        },
      },
    };
  });
};

const shapeValue = (values: readonly JsonValue[], field: Field, isArray: boolean): JsonValue => {
  if (values.length === 0) return null;
  // a network has one type for numbers, whatever types its catalogues use
  const as = field.kind === 'number' && !isWideType(field.type) ? float : field;
  return isArray ? values.map((value) => fieldValue(value, as)) : fieldValue(values[0]!, as);
};

const float = { kind: 'number', type: 'double' } as const;
