import { aggregationName } from '../../../src/introspection/fields/field.ts';
import { isGrowing, type Coverage, type Facet, type NodePart, type Overview, type Page } from './answer.ts';
import type { Catalogue, Column, Sort } from './catalogue.ts';
import { dateInterval, numberInterval, type Extents } from './extents.ts';
import type { Field } from './fields.ts';
import type { Filter } from './filter.ts';
import { lackOf } from './lack.ts';
import { isIncomplete } from '../look/honest.ts';
import { readFacet, readRow, upperOf, type Root } from './read-answer.ts';
import { querySoon } from './soon.ts';
import { ApiError, query } from './server.ts';

/** How an answer is awaited. */
export interface Growing<Of> {
  readonly signal?: AbortSignal | undefined;
  /** Called with the answer of fast institutions while others are awaited. */
  readonly soon?: ((now: Of) => void) | undefined;
}

/** A filter, and the institutions to query; null: all. */
export interface Question {
  readonly filter: Filter | null;
  readonly nodes: readonly string[] | null;
  /** A facet's own conditions restrict its values too: for shares of exactly these records. */
  readonly isExact?: boolean;
}

/**
 * The smallest and largest value of each numeric or date field among these paths, over all records; empty if only counts
 * are disclosed.
 * @throws ApiError
 */
export const fetchExtents = async (
  catalogue: Catalogue,
  paths: readonly string[],
  how: Growing<Extents> = {},
): Promise<Extents> => {
  const ranged = rangedAmong(catalogue, paths);
  // the least and the greatest value belong to single records
  if (ranged.length === 0 || catalogue.disclosure !== null) return new Map();
  const selection = ranged
    .map((path) => {
      const core =
        catalogue.fields.get(path)?.kind === 'numbers' ? ` percentiles(percents: [1, 99]) { value }` : '';
      return `${aggregationName(path)} { stats { min max }${core} }`;
    })
    .join(' ');
  const read = ({ aggregations, partial }: Root): Extents => {
    const extents = new Map(
      ranged.flatMap((path) => {
        const { stats, percentiles, reason } = aggregations?.[aggregationName(path)] ?? {};
        // it is requested anyway, so that its box shows why it is empty
        if (reason !== undefined) return [[path, { min: 0, max: 0 }] as const];
        const { min, max } = stats ?? {};
        if (min == null || max == null) return [];
        const [low = null, high = null] = percentiles?.map(({ value }) => value) ?? [];
        const core = low !== null && high !== null && high > low ? { core: high - low } : {};
        return [[path, { min: Number(min), max: Number(max), ...core }] as const];
      }),
    );
    return partial === true ? Object.assign(extents, { areLacking: true }) : extents;
  };
  const everybody = { filter: null, nodes: null };
  const partial = catalogue.source.kind === 'network' ? 'partial nodes { nodeId state took } ' : '';
  return queryRoot(catalogue, everybody, `${partial}aggregations { ${selection} }`, read, how);
};

/** The paths of numbers and dates. */
export const rangedAmong = ({ fields }: Catalogue, paths: readonly string[]): readonly string[] =>
  paths.filter((path) => isRanged(fields.get(path)));

const isRanged = (field: Field | undefined): boolean => field?.kind === 'numbers' || field?.kind === 'dates';

/** How many values of a facet are requested, by path; `asUsual` for all others. */
export interface FacetSizes {
  readonly asUsual: number;
  readonly more?: Readonly<Record<string, number>>;
  /** Values that are counted whether they are among the largest or not, by path; unset: none. */
  readonly also?: Readonly<Record<string, readonly string[]>>;
  /** Whether to request medians of numbers too. */
  readonly hasMedian?: boolean;
  /** Fields with a hierarchy return a level: by path the children of this term, else the first level; unset: their values. */
  readonly levels?: Readonly<Record<string, string>>;
}

/** The total of a query and the part of each institution, without facets. */
export const fetchTotal = (
  catalogue: Catalogue,
  question: Question,
  how: Growing<Overview> = {},
): Promise<Overview> => fetchOverview(catalogue, question, [], { asUsual: 0 }, how);

