import type { MeasureKind } from '../../engines/measure.ts';
import { TributaryError } from '../../lib/errors/errors.ts';
import { boundsField } from '../../search/facets/cardinality.ts';
import { measureRow } from '../../search/facets/measures.ts';
import type { PassValue } from '../../search/facets/row/measure-row.ts';
import { countFields } from '../../search/facets/row/wire.ts';
import { aggregationName } from '../../introspection/fields/field.ts';
import type {
  CatalogueQuery,
  FacetMeasure,
  FacetRequest,
  HitsRequest,
  SortRequest,
} from '../../search/query.ts';
import { filtersOf, withFilters } from '../../search/query.ts';
import type { Operator, Sqon } from '../../sqon/ast.ts';
import { printSqon } from '../../sqon/parse.ts';
import type { RemoteSource } from '../config/nodes.ts';
import { establishedPage } from './established.ts';
import { establishedFilter } from './established-filter.ts';
import { hitColumns, printColumns, type HitColumns } from './hit-columns.ts';
import { reachSelection } from './network-node.ts';
import { literalFilter, wireFilter } from './node-filter.ts';
import { isNetwork, type RemoteCatalogue } from './remote-catalogue.ts';

/** One GraphQL request, and where its answer holds each facet and each field of a hit. */
export interface PrintedQuery extends HitColumns {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** For each requested facet: the aggregation's name, and the response key of its measure. */
  readonly facets: readonly { readonly field: string; readonly key: string }[];
  /** Operators of the filter that the node does not support and that were replaced. */
  readonly replaced: ReadonlySet<Operator>;
  /** The rows' cursors would skip rows. */
  readonly lacksCursors: boolean;
}

/**
 * A catalogue query as GraphQL for a remote node, within its limits of depth and aliases.
 * @throws TributaryError NODE_REFUSED when the query needs more aliases than a node accepts
 */
export const printQuery = (
  query: CatalogueQuery,
  remote: RemoteCatalogue,
  { documentType, maxDepth, maxAliases }: RemoteSource,
): PrintedQuery => {
  const hits = printHits(query, remote, maxDepth);
  const replaced = new Set<Operator>();
  const write = filterWriter(query, remote, replaced);
  const measured = query.facets.map((facet) => ({ ...facet, measure: withFilters(facet.measure, write) }));
  const facets = printFacets(measured, maxAliases, remote);
  const parts = [hits.text, facets.text].filter((part) => part !== '').join(' ');
  const declarations = [
    '$filters: JSON',
    ...(facets.text ? ['$themselves: Boolean, $missing: Boolean'] : []),
    ...Object.keys(facets.values).map((name) => `$${name}: JSON!`),
    ...(hits.wantsEdges ? ['$sort: [Sort], $searchAfter: JSON'] : []),
    ...(hits.wantsSource ? ['$paths: [String]'] : []),
  ];
  return {
    query: `query nodeQuery(${declarations.join(', ')}) { ${documentType} { ${parts || '__typename'} } }`,
    variables: {
      filters: printSqon(query.filters && write(query.filters)),
      ...(facets.text && { themselves: query.filterThemselves, missing: query.includeMissing }),
      ...facets.values,
      ...(hits.wantsEdges && query.hits && printPage(query.hits, remote)),
      ...(hits.wantsSource && { paths: query.hits?.fields ?? null }),
    },
    facets: facets.keys,
    columns: hits.columns,
    unselectable: hits.unselectable,
    replaced,
    lacksCursors: hits.wantsEdges && remote.dialect === 'established' && !remote.facts.sortsByKey,
  };
};

/** Writes the filters of a query, those of its facets among them, as the node understands them. */
const filterWriter = (
  { facets }: CatalogueQuery,
  remote: RemoteCatalogue,
  replaced: Set<Operator>,
): ((filter: Sqon) => Sqon) => {
  const { dialect, fields } = remote;
  if (dialect === 'tributary') {
    const nestedPathOf = (path: string): string | null => fields.get(path)?.nestedIn.at(-1) ?? null;
    return (filter) => wireFilter(literalFilter(filter), nestedPathOf, isNetwork(remote));
  }
  const context = { fields, facets: new Set(facets.map(({ field }) => field)) };
  return (filter) => establishedFilter(filter, context, (op) => replaced.add(op));
};

/** Nodes of this software add a tiebreaker to the sort themselves. */
const printPage = (hits: HitsRequest, remote: RemoteCatalogue) => {
  const { sort, searchAfter } = remote.dialect === 'tributary' ? hits : establishedPage(hits, remote);
  return { sort: sort.map(printSort), searchAfter };
};

const printSort = ({ fieldName, order, mode, missing }: SortRequest) => ({
  fieldName,
  order,
  ...(mode && { mode }),
  ...(missing && { missing }),
});

