import type { CursorKey } from '../../engines/semantics/cursor.ts';
import {
  isOfAnyValues,
  uncountable,
  assertSortable as assertSortableField,
} from '../../engines/semantics/field-uses.ts';
import type { MeasureKind } from '../../engines/measure.ts';
import { badUserInput, type TributaryError } from '../../lib/errors/errors.ts';
import { measureRow } from '../../search/facets/measures.ts';
import type { NodeRequest, QueriedNode } from '../../search/facets/row/measure-row.ts';
import { sortRefusal, type NetworkFields } from '../nodes/network-fields.ts';
import { facetValuesOf, type NodeDown, type NodeUp, type NodeView } from '../nodes/node-view.ts';
import type { NetworkFacet, NetworkPage, NodesQuery } from './network-query.ts';
import { nodeFilter, withoutTrue, sharesHierarchy, type FilterNode } from './plan-filter.ts';
import { fieldNamed, placeOf, type Field } from '../../introspection/fields/field.ts';
import { maxSortKeys } from '../../local/hits/hits-query.ts';
import {
  countOnly,
  sortDefaults,
  type CatalogueQuery,
  type CatalogueResult,
  type HitsRequest,
  type FacetRequest,
  type SortRequest,
} from '../../search/query.ts';
import { truthOf } from '../../sqon/rewrite.ts';

/** How one node is handled for one query. */
export type NodePlan = ExcludedPlan | DownPlan | EmptyPlan | QueryPlan;

interface PlanBase {
  readonly node: NodeView;
  /** Network fields of the query that this node lacks. */
  readonly uncoveredFields: readonly string[];
  /** For each facet of the query, the index of its answer in the node's facets; null when not covered. */
  readonly facets: readonly (number | null)[];
  /** Why facets that this node was queried for could not be computed there, by the network's path. */
  readonly failedFacets?: ReadonlyMap<string, TributaryError>;
}

/** Excluded by nodesFilter. */
export interface ExcludedPlan extends PlanBase {
  readonly kind: 'excluded';
}

export interface DownPlan extends PlanBase {
  readonly kind: 'down';
  readonly status: NodeDown;
}

/** No record of this node can match: answered with zero, without a query. */
export interface EmptyPlan extends PlanBase {
  readonly kind: 'empty';
}

export interface QueryPlan extends PlanBase, SortedNode {
  readonly kind: 'query';
  readonly status: NodeUp;
  readonly query: CatalogueQuery;
  readonly ofRecords: PlannedFacets['ofRecords'];
  /** Where the node's query deviates from the caller's because the node lacks a feature, as messages to show. */
  readonly shortcomings?: readonly string[];
}

/** Turns one query into a query for each node, using that node's names and values. Pure. */
export const plan = (
  query: NodesQuery,
  network: NetworkFields,
  nodes: readonly NodeView[],
): readonly NodePlan[] => nodes.map((node) => planNode(query, network, node));

const planNode = (question: NodesQuery, network: NetworkFields, node: NodeView): NodePlan => {
  const nothing = { node, uncoveredFields: [], facets: question.facets.map(() => null) };
  const { status } = node;
  if (question.only?.has(node.config.nodeId) === false) return { ...nothing, kind: 'excluded' };
  if (status.kind === 'down') return { ...nothing, kind: 'down', status };
  const covered = network.byNode.get(node.config.nodeId);
  const fieldOf = (path: string): Field | undefined => covered && fieldNamed(covered, path);
  const uncovered = new Set<string>();
  const filtering: FilterNode = {
    nodeId: node.config.nodeId,
    isNetwork: status.isNetwork,
    fieldMapping: node.fieldMapping,
    fieldOf,
    networkField: (path) => network.fields.get(path),
    uncovered: (path) => void uncovered.add(path),
  };
  const filter = question.filters && withoutTrue(nodeFilter(question.filters, filtering));
  // a release does not list every field, so an unknown field does not mean that nothing matches
  if (status.withheld && uncovered.size > 0)
    return { ...nothing, kind: 'down', status: unreleased, uncoveredFields: [...uncovered] };
  const facets = planFacets(question.facets, node, status, filtering);
  facets.uncovered.forEach(filtering.uncovered);
  const hits = question.hits && planHits(question.hits, node, status, filtering);
  const base = {
    node,
    uncoveredFields: [...uncovered],
    facets: facets.indexes,
    ...(facets.failed.size > 0 && { failedFacets: facets.failed }),
  };
  // a network may not know a field yet because the institution that has it was never reached: let it answer
  const mayLack = status.isNetwork === true && uncovered.size > 0;
  const isEmpty = filter !== null && truthOf(filter) === false && !mayLack;
  if (isEmpty || (facets.requests.length === 0 && !hits)) return { ...base, kind: 'empty' };
  const query: CatalogueQuery = {
    filters: filter,
    filterThemselves: question.filterThemselves,
    includeMissing: question.includeMissing,
    facets: facets.requests,
    hits: hits?.request ?? null,
  };
  const { ofRecords } = facets;
  const shortcomings = [...facets.shortcomings, ...(hits?.shortcomings ?? [])];
  return {
    ...base,
    kind: 'query',
    status,
    query,
    ofRecords,
    ...(hits?.sorted ?? unsorted),
    ...(shortcomings.length > 0 && { shortcomings }),
  };
};