/** The total, the institutions and the facets of a query, in one request. @param how with the ranges of histograms */
export const fetchOverview = async (
  catalogue: Catalogue,
  question: Question,
  paths: readonly string[],
  sizes: FacetSizes,
  { extents = new Map(), signal, soon }: Growing<Overview> & { readonly extents?: Extents | undefined } = {},
): Promise<Overview> => {
  const known = paths.filter(
    (path) => catalogue.fields.has(path) && (isAskable(catalogue, path, extents) || extents.areLacking),
  );
  const facets = known.map((path) => facetSelection(catalogue, path, extents, sizes)).join(' ');
  const facetsPart = facets === '' ? '' : `aggregations ARGUMENTS { ${facets} }`;
  const read = (root: Root): Overview => {
    const nodes = nodesOf(catalogue, question, root);
    const facetAt = (path: string): Facet =>
      readFacet(
        catalogue,
        path,
        root.aggregations?.[aggregationName(path)],
        extents,
        sizes.levels && sizeOf(sizes, path),
      );
    return {
      ...boundsOf(root),
      ...(isGrowing({ nodes }) && { upper: Infinity }),
      partial: root.partial ?? false,
      nodes,
      facets: new Map(known.map((path) => [path, coveredIn(nodes, facetAt(path))])),
    };
  };
  const grown = (now: Overview): void => {
    if (now.nodes.some(({ state }) => state === 'ok')) soon?.(now);
  };
  const selection = `${totalSelection(catalogue)} ${facetsPart}`;
  return queryRoot(catalogue, question, selection, read, { signal, soon: soon && grown });
};

/** A facet with its institutions' coverage adjusted to the query. */
export const coveredIn = <Of extends Pick<Facet, 'coverage'>>(nodes: readonly NodePart[], facet: Of): Of => {
  if (facet.coverage === null) return facet;
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const coverage = facet.coverage.map((each): Coverage => {
    const node = byId.get(each.nodeId);
    if (node?.state === 'pending') return { ...each, state: 'pending' };
    // an institution that refuses a filter has answered
    if (node?.state === 'refused' && each.state === 'failed') return { ...each, state: 'withheld' };
    // what an institution that withholds records does not release, it may have
    if (each.state === 'notCovered' && node?.disclosure) return { ...each, state: 'withheld' };
    if (each.state !== 'answered' || node === undefined) return each;
    if (node.lack.decides) return { ...each, state: 'unfiltered', docs: null };
    return isIncomplete(node) ? { ...each, state: 'incomplete' } : each;
  });
  return { ...facet, coverage };
};

/** Values whose text contains another, ignoring case and accents. */
export const fetchMatching = async (
  catalogue: Catalogue,
  question: Question,
  path: string,
  matching: string,
  max: number,
  how: Growing<Facet> = {},
): Promise<Facet> => {
  const selection = `${aggregationName(path)} { ${valuesSelection(catalogue, `max: ${max}, matching: ${JSON.stringify(matching)}`)} }`;
  const read = (root: Root): Facet =>
    readFacet(catalogue, path, root.aggregations?.[aggregationName(path)], new Map());
  return queryRoot(catalogue, question, `aggregations ARGUMENTS { ${selection} }`, read, how);
};

interface PageRequest {
  readonly columns: readonly Pick<Column, 'path' | 'own'>[];
  readonly sort: readonly Sort[];
  readonly after: unknown;
  /** How many records to skip, if there is no cursor. */
  readonly offset?: number;
  readonly size: number;
}

/** One page of records; without the values of columns whose custom selection the source refuses. @throws ApiError */
export const fetchPage = async (
  catalogue: Catalogue,
  question: Question,
  page: PageRequest,
  how: Growing<Page> = {},
): Promise<Page> => {
  try {
    return await pageOf(catalogue, question, page, how);
  } catch (error) {
    const columns = page.columns.filter(({ own }) => own === undefined);
    const mayBeOwn =
      error instanceof ApiError && error.kind === 'input' && columns.length < page.columns.length;
    if (!mayBeOwn) throw error;
    return pageOf(catalogue, question, { ...page, columns }, how);
  }
};