const printHits = (query: CatalogueQuery, remote: RemoteCatalogue, maxDepth: number) => {
  const nothing = { wantsEdges: false, wantsSource: false, columns: [], unselectable: [] };
  const { hits } = query;
  const report = isNetwork(remote) ? `${reachSelection} ` : '';
  if (!hits) {
    const uncounted = 'first: 0, trackTotalHits: false';
    return { ...nothing, text: report && `hits(filters: $filters, ${uncounted}) { ${report}}` };
  }
  if (hits.first === 0)
    return {
      ...nothing,
      text: `hits(filters: $filters, first: 0) { ${printTotal(hits, remote)} ${report}}`,
    };
  const node = printNode(hits.fields, remote, maxDepth);
  const page = `first: ${hits.first}, offset: ${hits.offset}, sort: $sort, searchAfter: $searchAfter`;
  const total = hits.trackTotal ? `${printTotal(hits, remote)} ` : '';
  const track = hits.trackTotal ? '' : ', trackTotalHits: false';
  const text = `hits(filters: $filters, ${page}${track}) { ${total}${report}edges { ${isNetwork(remote) ? '_key ' : ''}searchAfter node { ${node.text} } } }`;
  return { ...node, wantsEdges: true, text };
};

/**
 * The established server has only exact totals, without bounds. Clients that are not shown bounds may still be shown the
 * bounds of a sum.
 */
const printTotal = ({ bounded }: HitsRequest, { dialect }: RemoteCatalogue): string => {
  if (dialect === 'established') return 'total';
  return bounded === true ? 'total upper_bound estimate' : 'total exact';
};

const printNode = (fields: readonly string[] | null, remote: RemoteCatalogue, maxDepth: number) => {
  if (fields?.length === 0) return { text: 'id', wantsSource: false, columns: [], unselectable: [] };
  if (remote.dialect === 'tributary')
    return { text: 'id _source(paths: $paths)', wantsSource: true, columns: [], unselectable: [] };
  const { columns, unselectable } = hitColumns(fields ?? [], remote.fields, maxDepth);
  return { text: `id ${printColumns(columns)}`, wantsSource: false, columns, unselectable };
};

/** What is selected beside a measure, for how far it can be trusted; null: nothing. */
const boundsOf = ({ kind }: FacetMeasure, remote: RemoteCatalogue): string | null => {
  if (kind === 'cardinality' && remote.dialect === 'tributary') return `${boundsField} { lower upper exact }`;
  return kind === 'terms' && isNetwork(remote) ? 'bucket_count_exact unlisted_upper_bound' : null;
};

interface PrintedFacets {
  readonly keys: PrintedQuery['facets'];
  readonly text: string;
  /** The variables in the text, besides those of every query. */
  readonly values: Readonly<Record<string, unknown>>;
}

const printFacets = (
  facets: readonly FacetRequest[],
  maxAliases: number,
  remote: RemoteCatalogue,
): PrintedFacets => {
  const selections = new Map<string, Map<string, string>>();
  const values = new PassedValues();
  let aliases = 0;
  const keys = facets.map((facet) => {
    const { field, measure } = facet;
    const name = aggregationName(field);
    const selection = selections.get(name) ?? new Map<string, string>();
    selections.set(name, selection);
    const { responseKey, text } = printed(measure, bucketFields(facet, remote), values.pass);
    const bounds = boundsOf(measure, remote);
    if (bounds !== null) selection.set(bounds, bounds);
    // alias only if the same measure also occurs with different arguments
    const clash = selection.has(responseKey) && selection.get(responseKey) !== text;
    const key = clash ? `${responseKey}${selection.size}` : responseKey;
    aliases += Number(clash) + (measure.kind === 'terms' ? Math.max(0, filtersOf(measure).length - 1) : 0);
    selection.set(key, clash ? `${key}: ${text}` : text);
    return { field: name, key };
  });
  if (aliases > maxAliases)
    throw new TributaryError('NODE_REFUSED', `the query needs ${aliases} aliases, at most ${maxAliases} fit`);
  const body = [...selections]
    .map(([name, parts]) => `${name} { ${[...parts.values()].join(' ')} }`)
    .join(' ');
  const flags = 'filters: $filters, aggregations_filter_themselves: $themselves, include_missing: $missing';
  return { keys, text: body && `aggregations(${flags}) { ${body} }`, values: values.byName() };
};

/** Equal values share a variable, so that equal measures have equal texts. */
class PassedValues {
  readonly #names = new Map<string, string>();

  readonly pass: PassValue = (value) => {
    if (value === null) return 'null';
    const text = JSON.stringify(value);
    const name = this.#names.get(text) ?? `value${this.#names.size}`;
    this.#names.set(text, name);
    return `$${name}`;
  };

  byName(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(Array.from(this.#names, ([text, name]) => [name, JSON.parse(text) as unknown]));
  }
}

/**
 * The established server has only exact counts. A network also marks inexact counts as such for clients that do not
 * select their bounds.
 */
const bucketFields = ({ measure, bounded, unshown = [] }: FacetRequest, remote: RemoteCatalogue): string => {
  const counts =
    bounded !== true || remote.dialect === 'established'
      ? 'exact'
      : unshown.includes('estimate')
        ? 'bounded'
        : 'estimated';
  const isLabelled = measure.kind === 'terms' && !unshown.includes('key_as_string');
  const plain = `${isLabelled ? 'key_as_string ' : ''}${countFields[counts]}`;
  return isNetwork(remote) && bounded !== true ? `${plain} exact` : plain;
};

const printed = <Kind extends MeasureKind>(measure: FacetMeasure<Kind>, buckets: string, pass: PassValue) => {
  const row = measureRow<Kind>(measure.kind);
  return { responseKey: row.remoteField, text: row.print(measure, buckets, pass) };
};