const unreleased: NodeDown = {
  kind: 'down',
  code: 'NOT_DISCLOSED',
  reason: 'a field of the filter is not disclosed there',
};

const planHits = (page: NetworkPage, node: NodeView, status: NodeUp, { fieldOf, uncovered }: FilterNode) => {
  const { requests, sorted } = planSort(page.sort, fieldOf);
  const shortcomings = page.sort.flatMap(({ fieldName }, at) => {
    if (sorted.sort[at] !== null) return [];
    uncovered(fieldName);
    return fieldOf(fieldName) ? [unsortedBy(fieldName)] : [];
  });
  const fields = page.fields.flatMap((path) => {
    const field = fieldOf(path);
    if (!field) uncovered(path);
    return field ? [placeOf(field)] : [];
  });
  // objects without any of the requested values count too
  const objects = status.isWhole ? (page.objects ?? []).flatMap((path) => fieldOf(path)?.path ?? []) : [];
  const request: HitsRequest = {
    first: page.first === 0 ? 0 : page.after ? page.first : page.offset + page.first,
    offset: 0,
    sort: requests,
    searchAfter: page.after?.get(node.config.nodeId) ?? null,
    trackTotal: page.trackTotal,
    ...(page.bounded && { bounded: page.bounded }),
    fields: [...fields, ...objects],
  };
  return { request, sorted, shortcomings };
};

const unsortedBy = (fieldName: string): string =>
  `cannot sort by "${fieldName}", which is text there: its rows are placed like those without a value`;

/**
 * The rest of a plan for a node that withholds its records from this caller: the number of matches, and facets of counts;
 * then without intervals too, which may not be those of its release. null when nothing else was requested.
 */
export const withheldPlan = (plan: QueryPlan): QueryPlan | null =>
  withoutRecords(plan) ?? withoutIntervals(plan);

/**
 * A plan without the facets that could not be computed, and the answer without them: the node does not cover them.
 * @throws TributaryError the error of a histogram that is too fine, which is refused for all nodes
 */
export const withoutFailed = (
  plan: QueryPlan,
  answer: CatalogueResult,
): { readonly current: QueryPlan; readonly answer: CatalogueResult } => {
  const failed = new Map<string, TributaryError>(plan.failedFacets);
  const positions: number[] = [];
  for (const [index, facet] of answer.facets.entries()) {
    if (facet.kind !== 'failed') positions.push(index);
    else if (facet.error.details?.['smallestInterval'] !== undefined) throw facet.error;
    else {
      const { field } = plan.query.facets[index]!;
      failed.set(plan.node.fieldMapping.toNetwork(field) ?? field, facet.error);
    }
  }
  if (positions.length === answer.facets.length) return { current: plan, answer };
  const current = { ...withFacets(plan, positions, failed.keys()), failedFacets: failed };
  return { current, answer: { ...answer, facets: positions.map((index) => answer.facets[index]!) } };
};

/** A plan with only some of its facets, by their indexes in the query. @param lacking fields that it then does not cover */
const withFacets = (plan: QueryPlan, positions: readonly number[], lacking: Iterable<string>): QueryPlan => ({
  ...plan,
  query: { ...plan.query, facets: positions.map((index) => plan.query.facets[index]!) },
  ofRecords: positions.map((index) => plan.ofRecords[index]!),
  uncoveredFields: [...new Set([...plan.uncoveredFields, ...lacking])],
  facets: plan.facets.map((at) => (at !== null && positions.includes(at) ? positions.indexOf(at) : null)),
});

const withoutIntervals = (plan: QueryPlan): QueryPlan | null =>
  withoutRecords({
    ...plan,
    ofRecords: plan.query.facets.map(({ field, measure: { kind } }) =>
      kind === 'histogram' || kind === 'date_histogram' ? plan.node.fieldMapping.toNetwork(field) : null,
    ),
  });

const withoutRecords = (plan: QueryPlan): QueryPlan | null => {
  const { hits } = plan.query;
  const showsRows = hits !== null && (hits.first > 0 || hits.searchAfter !== null || hits.sort.length > 0);
  const left = plan.ofRecords.filter((path) => path !== null);
  if (!showsRows && left.length === 0) return null;
  const ofCells = plan.ofRecords.flatMap((path, index) => (path === null ? [index] : []));
  const counted = withFacets(plan, ofCells, left);
  return { ...counted, ...unsorted, query: { ...counted.query, hits: hits && countOf(hits) } };
};

const countOf = ({ trackTotal, bounded }: HitsRequest): HitsRequest => ({
  ...countOnly,
  trackTotal,
  ...(bounded && { bounded }),
});

