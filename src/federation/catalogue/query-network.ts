import type { Semaphore } from '../../lib/concurrency/locks.ts';
import { histogramTooFine, maxHistogramBuckets } from '../../engines/semantics/bucket-key.ts';
import { calendarBetween, datesTooFar } from '../../engines/semantics/calendar.ts';
import { requiredZone } from '../../engines/semantics/time-zone.ts';
import { badUserInput, TributaryError } from '../../lib/errors/errors.ts';
import { exactFacets } from './exact-facets.ts';
import { coverageOf, facetWarnings, mergeFacets, mergePage } from '../merge/answers.ts';
import type { MergedHit } from '../merge/hits.ts';
import {
  assertAffordable,
  assertRequired,
  assertResumable,
  assertTakenNow,
  byName,
  isPartial,
  nodeStatuses,
  totalOf,
} from '../merge/status.ts';
import type { NetworkFields } from '../nodes/network-fields.ts';
import type { NodeView } from '../nodes/node-view.ts';
import {
  fanout,
  checkRequired,
  failedResult,
  notQueried,
  type FanoutSettings,
  type NodeResult,
} from '../query/fanout.ts';
import { assertKeyUses, keyField, type NodesQuery, type NetworkFacet } from '../query/network-query.ts';
import { plan, type NodePlan } from '../query/plan.ts';
import { passedOn } from '../remote/network-node.ts';
import type { Fields } from '../../introspection/fields/field.ts';
import { recordSpan } from '../../lib/runtime/tracing.ts';
import type { Count } from '../../search/count.ts';
import type {
  FacetAnswer,
  FailedFacet,
  NodesAnswer,
  NodeStatus,
  WaitFor,
} from '../../search/nodes-answer.ts';
import { filtersIn } from '../../search/query.ts';
import type { QueriedNode, RequestContext } from '../../search/request-context.ts';
import type { Sqon } from '../../sqon/ast.ts';
import { expandSets } from '../../sqon/rewrite.ts';
import { validateSqon } from '../../sqon/compile.ts';

/** The network at the time of a query. */
export interface NetworkSnapshot {
  readonly nodes: readonly NodeView[];
  readonly network: NetworkFields;
  readonly displayName: string;
  /** The key that this server sends in its queries to other networks. */
  readonly key: string;
  /** How long recent merges took, in milliseconds: subtracted from the nodes' deadline. */
  readonly merging: { tookMs: number };
  /** Shared by all queries of this network. */
  readonly slots: Semaphore;
}

/** The merged answers of the nodes. */
export interface NetworkAnswer {
  /** In the order of their names. */
  readonly answers: readonly NodeResult[];
  /** Summed over the nodes that answered; null when none did, or some did not count. */
  readonly total: Count | null;
  readonly facets: readonly (FacetAnswer | FailedFacet)[];
  readonly hits: readonly MergedHit[];
  readonly nodes: NodesAnswer;
}

export interface QuerySettings {
  /** A filter on a field that no node has is an error instead of a warning. */
  readonly strictFilters: boolean;
  /** Nodes that must answer, in addition to those that the configuration requires. */
  readonly required?: readonly string[];
  /** Unset: all nodes are waited for. */
  readonly waitFor?: WaitFor | undefined;
}

/**
 * Queries the nodes of a network once, and merges their answers.
 * @throws TributaryError BAD_USER_INPUT for a query that does not fit the network's fields, and the errors of nodes that
 *   are required
 */
