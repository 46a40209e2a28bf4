import { aggregationName } from '../../../src/introspection/fields/names.ts';
import type { Bin, Bucket, Coverage, Facet, NodePart, Overview, Page, Row } from './answer.ts';
import type { Catalogue, Sort } from './catalogue.ts';
import type { Field } from './fields.ts';
import { missing, type Filter } from './filter.ts';
import { calendarInterval, endOfInterval, roundInterval, type CalendarInterval } from './intervals.ts';
import { query } from './server.ts';

/** A filter, and the institutions that are asked; null asks all. */
export interface Question {
  readonly filter: Filter | null;
  readonly nodes: readonly string[] | null;
  /** A facet's own conditions narrow its values too: for shares of exactly these records. */
  readonly isExact?: boolean;
}

/** The smallest and largest value of each number and date, over all records: what histograms are drawn over. */
export type Extents = ReadonlyMap<string, { readonly min: number; readonly max: number }>;

export const askExtents = async (
  catalogue: Catalogue,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<Extents> => {
  const ranged = paths.filter((path) => isRanged(catalogue.fields.get(path)));
  if (ranged.length === 0) return new Map();
  const selection = ranged.map((path) => `${aggregationName(path)} { stats { min max } }`).join(' ');
  const { aggregations } = await askRoot(catalogue, everything, `aggregations { ${selection} }`, signal);
  return new Map(
    ranged.flatMap((path) => {
      const { min, max } = aggregations?.[aggregationName(path)]?.stats ?? {};
      return min == null || max == null ? [] : [[path, { min, max }] as const];
    }),
  );
};

const everything: Question = { filter: null, nodes: null };

const isRanged = (field: Field | undefined): boolean => field?.kind === 'numbers' || field?.kind === 'dates';

/** How many values of a facet are asked for, by path; the others as many as `asUsual`. */
export interface FacetSizes {
  readonly asUsual: number;
  readonly more: Readonly<Record<string, number>>;
}

/** The total, the institutions and the facets of a question, in one request. */
export const askOverview = async (
  catalogue: Catalogue,
  question: Question,
  paths: readonly string[],
  extents: Extents,
  sizes: FacetSizes,
  signal?: AbortSignal,
): Promise<Overview> => {
  const known = paths.filter((path) => catalogue.fields.has(path) && isAskable(catalogue, path, extents));
  const facets = known.map((path) => facetSelection(catalogue, path, extents, sizes)).join(' ');
  const facetsPart = facets === '' ? '' : `aggregations ARGUMENTS { ${facets} }`;
  const root = await askRoot(catalogue, question, `${totalSelection(catalogue)} ${facetsPart}`, signal);
  return {
    total: totalOf(root),
    partial: root.partial ?? false,
    nodes: nodesOf(catalogue, root),
    facets: new Map(
      known.map((path) => [
        path,
        readFacet(catalogue, path, root.aggregations?.[aggregationName(path)], extents),
      ]),
    ),
  };
};

/** Values whose text contains another, case and accents ignored. */
export const askMatching = async (
  catalogue: Catalogue,
  question: Question,
  path: string,
  matching: string,
  max: number,
  signal?: AbortSignal,
): Promise<Facet> => {
  const selection = `${aggregationName(path)} { ${valuesSelection(catalogue, `max: ${max}, matching: ${JSON.stringify(matching)}`)} }`;
  const root = await askRoot(catalogue, question, `aggregations ARGUMENTS { ${selection} }`, signal);
  return readFacet(catalogue, path, root.aggregations?.[aggregationName(path)], new Map());
};

/** One page of records. */
export const askPage = async (
  catalogue: Catalogue,
  question: Question,
  page: {
    readonly columns: readonly string[];
    readonly sort: readonly Sort[];
    readonly after: unknown;
    readonly size: number;
  },
  signal?: AbortSignal,
): Promise<Page> => {
  const isNetwork = catalogue.source.kind === 'network';
  const known = page.columns.filter((path) => catalogue.fields.has(path));
  const node = isNetwork
    ? `id ${known.map(aggregationName).join(' ')}`
    : `id _source(paths: ${JSON.stringify(known)})`;
  const selection = `hits(first: ${page.size}, sort: $sort, searchAfter: $after${isNetwork ? '' : ', filters: $filters'}) {
    total edges { ${isNetwork ? 'nodeId ' : ''}searchAfter node { ${node} } } }`;
  const root = await askRoot(catalogue, question, selection, signal, {
    declared: '$sort: [Sort], $after: JSON',
    values: { sort: page.sort, after: page.after ?? null },
  });
  return {
    total: root.hits?.total ?? null,
    rows: (root.hits?.edges ?? []).map((edge) => readRow(catalogue, known, edge)),
  };
};

interface Root {
  readonly total?: number | null;
  readonly partial?: boolean | null;
  readonly nodes?: readonly WireNode[] | null;
  readonly hits?: { readonly total: number | null; readonly edges?: readonly WireEdge[] } | null;
  readonly aggregations?: Readonly<Record<string, WireFacet | null>> | null;
}

interface WireNode {
  readonly nodeId: string;
  readonly name: string;
  readonly hits: number | null;
  readonly state: string;
  readonly errors: string;
  readonly took: number | null;
}

interface WireEdge {
  readonly nodeId?: string;
  readonly searchAfter: unknown;
  readonly node: Readonly<Record<string, unknown>> & { readonly id: string; readonly _source?: unknown };
}

interface WireBucket {
  readonly key: string;
  readonly key_as_string?: string | null;
  readonly doc_count: number;
  readonly upper_bound?: number;
  readonly nodes?: readonly { readonly nodeId: string; readonly doc_count: number }[];
}

interface WireFacet {
  readonly bucket_count?: number | null;
  readonly bucket_count_exact?: boolean;
  readonly unlisted_upper_bound?: number;
  readonly coverage?: readonly Coverage[];
  readonly buckets?: readonly WireBucket[];
  readonly histogram?: { readonly buckets: readonly WireBucket[] } | null;
  readonly date_histogram?: { readonly buckets: readonly WireBucket[] } | null;
  readonly stats?: { readonly min: number | null; readonly max: number | null } | null;
}

/** A network is asked at `network`, a catalogue at the name of its documents; both answer alike below. */
const askRoot = async (
  catalogue: Catalogue,
  { filter, nodes, isExact = false }: Question,
  selection: string,
  signal?: AbortSignal,
  more: { readonly declared: string; readonly values: object } = { declared: '', values: {} },
): Promise<Root> => {
  const { kind, path, documentType } = catalogue.source;
  const isNetwork = kind === 'network';
  const declared = [`$filters: JSON`, ...(isNetwork ? ['$nodes: [String]'] : []), more.declared].join(' ');
  const itself = isExact ? ', aggregations_filter_themselves: true' : '';
  const root = isNetwork ? `network(filters: $filters, nodesFilter: $nodes${itself})` : (documentType ?? '');
  const body = selection.replaceAll(
    'ARGUMENTS',
    isNetwork ? '' : `(filters: $filters, include_missing: true${itself})`,
  );
  const uses = isNetwork || body.includes('$filters') ? declared : more.declared;
  const document = `query Portal${uses.trim() === '' ? '' : `(${uses})`} { ${root} { ${body} } }`;
  const variables = { filters: filter, ...(isNetwork ? { nodes } : {}), ...more.values };
  const data = await query<Record<string, Root | null>>(path, document, variables, signal);
  return Object.values(data)[0] ?? {};
};

const totalSelection = ({ source }: Catalogue): string =>
  source.kind === 'network'
    ? 'total partial nodes { nodeId name hits state errors took }'
    : 'hits(first: 0, filters: $filters) { total }';

const totalOf = (root: Root): number | null => root.total ?? root.hits?.total ?? null;

const nodesOf = ({ nodes, source }: Catalogue, root: Root): readonly NodePart[] =>
  source.kind === 'network'
    ? (root.nodes ?? []).map(({ took, ...node }) => ({ ...node, tookMs: took }))
    : nodes.map((node) => ({ ...node, hits: totalOf(root), state: 'ok', errors: '', tookMs: null }));

const isAskable = ({ fields }: Catalogue, path: string, extents: Extents): boolean =>
  !isRanged(fields.get(path)) || extents.has(path);

const facetSelection = (catalogue: Catalogue, path: string, extents: Extents, sizes: FacetSizes): string => {
  const name = aggregationName(path);
  const field = catalogue.fields.get(path)!;
  const coverage = catalogue.source.kind === 'network' ? ' coverage { nodeId state docs }' : '';
  if (field.kind === 'values')
    return `${name} { ${valuesSelection(catalogue, `max: ${sizes.more[path] ?? sizes.asUsual}`)} }`;
  const interval =
    field.kind === 'dates'
      ? `date_histogram(interval: "${dateInterval(path, extents)}") { buckets { key doc_count } }`
      : `histogram(interval: ${numberInterval(field, extents)}) { buckets { key doc_count } }`;
  return `${name} { stats { min max } ${interval}${coverage} }`;
};

const valuesSelection = ({ source }: Catalogue, size: string): string =>
  source.kind === 'network'
    ? `bucket_count bucket_count_exact unlisted_upper_bound coverage { nodeId state docs }
       buckets(${size}) { key key_as_string doc_count upper_bound nodes { nodeId doc_count } }`
    : `bucket_count buckets(${size}) { key key_as_string doc_count }`;

/** The interval of a date's histogram. */
const dateInterval = (path: string, extents: Extents): CalendarInterval => {
  const { min, max } = extents.get(path)!;
  return calendarInterval(min, max);
};

const numberInterval = ({ path, type }: Field, extents: Extents): number => {
  const { min, max } = extents.get(path)!;
  return roundInterval(min, max, !/float|double/.test(type));
};

const readFacet = (
  catalogue: Catalogue,
  path: string,
  wire: WireFacet | null | undefined,
  extents: Extents,
): Facet => {
  const coverage = wire?.coverage ?? null;
  const field = catalogue.fields.get(path)!;
  if (field.kind !== 'values') return readRanges(field, wire, coverage, extents);
  const buckets = (wire?.buckets ?? []).map(readBucket);
  const without = buckets.find(({ key }) => key === missing) ?? null;
  return {
    kind: 'values',
    path,
    coverage,
    buckets: buckets.filter(({ key }) => key !== missing),
    missing: without,
    bucketCount: (wire?.bucket_count ?? 0) - (without === null ? 0 : 1),
    isCountExact: wire?.bucket_count_exact ?? true,
    unlistedUpper: wire?.unlisted_upper_bound ?? 0,
  };
};

const readBucket = ({ key, key_as_string, doc_count, upper_bound, nodes }: WireBucket): Bucket => ({
  key,
  label: key_as_string ?? null,
  count: doc_count,
  upper: upper_bound ?? doc_count,
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
  const bins: readonly Bin[] = buckets.map(({ key, doc_count }) => ({
    from: Number(key),
    to: endOf(Number(key)),
    count: doc_count,
  }));
  const { min = null, max = null } = wire?.stats ?? {};
  return { kind: isDate ? 'dates' : 'numbers', path: field.path, coverage, min, max, bins };
};

const readRow = (
  catalogue: Catalogue,
  paths: readonly string[],
  { nodeId, searchAfter, node }: WireEdge,
): Row => ({
  id: node.id,
  nodeId: nodeId ?? null,
  cursor: searchAfter,
  values: Object.fromEntries(
    paths.map((path) => [
      path,
      '_source' in node ? valueAt(node._source, path.split('.')) : node[aggregationName(path)],
    ]),
  ),
});

/** The values at a path, through lists. */
export const valueAt = (value: unknown, path: readonly string[]): unknown => {
  if (path.length === 0 || value == null) return value;
  if (Array.isArray(value)) {
    const found = value.flatMap((each: unknown) => valueAt(each, path) ?? []);
    return found.length === 0 ? undefined : found;
  }
  const [name, ...rest] = path as [string, ...string[]];
  const whole = path.join('.');
  const object = value as Readonly<Record<string, unknown>>;
  return whole in object ? object[whole] : valueAt(object[name], rest);
};