/** The facets of a query as requests to one node. */
export interface PlannedFacets {
  readonly requests: readonly FacetRequest[];
  /** For each facet, the index of its request; null when not covered. */
  readonly indexes: readonly (number | null)[];
  readonly shortcomings: readonly string[];
  /** For each request: the network's path, if only records can answer it; null for counts of cells. */
  readonly ofRecords: readonly (string | null)[];
  /** Why facets of a path cannot be requested from the node. */
  readonly failed: ReadonlyMap<string, TributaryError>;
  /** Network fields that the node lacks. */
  readonly uncovered: readonly string[];
}

/** Request bodies beyond 5 MiB are refused by default, and facets are not all of the body. */
const maxSentBytes = 4 * 2 ** 20;

/** Turns the facets of a query into requests to one node, in its names and values. */
const planFacets = (
  facets: readonly NetworkFacet[],
  node: NodeView,
  status: NodeUp,
  filter: FilterNode,
): PlannedFacets => {
  const lacking = new Set<string>();
  const filtering = { ...filter, uncovered: (path: string) => void lacking.add(path) };
  const { fieldOf, uncovered } = filtering;
  const requests: FacetRequest[] = [];
  const shortcomings: string[] = [];
  const ofRecords: (string | null)[] = [];
  const failed = new Map<string, TributaryError>();
  const indexes = facets.map(({ path, measure, bounded, unshown }) => {
    const field = fieldOf(path);
    const row = measureRow(measure.kind);
    const isMapped = node.fieldMapping.valuesOf(path) !== null && !isOfAnyValues(measure.kind);
    const isGiven =
      field && !isMapped && status.aggregates(field.path, measure.kind) && !uncountable(field, measure.kind);
    const nodeRequest: NodeRequest<MeasureKind> = isGiven
      ? row.toNode(measure, queriedNode(path, field, node, status, filtering))
      : { kind: 'notCovered' };
    if (!field || nodeRequest.kind !== 'sent') {
      if (nodeRequest.kind === 'refused') failed.set(path, nodeRequest.error);
      uncovered(path);
      return null;
    }
    if (nodeRequest.shortcoming !== undefined) shortcomings.push(`${nodeRequest.shortcoming} of "${path}"`);
    ofRecords.push(row.isOfCells(measure) ? null : path);
    const request = { field: field.path, measure: nodeRequest.measure };
    const counts = { ...(bounded && { bounded }), ...(unshown && { unshown }) };
    return requests.push({ ...request, ...counts }) - 1;
  });
  return { requests, indexes, shortcomings, ofRecords, failed, uncovered: [...lacking] };
};

const queriedNode = (
  path: string,
  field: Field,
  node: NodeView,
  status: NodeUp,
  filtering: FilterNode,
): QueriedNode => ({
  values: facetValuesOf(node, path),
  dialect: status.dialectOf?.(field.path) ?? 'tributary',
  pathOf: (name) => filtering.fieldOf(name)?.path ?? null,
  filterOf: (filter) => nodeFilter(filter, filtering),
  hierarchy: filtering.networkField(path)?.hierarchy,
  sharesHierarchy: sharesHierarchy(path, filtering),
  maxBytes: node.config.source.kind === 'remote' ? maxSentBytes : Infinity,
});

/** How a node sorts its rows, for reading its cursors. */
export interface SortedNode {
  /** For each sort key of the query: its index in the node's sort values; null when the node does not sort by it. */
  readonly sort: readonly (number | null)[];
  /** The node's own keys: they determine its markers for missing values. */
  readonly sortedBy: readonly CursorKey[];
}

/** For a query without hits, or a node whose rows are not read. */
const unsorted: SortedNode = { sort: [], sortedBy: [] };

/** The sort of a query in a node's names, without keys that it lacks, or stores as text, which no server sorts by. */
const planSort = (
  sort: readonly SortRequest[],
  fieldOf: (networkPath: string) => Field | undefined,
): { readonly requests: readonly SortRequest[]; readonly sorted: SortedNode } => {
  const requests: SortRequest[] = [];
  const sortedBy: CursorKey[] = [];
  const indexes = sort.map((key) => {
    const field = fieldOf(key.fieldName);
    if (!field || field.kind === 'text') return null;
    const { path, type } = field;
    const { order, missing } = sortDefaults(key);
    sortedBy.push({ field: { path, type }, order, missing });
    return requests.push({ ...key, fieldName: path, missing }) - 1;
  });
  return { requests, sorted: { sort: indexes, sortedBy } };
};

/**
 * @throws TributaryError BAD_USER_INPUT for too many keys, fields that no node has, unsortable fields, and fields that
 *   some node writes in values of its own: its order is not that of the values shown
 */
export const assertSortable = (
  sort: readonly SortRequest[],
  network: Pick<NetworkFields, 'fields' | 'ownValuesAt'>,
): void => {
  if (sort.length > maxSortKeys)
    throw badUserInput(`sort takes at most ${maxSortKeys} keys, not ${sort.length}`);
  for (const { fieldName, mode } of sort) {
    const field = fieldNamed(network.fields, fieldName);
    if (!field) throw badUserInput(`cannot sort by "${fieldName}": no node of the network has it`);
    assertSortableField(field, mode);
    const refusal = sortRefusal(field.path, network);
    if (refusal !== null) throw badUserInput(refusal, { details: { fieldName } });
  }
};