const pageOf = async (
  catalogue: Catalogue,
  question: Question,
  page: PageRequest,
  how: Growing<Page>,
): Promise<Page> => {
  const isNetwork = catalogue.source.kind === 'network';
  const isNested = catalogue.documentType !== null;
  const own = isNested ? page.columns.filter((column) => column.own !== undefined) : [];
  const known = page.columns
    .filter((column) => !own.includes(column) && catalogue.fields.has(column.path))
    .map(({ path }) => path);
  const selections = own.map((column) => column.own!.query).join(' ');
  const node = isNested
    ? `id _source(paths: ${JSON.stringify(known)}) ${selections}`
    : `id ${known.map(aggregationName).join(' ')}`;
  const selection = `hits(first: ${page.size}, sort: $sort, ${page.offset === undefined ? 'searchAfter: $after' : `offset: ${page.offset}`}${isNested ? ', filters: $filters' : ''}) {
    total upper_bound edges { ${isNetwork ? `nodeId ${isNested ? '_key ' : ''}` : ''}searchAfter node { ${node} } } }`;
  const more = {
    declared: page.offset === undefined ? '$sort: [Sort], $after: JSON' : '$sort: [Sort]',
    values: {
      sort: blanksLast(page.sort),
      ...(page.offset === undefined && { after: page.after ?? null }),
    },
  };
  const read = (root: Root): Page => ({
    total: root.hits?.total ?? null,
    rows: (root.hits?.edges ?? []).map((edge) => readRow(known, own, edge)),
  });
  return queryRoot(catalogue, question, selection, read, { ...how, more, areDocuments: isNested });
};

/** Missing values come last in either sort order. */
export const blanksLast = (sort: readonly Sort[]): readonly object[] =>
  sort.map((each) => ({ ...each, missing: 'last' }));

type Data = Readonly<Record<string, Root | null>>;

/** How a root field is queried. */
export interface RequestOptions<Of> extends Growing<Of> {
  /** When to answer without the nodes that are still awaited, in GraphQL syntax. */
  readonly waitFor?: string | undefined;
  /** Variables of the selection. */
  readonly more?: { readonly declared: string; readonly values: object };
  /** Documents are queried under their own name, also those of a network, with their lists unchanged. */
  readonly areDocuments?: boolean;
}

/**
 * A network is queried at `network`, a catalogue at its document type; below, both have the same fields.
 * @param read makes what is returned of an answer
 */
export const queryRoot = async <Of>(
  { source, documentType }: Catalogue,
  { filter, nodes, isExact = false }: Question,
  selection: string,
  read: (root: Root) => Of,
  { signal, soon, waitFor, more = { declared: '', values: {} }, areDocuments = false }: RequestOptions<Of>,
): Promise<Of> => {
  const { kind, path } = source;
  const isNetwork = kind === 'network';
  const itself = isExact ? ', aggregations_filter_themselves: true' : '';
  const rootAs = (waits: string | null | undefined): string => {
    const waiting = waits == null ? '' : `, waitFor: ${waits}`;
    if (!isNetwork) return source.documentType ?? '';
    return areDocuments
      ? `${documentType}(nodesFilter: $nodes${waiting})`
      : `network(filters: $filters, nodesFilter: $nodes${itself}${waiting})`;
  };
  const body = selection.replaceAll(
    'ARGUMENTS',
    isNetwork ? '' : `(filters: $filters, include_missing: true${itself})`,
  );
  const declared = [
    ...(isNetwork || body.includes('$filters') ? ['$filters: JSON'] : []),
    ...(isNetwork ? ['$nodes: [String]'] : []),
    more.declared,
  ].join(' ');
  const documentOf = (waits: string | null | undefined): string =>
    `query Portal${declared.trim() === '' ? '' : `(${declared})`} { ${rootAs(waits)} { ${body} } }`;
  const variables = { filters: filter, ...(isNetwork ? { nodes } : {}), ...more.values };
  const readData = (data: Data): Of => read(Object.values(data)[0] ?? {});
  return readData(
    isNetwork && soon
      ? await querySoon<Data>(path, documentOf, variables, (now) => soon(readData(now)), signal)
      : await query<Data>(path, documentOf(waitFor), variables, signal),
  );
};

export const totalSelection = ({ source }: Catalogue): string =>
  source.kind === 'network'
    ? 'total upper_bound estimate partial nodes { nodeId name hits upper_bound disclosure state errors took lastUpdated uncoveredFields }'
    : 'hits(first: 0, filters: $filters) { total upper_bound estimate }';

const totalOf = (root: Root): number | null => root.total ?? root.hits?.total ?? null;

/** The total with its bounds; a network has them next to the total, a catalogue in its page. */
const boundsOf = (root: Root): Pick<Overview, 'total' | 'upper' | 'estimate'> => {
  const { upper_bound: upper, estimate = null } = root.total === undefined ? (root.hits ?? {}) : root;
  const total = totalOf(root);
  return { total, upper: upperOf(upper, total ?? 0), estimate };
};