export const queryNetwork = async (
  query: NodesQuery,
  { nodes, network, key, merging, slots }: NetworkSnapshot,
  outer: RequestContext,
  { strictFilters, required = [], waitFor }: QuerySettings,
): Promise<NetworkAnswer> => {
  await outer.caller.networkAccess?.();
  const context = passedOn(outer, key, merging.tookMs);
  const filters = filtersIn(query.filters, query.facets);
  const notices = [...checkFilters(filters, network, strictFilters), ...checkNames(query.only, nodes)];
  notices.forEach(context.trace.warn);
  checkRequired(required, nodes);
  const plannedMs = performance.now();
  const plans = plan(query, network, nodes);
  recordSpan(context.span, 'plan', performance.now() - plannedMs);
  const waiting = waitFor && { ...waitFor, required: new Set(required) };
  const asking = { context, slots, required, waiting };
  const askedAtMs = performance.now();
  const answers = byName(await fanout(plans, context, asking));
  context.trace.queried = queriedNodes(answers);
  const startedMs = performance.now();
  const tooFine = await tooFineHistogram(query, answers, network.fields, async (facets) => {
    const extremes = { ...query, facets, hits: null };
    const results = await fanout(plan(extremes, network, nodes), context, { slots, required });
    return mergeFacets(extremes, results, network, context.signal);
  });
  if (tooFine) throw tooFine;
  assertAffordable(answers);
  assertResumable(answers);
  assertTakenNow(answers);
  assertRequired(answers, required);
  forwardWarnings(answers, context);
  warnOfMissingMeasures(query, answers, context);
  const merged = await mergeFacets(query, answers, network, context.signal);
  const tookMs = performance.now() - startedMs;
  merging.tookMs = Math.max(merging.tookMs * 0.9, tookMs);
  recordSpan(context.span, 'merge', tookMs);
  const facets = await exactFacets(
    { query, network, answers, facets: merged },
    {
      ask: (recounts) => askAgain(recounts, askedAtMs, asking),
      warn: context.trace.warn,
      signal: context.signal,
    },
  );
  for (const warning of facetWarnings(query, facets)) context.trace.warn(warning);
  return {
    answers,
    total: totalOf(answers),
    facets,
    hits: query.hits && query.hits.first > 0 ? mergePage(query.hits, answers, network) : [],
    nodes: {
      partial: isPartial(answers),
      statuses: nodeStatuses(answers),
      coverage: (path) => coverageOf(path, query, answers, network),
    },
  };
};

/**
 * @throws TributaryError ENGINE_UNAVAILABLE when no queried node answered or may still, NOT_DISCLOSED when none of them
 *   may answer
 */
export const assertAnswered = (statuses: readonly NodeStatus[]): void => {
  const queried = statuses.filter(({ state }) => state !== 'excluded');
  if (queried.length === 0 || queried.some(({ state }) => state === 'ok' || state === 'pending')) return;
  const nodes = queried.map(({ nodeId, state, errors: reason }) => ({ nodeId, state, reason }));
  // a query that may not be answered is not a failure of a node
  if (queried.every(({ code }) => code === 'NOT_DISCLOSED'))
    throw new TributaryError('NOT_DISCLOSED', `no node of the network discloses this: ${nodes[0]!.reason}`, {
      details: { nodes },
    });
  const states = nodes.map(({ nodeId, state }) => `"${nodeId}" ${state}`).join(', ');
  throw new TributaryError('ENGINE_UNAVAILABLE', `no node of the network answered: ${states}`, {
    details: { nodes },
  });
};

/** The nodes that were sent a query, with the outcome. */
export const queriedNodes = (results: readonly NodeResult[]): readonly QueriedNode[] =>
  results.flatMap(({ plan, state, code, tookMs }) =>
    plan.kind === 'query'
      ? [{ nodeId: plan.node.config.nodeId, state: state === 'pending' ? state : (code ?? 'ok'), tookMs }]
      : [],
  );

/** The second query gets at least this long, so that a node that hung in the first does not cost the other nodes' counts. */
const leastMsAgain = 1_000;

/** Queries nodes that have answered before, within the time that the first answers left; never rejects. */
const askAgain = async (
  plans: readonly NodePlan[],
  firstAskedAtMs: number,
  { context, ...settings }: FanoutSettings & { readonly context: RequestContext },
): Promise<readonly NodeResult[]> => {
  const startedMs = performance.now();
  const timeoutMs = Math.max(...plans.map(({ node }) => node.config.timeoutMs));
  const dueAtMs = Math.max(firstAskedAtMs + timeoutMs, startedMs + leastMsAgain);
  const limited = context.withDueTime(dueAtMs);
  try {
    return await fanout(plans, limited, settings);
  } catch (error) {
    // no slot became free: keep the first answers
    return plans.map((planned) =>
      planned.kind === 'query' ? failedResult(planned, error, 0) : notQueried(planned),
    );
  } finally {
    recordSpan(context.span, 'count exactly', performance.now() - startedMs);
  }
};

/**
 * Checks filters against the network's fields, and the keys of its hits.
 * @param strict a field that no node has is an error instead of a warning
 * @returns notices for the caller
 * @throws TributaryError BAD_USER_INPUT for a filter that does not fit the fields
 */
