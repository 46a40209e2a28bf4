import { MISSING } from '../../../src/sqon/ast.ts';
import { aggregationName } from '../../../src/introspection/fields/field.ts';
import type { Bin, Bucket, Coverage, Disclosure, Facet, Row } from './answer.ts';
import type { Catalogue, Column } from './catalogue.ts';
import type { Field } from './fields.ts';
import { endOfInterval, dateInterval, numberInterval, type Extents } from './extents.ts';
import type {
  Aggregations,
  Bucket as SchemaBucket,
  FacetCoverage,
  Network,
  NetworkConnection,
  NetworkEdge,
  NetworkNode,
  NodeCount as SchemaNodeCount,
  Percentile,
  Stats,
  Survival,
  SurvivalTime,
  TreeBucket,
} from './schema.ts';
import type { FacetFailure, Nullable, Perhaps, Sure } from './server.ts';

/** The fields that both kinds of root fields return, as far as selected. */
export interface Root extends Perhaps<Network, 'total' | 'upper_bound' | 'estimate' | 'partial'> {
  readonly nodes?: readonly WireNode[] | null;
  readonly hits?: WirePage | null;
  readonly aggregations?: Readonly<Record<string, WireFacet | null>> | null;
}

interface WirePage
  extends Nullable<NetworkConnection, 'total'>, Perhaps<NetworkConnection, 'upper_bound' | 'estimate'> {
  readonly edges?: readonly WireEdge[];
}

interface WireNode
  extends
    Sure<NetworkNode, 'nodeId' | 'name' | 'state' | 'errors'>,
    Nullable<NetworkNode, 'hits' | 'upper_bound' | 'took' | 'lastUpdated'> {
  readonly disclosure: Disclosure | null;
  readonly uncoveredFields?: readonly string[] | null;
}

export interface WireEdge extends Nullable<NetworkEdge, 'searchAfter'> {
  /** Absent for a catalogue. */
  readonly nodeId?: string;
  /** Absent for a catalogue, and for a network without a document type. */
  readonly _key?: string;
  readonly node: Readonly<Record<string, unknown>> & { readonly id: string; readonly _source?: unknown };
}

interface WireBucket
  extends
    Sure<SchemaBucket, 'key' | 'doc_count'>,
    Perhaps<SchemaBucket, 'key_as_string' | 'upper_bound' | 'estimate'> {
  readonly nodes?: readonly Sure<SchemaNodeCount, 'nodeId' | 'doc_count'>[];
}

/** A term in a level. */
export interface WireTerm
  extends
    Sure<TreeBucket, 'key' | 'doc_count' | 'has_children'>,
    Pick<TreeBucket, 'label'>,
    Perhaps<TreeBucket, 'upper_bound' | 'estimate' | 'own_count'> {
  readonly nodes?: WireBucket['nodes'];
}

type WireSurvival = Sure<Survival, 'no_time' | 'negative_time' | 'no_event'> & {
  readonly times: readonly Sure<SurvivalTime, 'time' | 'events' | 'censored'>[];
};

/** A facet of values or of numbers: each has the fields of its own kind. */
export interface WireFacet
  extends
    Perhaps<Aggregations, 'bucket_count' | 'bucket_count_exact' | 'unlisted_upper_bound'>,
    FacetFailure {
  readonly coverage?: readonly (Sure<FacetCoverage, 'nodeId'> &
    Nullable<FacetCoverage, 'docs'> &
    Perhaps<FacetCoverage, 'reason'> &
    Pick<Coverage, 'state'>)[];
  readonly buckets?: readonly WireBucket[];
  readonly cardinality_bounds?: { readonly lower: number | null; readonly upper: number | null } | null;
  readonly histogram?: { readonly buckets: readonly WireBucket[] } | null;
  readonly date_histogram?: { readonly buckets: readonly WireBucket[] } | null;
  readonly stats?: Nullable<Stats, 'min' | 'max'> | null;
  readonly survival?: WireSurvival | null;
  readonly percentiles?: readonly Nullable<Percentile, 'value'>[] | null;
  readonly groups?: { readonly buckets: readonly WireBucket[] } | null;
  readonly tree?: { readonly buckets: readonly WireTerm[] } | null;
}

/** A facet in the portal's form. @param maxTerms how many terms of its level are shown */
export const readFacet = (
  catalogue: Catalogue,
  path: string,
  wire: WireFacet | null | undefined,
  extents: Extents,
  maxTerms = Infinity,
): Facet => {
  const coverage = wire?.coverage ?? null;
  const field = catalogue.fields.get(path)!;
  const failed = wire?.reason === undefined ? {} : { reason: wire.reason };
  if (field.kind !== 'values') return { ...readRanges(field, wire, coverage, extents), ...failed };
  const buckets = (wire?.buckets ?? []).map(readBucket);
  const without = buckets.find(({ key }) => key === MISSING) ?? null;
  const terms = wire?.tree?.buckets.map(readTerm);
  return {
    kind: 'values',
    path,
    coverage,
    ...failed,
    buckets: terms?.slice(0, maxTerms) ?? buckets.filter(({ key }) => key !== MISSING),
    ...(wire?.groups && { also: wire.groups.buckets.map(readBucket) }),
    ...(terms && { level: { hasMore: terms.length > maxTerms } }),
    missing: without,
    bucketCount: (wire?.bucket_count ?? 0) - (without === null ? 0 : 1),
    isCountExact: wire?.bucket_count_exact ?? true,
    unlistedUpper: terms ? unlistedTermUpper(terms, maxTerms) : upperOf(wire?.unlisted_upper_bound, 0),
  };
};

