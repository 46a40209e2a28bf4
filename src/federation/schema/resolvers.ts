import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';
import type { Field } from '../../introspection/fields/field.ts';
import { completed } from '../../graphql/completed-value.ts';
import { assertCountable } from '../../engines/semantics/field-uses.ts';
import type { SelectedField } from '../../graphql/selected-fields.ts';
import type { Caller } from '../../search/query.ts';
import { expandSets } from '../../sqon/sets.ts';
import { validateSqon } from '../../sqon/validate.ts';
import type { NodeResult } from '../query/fanout.ts';
import { fanout } from '../query/fanout.ts';
import { coverageOf, mergeFacets, mergePage } from '../merge/answers.ts';
import {
  assertAffordable,
  assertIntervalFits,
  assertRequired,
  assertTakenNow,
  byName,
  isPartial,
  nodeStatuses,
  totalOf,
} from '../merge/status.ts';
import type { Planner } from '../query/plan-cache.ts';
import type { NetworkFields } from '../nodes/network-fields.ts';
import type { NodeView } from '../nodes/node-view.ts';
import type { NetworkQuery } from '../query/network-query.ts';
import type { NetworkArguments, NetworkSelection, PlannedSelection } from './selection.ts';
import { networkSelection } from './selection.ts';
import { shapeHits } from './shape-hits.ts';

/** The network at the time of a query. */
export interface NetworkNow {
  readonly nodes: readonly NodeView[];
  readonly network: NetworkFields;
  readonly plan: Planner;
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
    const { nodes, network, plan, select } = now();
    const nodeIds = nodes.map(({ config }) => config.nodeId);
    const selection = networkSelection(select(info), args, nodeIds, caller.warn);
    checkFilters(selection.question, network, strictFilters, caller);
    checkQuestion(selection.question, nodes, network, caller);
    const answers = byName(await fanout(plan(selection.question, nodes), caller));
    assertIntervalFits(selection.question, answers);
    assertAffordable(answers);
    assertTakenNow(answers);
    assertRequired(answers);
    passWarnings(answers, caller);
    warnOfMissingMeasures(selection.question, answers, caller);
    return completed(shapeNetwork(selection, answers, nodes, network, caller), caller, info);
  };

const checkFilters = (
  { filters }: NetworkQuery,
  { fields }: NetworkFields,
  strict: boolean,
  caller: Caller,
): void => {
  // each node resolves saved sets itself
  const checked = filters && expandSets(filters, () => []);
  for (const warning of validateSqon(checked, fields, { strict })) caller.warn(warning);
};

const checkQuestion = (
  { only, facets }: NetworkQuery,
  nodes: readonly NodeView[],
  network: NetworkFields,
  caller: Caller,
): void => {
  for (const id of only ?? [])
    if (!nodes.some(({ config }) => config.nodeId === id))
      caller.warn(`nodesFilter names "${id}", which is not a node of this network`);
  for (const { path, measure } of facets) assertCountable(countedField(path, network), measure.kind);
};

/** A field that is text wherever it is covered stays text, whatever type is declared: no node could answer. */
const countedField = (path: string, { fields, byNode }: NetworkFields): Field => {
  const own = [...byNode.values()].flatMap((covered) => covered.get(path) ?? []);
  const text = own.length > 0 && own.every(({ kind }) => kind === 'text') ? own[0] : undefined;
  return text ? { ...text, path } : fields.get(path)!;
};

/** A node's warnings about its rewritten filter would mislead; the network has checked the caller's own. */
const passWarnings = (answers: readonly NodeResult[], caller: Caller): void => {
  for (const { plan } of answers)
    for (const shortcoming of (plan.kind === 'ask' && plan.shortcomings) || [])
      caller.warn(`node "${plan.node.config.nodeId}" ${shortcoming}`);
  for (const { plan: { node }, answer } of answers)
    for (const warning of answer?.warnings ?? [])
      if (!warning.startsWith('filter at ')) caller.warn(`node "${node.config.nodeId}": ${warning}`);
}; // prettier-ignore

/** Coverage is per field: this reports nodes that support only some of its measures. */
const warnOfMissingMeasures = (
  { facets }: NetworkQuery,
  answers: readonly NodeResult[],
  caller: Caller,
): void => {
  for (const { plan, state } of answers)
    for (const [index, { path, measure }] of facets.entries()) {
      const gives = facets.some((other, at) => other.path === path && plan.facets[at] != null);
      if (state === 'ok' && plan.facets[index] === null && gives)
        caller.warn(
          `node "${plan.node.config.nodeId}" cannot give the ${measure.kind} of "${path}": its documents are not in it`,
        );
    }
};

/** The value of the field `network`, keyed by response name. */
const shapeNetwork = (
  selection: NetworkSelection,
  answers: readonly NodeResult[],
  nodes: readonly NodeView[],
  network: NetworkFields,
  caller: Caller,
): Readonly<Record<string, unknown>> => {
  const { question } = selection;
  const facets = mergeFacets(question, answers, network.fields);
  for (const warning of facets.flatMap(({ warnings = [] }) => warnings)) caller.warn(warning);
  const coverage = (path: string) => coverageOf(path, question, answers, network);
  const edges = question.hits && question.hits.first > 0 ? mergePage(question.hits, answers, network) : [];
  const values: Readonly<Record<string, (field: SelectedField) => unknown>> = {
    total: () => totalOf(answers),
    partial: () => isPartial(answers),
    nodes: () => nodeStatuses(answers),
    aggregations: ({ responseName }) => selection.shapeFacets(responseName, { facets, coverage }),
    overlap: ({ responseName }) => selection.shapeOverlap(responseName, facets, answers, network),
    hits: ({ args }) => ({
      total: args['trackTotalHits'] === false ? null : totalOf(answers),
      edges: shapeHits(edges, network, nodes, selection.cursors!),
    }),
  };
  return Object.fromEntries(
    selection.selected.map((field) => [field.responseName, values[field.name]!(field)]),
  );
};
