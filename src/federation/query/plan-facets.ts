import type { MeasureKind } from '../../engines/measure.ts';
import { isOfAnyValues } from '../../engines/semantics/field-uses.ts';
import { measureRow } from '../../facets/measures.ts';
import type { QueriedNode, CoveringNode } from '../../facets/row/measure-row.ts';
import type { Field } from '../../introspection/fields/field.ts';
import type { FacetMeasure, FacetRequest } from '../../search/query.ts';
import type { NodeUp, NodeView } from '../nodes/node-view.ts';
import type { NetworkFacet } from './network-query.ts';
import type { FilterNode } from './plan-filter.ts';
import { nodeFilter } from './plan-filter.ts';

/** The facets of a query as one node's requests. */
export interface PlannedFacets {
  readonly requests: readonly FacetRequest[];
  /** For each facet: the index of its request; null when not covered, undefined when the node need not be queried. */
  readonly indexes: readonly (number | null | undefined)[];
  readonly shortcomings: readonly string[];
  /** For each request: the network's path, where only records can answer it; null for counts of cells. */
  readonly ofRecords: readonly (string | null)[];
  /** Network fields that the node lacks. */
  readonly uncovered: readonly string[];
}

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
  const indexes = facets.map(({ path, measure, bounded, unshown, parted }) => {
    const field = fieldOf(path);
    const asked = field && coveringNode(path, field, node, status, measure.kind, filtering);
    if (asked && !isAsked(measure, asked)) return undefined;
    const mapped = node.fieldMapping.valuesOf(path) !== null && !isOfAnyValues(measure.kind);
    if (!asked || mapped || !asked.gives(measure.kind) || !isCovered(measure, asked)) {
      uncovered(path);
      return null;
    }
    const shortcoming = shortcomingOf(measure, asked);
    if (shortcoming !== null) shortcomings.push(`${shortcoming} of "${path}"`);
    ofRecords.push(isOfCells(measure) ? null : path);
    const isBounded = bounded && status.hasBounds !== false;
    const request = { field: field.path, measure: nodeMeasure(measure, asked) };
    const counts = { ...(isBounded && { bounded }), ...(unshown && { unshown }) };
    return requests.push({ ...request, ...counts, ...(parted && { parted }) }) - 1;
  });
  return { requests, indexes, shortcomings, ofRecords, uncovered: [...lacking] };
};

const coveringNode = (
  path: string,
  field: Field,
  node: NodeView,
  status: NodeUp,
  kind: MeasureKind,
  filtering: FilterNode,
): CoveringNode => ({
  field,
  values: node.fieldMapping.valuesOf(path),
  gives: (other) => status.aggregates(field.path, other),
  takes: (argument) => status.takes?.(field.path, kind, argument) ?? true,
  shows: (name) => status.shows?.(field.path, kind, name) ?? true,
  pathOf: (one) => filtering.fieldOf(one)?.path ?? null,
  filterOf: (filter) => nodeFilter(filter, filtering),
});

const isAsked = <Kind extends MeasureKind>(measure: FacetMeasure<Kind>, asked: CoveringNode): boolean =>
  measureRow<Kind>(measure.kind).isRequested?.(measure, asked) ?? true;

const isCovered = <Kind extends MeasureKind>(measure: FacetMeasure<Kind>, asked: CoveringNode): boolean =>
  measureRow<Kind>(measure.kind).isCovered?.(measure, asked) ?? true;

const nodeMeasure = <Kind extends MeasureKind>(
  measure: FacetMeasure<Kind>,
  asked: QueriedNode,
): FacetMeasure<Kind> => measureRow<Kind>(measure.kind).toNode(measure, asked);

const shortcomingOf = <Kind extends MeasureKind>(
  measure: FacetMeasure<Kind>,
  asked: QueriedNode,
): string | null => measureRow<Kind>(measure.kind).shortcoming?.(measure, asked) ?? null;

const isOfCells = <Kind extends MeasureKind>(measure: FacetMeasure<Kind>): boolean =>
  measureRow<Kind>(measure.kind).isOfCells(measure);