/** Terms are ordered by their lower bounds, so the next one bounds the others only if these are exact. */
const unlistedTermUpper = (terms: readonly Bucket[], maxTerms: number): number => {
  const next = terms[maxTerms];
  if (next === undefined) return 0;
  return terms.every(({ count, upper }) => upper === count) ? next.count : Infinity;
};

const readTerm = ({ label, has_children: hasChildren, ...term }: WireTerm): Bucket => ({
  ...readBucket(term),
  label,
  hasChildren,
});

/** null: not known; if absent, the count is exact. */
export const upperOf = (upper: number | null | undefined, count: number): number =>
  upper === undefined ? count : (upper ?? Infinity);

export const readBucket = ({
  key,
  key_as_string,
  doc_count,
  upper_bound,
  estimate = null,
  nodes,
}: WireBucket): Bucket => ({
  key,
  label: key_as_string ?? null,
  count: doc_count,
  upper: upperOf(upper_bound, doc_count),
  estimate,
  nodes: nodes?.map(({ nodeId, doc_count: count }) => ({ nodeId, count })) ?? null,
});

const readRanges = (
  field: Field,
  wire: WireFacet | null | undefined,
  coverage: readonly Coverage[] | null,
  extents: Extents,
): Facet => {
  const isDate = field.kind === 'dates';
  const buckets = (isDate ? wire?.date_histogram : wire?.histogram)?.buckets ?? [];
  const endOf = (from: number): number =>
    isDate ? endOfInterval(from, dateInterval(field.path, extents)) : from + numberInterval(field, extents);
  const bins: readonly Bin[] = buckets.map((bucket) => {
    const { key, label: _label, ...counts } = readBucket(bucket);
    return { from: Number(key), to: endOf(Number(key)), ...counts };
  });
  const { min = null, max = null } = wire?.stats ?? {};
  const ends = { min: min === null ? null : Number(min), max: max === null ? null : Number(max) };
  const middle = wire?.percentiles?.[0]?.value ?? null;
  // known within 1 %: of whole numbers, the middle one is whole
  const median = middle === null || /float|double/.test(field.type) ? middle : Math.round(middle);
  return { kind: isDate ? 'dates' : 'numbers', path: field.path, coverage, ...ends, median, bins };
};

/** A record of a page. @param own columns with a custom selection */
export const readRow = (
  paths: readonly string[],
  own: readonly Pick<Column, 'path' | 'own'>[],
  { nodeId, _key: key, searchAfter, node }: WireEdge,
): Row => ({
  id: node.id,
  nodeId: nodeId ?? null,
  ...(key !== undefined && key !== plainKey(nodeId, node.id) && { key }),
  cursor: searchAfter,
  values: Object.fromEntries([
    ...paths.map((path) => [
      path,
      '_source' in node ? valueAt(node._source, path.split('.')) : node[aggregationName(path)],
    ]),
    ...own.map((column) => [column.path, valueAt(node, stepsOf(column.own!.jsonPath))]),
  ]),
});

/** The key of a record of an institution that is not a network. */
const plainKey = (nodeId = '', id: string): string =>
  `${encodeURIComponent(nodeId)}/${encodeURIComponent(id)}`;

/** The keys and positions of a JSONPath; `[*]` is dropped, as lists are entered anyway. */
const stepsOf = (jsonPath: string): readonly (string | number)[] =>
  [...jsonPath.matchAll(/\[(\d+)\]|'([^']*)'|"([^"]*)"|([^.[\]'"$*]+)/g)].map(([, at, one, other, plain]) =>
    at === undefined ? (one ?? other ?? plain)! : Number(at),
  );

/** The value at a path, through lists; a value that has indexed subfields such as `name.raw` is returned itself. */
export const valueAt = (value: unknown, path: readonly (string | number)[]): unknown => {
  if (path.length === 0 || value == null) return value;
  if (Array.isArray(value)) {
    const [at] = path;
    if (typeof at === 'number') return valueAt(value[at], path.slice(1));
    const found = value.flatMap((each: unknown) => valueAt(each, path) ?? []);
    return found.length === 0 ? undefined : found;
  }
  if (typeof value !== 'object') return value;
  const object = value as Readonly<Record<string, unknown>>;
  // keys may have dots
  for (let length = path.length; length > 0; length -= 1) {
    const key = path.slice(0, length).join('.');
    const found = Object.hasOwn(object, key) ? valueAt(object[key], path.slice(length)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
};
