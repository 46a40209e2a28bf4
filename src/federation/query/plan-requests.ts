import {
  isOfAnyValues,
  uncountable,
  assertSortable as assertSortableField,
} from '../../engines/semantics/field-uses.ts';
import { measureRow } from '../../facets/measures.ts';
import type { QueriedNode } from '../../facets/row/measure-row.ts';
import { fieldNamed, type Field } from '../../introspection/fields/field.ts';
import { sortDefaults, type FacetRequest, type SortRequest } from '../../search/query.ts';
import type { NodeUp, NodeView } from '../nodes/node-view.ts';
import type { NetworkFacet } from './network-query.ts';
import { nodeFilter, sharesHierarchy, type FilterNode } from './plan-filter.ts';
import type { CursorKey } from '../../engines/semantics/cursor.ts';
import { badUserInput, type TributaryError } from '../../errors/errors.ts';
import { maxSortKeys } from '../../local/hits/hits-query.ts';
import { sortRefusal, type NetworkFields } from '../nodes/network-fields.ts';

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
export const planFacets = (
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
    const covering = field && queriedNode(path, field, node, status, filtering);
    const row = measureRow(measure.kind);
    const isMapped = node.fieldMapping.valuesOf(path) !== null && !isOfAnyValues(measure.kind);
    const isOffered = field && status.aggregates(field.path, measure.kind);
    const isCovered = covering && row.isCovered?.(measure, covering) !== false;
    if (!isCovered || isMapped || !isOffered || uncountable(field, measure.kind) !== null) {
      uncovered(path);
      return null;
    }
    const sent = row.toNode(measure, covering);
    const refusal = row.refusal?.(sent, covering) ?? null;
    if (refusal !== null) {
      failed.set(path, refusal);
      uncovered(path);
      return null;
    }
    const shortcoming = row.shortcoming?.(measure, covering) ?? null;
    if (shortcoming !== null) shortcomings.push(`${shortcoming} of "${path}"`);
    ofRecords.push(row.isOfCells(measure) ? null : path);
    const request = { field: field.path, measure: sent };
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
  values: node.fieldMapping.valuesOf(path),
  dialect: status.dialectOf?.(field.path) ?? 'tributary',
  pathOf: (one) => filtering.fieldOf(one)?.path ?? null,
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
export const unsorted: SortedNode = { sort: [], sortedBy: [] };

/** The sort of a query in a node's names, without keys that it lacks, or stores as text, which no server sorts by. */
export const planSort = (
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