/** The parts of institutions in the order of their network, which is that of every list. */
const inOrder = <Part extends { readonly nodeId: string }>(
  nodes: Catalogue['nodes'],
  parts: readonly Part[],
): readonly Part[] => {
  const places = new Map(nodes.map(({ nodeId }, at) => [nodeId, at]));
  const placeOf = ({ nodeId }: Part): number => places.get(nodeId) ?? places.size;
  return parts.toSorted((one, other) => placeOf(one) - placeOf(other));
};

export const nodesOf = (
  { nodes, source, disclosure }: Catalogue,
  { filter }: Question,
  root: Root,
): readonly NodePart[] =>
  source.kind === 'network'
    ? inOrder(nodes, root.nodes ?? []).map(
        ({ took, upper_bound: upper, disclosure: statement = null, uncoveredFields, ...node }) => ({
          ...node,
          upper: upperOf(upper, node.hits ?? 0),
          disclosure: statement,
          tookMs: took,
          lack: lackOf(filter, uncoveredFields ?? []),
        }),
      )
    : nodes.map((node) => ({
        ...node,
        hits: totalOf(root),
        upper: boundsOf(root).upper,
        disclosure,
        state: 'ok',
        errors: '',
        tookMs: null,
        lack: lackOf(filter, []),
      }));

const isAskable = ({ fields }: Catalogue, path: string, extents: Extents): boolean =>
  !isRanged(fields.get(path)) || extents.has(path);

const facetSelection = (catalogue: Catalogue, path: string, extents: Extents, sizes: FacetSizes): string => {
  const name = aggregationName(path);
  const field = catalogue.fields.get(path)!;
  const isNetwork = catalogue.source.kind === 'network';
  const coverage = isNetwork ? ' coverage { nodeId state docs reason }' : '';
  const max = sizeOf(sizes, path);
  if (field.kind === 'values' && hasLevel(field, sizes))
    return `${name} { ${levelSelection(catalogue, sizes.levels?.[path], max)} ${valuesSelection(catalogue, 'max: 1')} }`;
  if (field.kind === 'values')
    return `${name} { ${valuesSelection(catalogue, `max: ${max}`)}${alsoSelection(valuesBesides(sizes, path))} }`;
  // no institution that answered has a number: lists those that may have one, and did not answer
  if (!extents.has(path)) return `${name} { stats { min max }${coverage} }`;
  const interval =
    field.kind === 'dates'
      ? `date_histogram(interval: "${dateInterval(path, extents)}")`
      : `histogram(interval: ${numberInterval(field, extents)})`;
  const counts = `key doc_count upper_bound estimate${isNetwork ? ' nodes { nodeId doc_count }' : ''}`;
  const median = sizes.hasMedian && field.kind === 'numbers' ? ' percentiles(percents: [50]) { value }' : '';
  return `${name} { stats { min max }${median} ${interval} { buckets { ${counts} } }${coverage} }`;
};

const sizeOf = ({ more = {}, asUsual }: FacetSizes, path: string): number =>
  Object.hasOwn(more, path) ? more[path]! : asUsual;

const hasLevel = ({ hierarchy }: Field, { levels }: FacetSizes): boolean =>
  hierarchy !== undefined && levels !== undefined;

/** Requests one more than is shown, to know whether there are more. */
const levelSelection = ({ source }: Catalogue, under: string | undefined, max: number): string => {
  const at = under === undefined ? '' : `under: ${JSON.stringify(under)}, `;
  const nodes = source.kind === 'network' ? ' nodes { nodeId doc_count }' : '';
  return `tree(${at}max: ${max + 1}) { buckets { key label doc_count upper_bound estimate has_children${nodes} } }`;
};

const valuesBesides = ({ also = {} }: FacetSizes, path: string): readonly string[] =>
  Object.hasOwn(also, path) ? also[path]! : [];

/** The most values that are counted by name: a pasted list has thousands. */
const maxAlso = 50;

const alsoSelection = (keys: readonly string[]): string => {
  const sets = keys.slice(0, maxAlso).map((key) => ({ key, values: [key] }));
  const text = JSON.stringify(JSON.stringify(sets));
  return sets.length === 0 ? '' : ` groups(sets: ${text}) { buckets { key doc_count upper_bound estimate } }`;
};

const valuesSelection = ({ source }: Catalogue, size: string): string =>
  source.kind === 'network'
    ? `bucket_count bucket_count_exact unlisted_upper_bound coverage { nodeId state docs reason }
       buckets(${size}) { key key_as_string doc_count upper_bound estimate nodes { nodeId doc_count } }`
    : `bucket_count unlisted_upper_bound buckets(${size}) { key key_as_string doc_count upper_bound estimate }`;