export const checkFilters = (
  filters: readonly Sqon[],
  { fields }: NetworkFields,
  strict: boolean,
): readonly string[] => {
  const known = fields.has(keyField.path) ? fields : new Map([...fields, [keyField.path, keyField]]);
  return filters.flatMap((filter) => {
    // each node resolves saved sets itself
    const checked: Sqon = expandSets(filter, () => []);
    if (!fields.has(keyField.path)) assertKeyUses(checked);
    return validateSqon(checked, known, { strict });
  });
};

/** Notices about selected nodes that the network does not have. */
export const checkNames = (
  only: ReadonlySet<string> | null,
  nodes: readonly NodeView[],
): readonly string[] => {
  const known = new Set(nodes.map(({ config }) => config.nodeId));
  return [...(only ?? [])]
    .filter((id) => !known.has(id))
    .map((id) => `nodesFilter names "${id}", which is not a node of this network`);
};

/** Skips nodes' filter warnings: they refer to the rewritten filter, and the original was validated here. */
const forwardWarnings = (answers: readonly NodeResult[], context: RequestContext): void => {
  for (const { plan } of answers)
    for (const shortcoming of (plan.kind === 'query' && plan.shortcomings) || [])
      context.trace.warn(`node "${plan.node.config.nodeId}" ${shortcoming}`);
  for (const {
    plan: { node },
    answer,
  } of answers)
    for (const warning of answer?.warnings ?? [])
      if (!warning.startsWith('filter at ')) context.trace.warn(`node "${node.config.nodeId}": ${warning}`);
};

/** Coverage is per field: this reports nodes that support only some of its measures. */
const warnOfMissingMeasures = (
  { facets }: NodesQuery,
  answers: readonly NodeResult[],
  context: RequestContext,
): void => {
  for (const { plan, state } of answers)
    for (const [index, { path, measure }] of facets.entries()) {
      if (state !== 'ok' || plan.facets[index] !== null) continue;
      if (facets.some((other, at) => other.path === path && plan.facets[at] != null))
        context.trace.warn(
          `node "${plan.node.config.nodeId}" does not offer the ${measure.kind} of "${path}": its documents are not in it`,
        );
    }
};

/** Asks the nodes for facets, merged, as the query that they refused. */
type AskFacets = (facets: readonly NetworkFacet[]) => Promise<readonly (FacetAnswer | FailedFacet)[]>;

/**
 * The error for a query with a histogram that has too many buckets at some node: merging with others does not reduce
 * them. The interval that it names fits the values of all nodes, whose extremes are asked for; where they cannot be
 * known, it is what that node named.
 * @returns null if no node refused for this reason
 */
const tooFineHistogram = async (
  query: NodesQuery,
  answers: readonly NodeResult[],
  fields: Fields,
  ask: AskFacets,
): Promise<TributaryError | null> => {
  const refused = answers.find(({ smallestInterval }) => smallestInterval !== undefined);
  if (refused === undefined) return null;
  const histograms = query.facets.filter(
    ({ measure: { kind } }) => kind === 'histogram' || kind === 'date_histogram',
  );
  const extents = await ask(histograms.map(({ path }) => ({ path, measure: { kind: 'stats' } }))).catch(
    // the nodes' own refusal is as true
    () => [],
  );
  for (const [index, facet] of histograms.entries()) {
    const error = tooFineOver(facet, fields.get(facet.path)!.type, extents[index]);
    if (error) return error;
  }
  const { nodeId } = refused.plan.node.config;
  return badUserInput(`node "${nodeId}" ${refused.reason}`, {
    details: { smallestInterval: refused.smallestInterval },
  });
};

const tooFineOver = (
  { path, measure }: NetworkFacet,
  type: string,
  extent: FacetAnswer | FailedFacet | undefined,
): TributaryError | null => {
  if (extent?.kind !== 'stats' || extent.min === null || extent.max === null) return null;
  const [min, max] = [Number(extent.min), Number(extent.max)];
  if (measure.kind === 'histogram') {
    const size = Math.floor(max / measure.interval) - Math.floor(min / measure.interval) + 1;
    return size <= maxHistogramBuckets ? null : histogramTooFine(path, type, max - min);
  }
  if (measure.kind !== 'date_histogram') return null;
  const calendar = calendarBetween(min, max, measure.interval, requiredZone(measure.timeZone));
  return calendar === null ? datesTooFar(path, min, max) : null;
};
