import type { MeasureKind } from '../../engines/measure.ts';
import { asTributaryError, TributaryError } from '../../errors/errors.ts';
import { measureRow } from '../../facets/measures.ts';
import type { PassValue } from '../../facets/row/measure-row.ts';
import { countFields } from '../../facets/row/wire.ts';
import { aggregationName } from '../../introspection/fields/field.ts';
import type {
  CatalogueQuery,
  CatalogueResult,
  FacetMeasure,
  FacetRequest,
  HitsRequest,
  SortRequest,
} from '../../search/query.ts';
import { filtersOf } from '../../search/query.ts';
import type { Operator, Sqon } from '../../sqon/ast.ts';
import { printSqon } from '../../sqon/parse.ts';
import type { RemoteSource } from '../config/nodes.ts';
import { idAsKey, type RemoteCatalogue } from './remote-catalogue.ts';
import type { GraphqlAnswer } from './http-executor.ts';
import { extremeForms, holdsExtremeDate, type ExtremeForm } from './node-filter.ts';
import {
  establishedFilter,
  establishedCursor,
  literalFilter,
  supportedFilter,
  wireFilter,
} from './node-filter.ts';
import { hitColumns, printColumns, type HitColumns } from './hit-columns.ts';
import { reportSelection } from './network-node.ts';

/** One GraphQL request, and where its answer holds each facet and each field of a hit. */
export interface PrintedQuery extends HitColumns {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** For each requested facet: the aggregation's name, and the response key of its measure. */
  readonly facets: readonly { readonly field: string; readonly key: string }[];
  /** Operators of the filter that the node does not support and that were replaced. */
  readonly replaced: ReadonlySet<Operator>;
}

/** What was learned about a node that adds no tiebreaker itself. */
export interface PageForm {
  /** Append `_id` as the last sort key. */
  readonly idSort: boolean;
  readonly extremes: ExtremeForm;
}

/**
 * A catalogue query as GraphQL for a remote node, within its limits of depth and aliases.
 * @throws TributaryError NODE_REFUSED when the query needs more aliases than a node accepts
 */
export const printQuery = (
  query: CatalogueQuery,
  remote: RemoteCatalogue,
  { maxDepth, maxAliases }: Pick<RemoteSource, 'maxDepth' | 'maxAliases'>,
  { idSort, extremes }: PageForm,
): PrintedQuery => {
  const hits = printHits(query, remote, maxDepth);
  const facets = printFacets(query.facets, maxAliases, remote);
  const nestedPathOf = (path: string): string | null => remote.fields.get(path)?.nestedIn.at(-1) ?? null;
  const replaced = new Set<Operator>();
  const supported = (sqon: Sqon): Sqon =>
    remote.dialect === 'tributary' ? literalFilter(sqon) : supportedFilter(sqon, (op) => replaced.add(op));
  const filters = query.filters && supported(query.filters);
  const rewritten = { ...query, filters: filters && wireFilter(filters, nestedPathOf) };
  const parts = [hits.text, facets.text].filter((part) => part !== '').join(' ');
  const declarations = [
    '$filters: JSON',
    ...(facets.text ? ['$themselves: Boolean, $missing: Boolean'] : []),
    ...Object.keys(facets.values).map((name) => `$${name}: JSON!`),
    ...(hits.wantsEdges ? ['$sort: [Sort], $searchAfter: JSON'] : []),
    ...(hits.wantsSource ? ['$paths: [String]'] : []),
  ];
  return {
    query: `query nodeQuery(${declarations.join(', ')}) { ${remote.documentType} { ${parts || '__typename'} } }`,
    variables: {
      filters: printSqon(remote.dialect === 'tributary' ? rewritten.filters : established(rewritten, remote)),
      ...(facets.text && { themselves: query.filterThemselves, missing: query.includeMissing }),
      ...facets.values,
      ...(hits.wantsEdges && {
        sort: [...(query.hits?.sort ?? []).map(printSort), ...(idSort ? [idSortKey] : [])],
        searchAfter: query.hits && cursorOf(query.hits, remote, extremes),
      }),
      ...(hits.wantsSource && { paths: query.hits?.fields ?? null }),
    },
    facets: facets.keys,
    columns: hits.columns,
    unselectable: hits.unselectable,
    replaced,
  };
};

const idSortKey = { fieldName: '_id', order: 'asc' };

const established = ({ filters, facets }: CatalogueQuery, { fields }: RemoteCatalogue) =>
  establishedFilter(filters, { fields, facets: new Set(facets.map(({ field }) => field)) });

const cursorOf = ({ searchAfter, sort }: HitsRequest, remote: RemoteCatalogue, extremes: ExtremeForm) =>
  searchAfter && remote.dialect === 'established'
    ? establishedCursor(searchAfter, sort, remote.fields, extremes)
    : searchAfter;

const printSort = ({ fieldName, order, mode, missing }: SortRequest) => ({
  fieldName,
  order,
  ...(mode && { mode }),
  ...(missing && { missing }),
});

const printHits = (query: CatalogueQuery, remote: RemoteCatalogue, maxDepth: number) => {
  const nothing = { wantsEdges: false, wantsSource: false, columns: [], unselectable: [] };
  const { hits } = query;
  const report = remote.isNetwork ? `${reportSelection} ` : '';
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
  const text = `hits(filters: $filters, ${page}${track}) { ${total}${report}edges { ${remote.isNetwork ? '_key ' : ''}searchAfter node { ${node.text} } } }`;
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
  const { columns, unselectable } = hitColumns(fields ?? [], remote, maxDepth);
  return { text: `id ${printColumns(columns)}`, wantsSource: false, columns, unselectable };
};

/** How far a network's list of values can be trusted. */
const listBounds = 'bucket_count_exact unlisted_upper_bound';

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
    const bounds = measureRow(measure.kind).remoteBounds;
    if (bounds && remote.dialect === 'tributary')
      selection.set(bounds.field, `${bounds.field} ${bounds.selection}`);
    if (remote.isNetwork && measure.kind === 'terms') selection.set('unlisted_upper_bound', listBounds);
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
const bucketFields = (
  { measure, bounded, unshown = [] }: FacetRequest,
  { isNetwork, dialect }: RemoteCatalogue,
): string => {
  const counts =
    bounded !== true || dialect === 'established'
      ? 'exact'
      : unshown.includes('estimate')
        ? 'bounded'
        : 'estimated';
  const isLabelled = measure.kind === 'terms' && !unshown.includes('key_as_string');
  const plain = `${isLabelled ? 'key_as_string ' : ''}${countFields[counts]}`;
  return isNetwork && bounded !== true ? `${plain} exact` : plain;
};

const printed = <Kind extends MeasureKind>(measure: FacetMeasure<Kind>, buckets: string, pass: PassValue) => {
  const row = measureRow<Kind>(measure.kind);
  return { responseKey: row.remoteField, text: row.print(measure, buckets, pass) };
};

/** A node's response to one query, not parsed yet. */
export interface Exchange {
  readonly answer: GraphqlAnswer;
  /** @throws TributaryError NODE_REFUSED, NODE_BAD_RESPONSE */
  readonly read: () => CatalogueResult;
}

/** Prints a query in one form and sends it. */
export type SendQuery = (query: CatalogueQuery, form: PageForm) => Promise<Exchange>;

/** Our own nodes add a tiebreaker themselves. */
const ownForm: PageForm = { idSort: false, extremes: 'date' };

/**
 * Finds the form of a query that a node accepts. A third-party node gets `_id` as last sort key until it refuses that,
 * and extreme dates in a form it accepts.
 */
export class SearchForms {
  readonly #remote: Pick<RemoteCatalogue, 'dialect' | 'idPath' | 'fields'>;
  #idSort = true;
  #extremes: ExtremeForm = extremeForms[0]!;

  constructor(remote: Pick<RemoteCatalogue, 'dialect' | 'idPath' | 'fields'>) {
    this.#remote = remote;
  }

  /** @throws what `send` throws, and the exchange's own errors */
  async search(wanted: CatalogueQuery, send: SendQuery): Promise<CatalogueResult> {
    const query = this.#remote.idPath === '_id' ? idAsKey(wanted) : wanted;
    if (this.#remote.dialect === 'tributary') return (await send(query, ownForm)).read();
    if (!query.hits || query.hits.first === 0)
      return (await send(query, { idSort: false, extremes: this.#extremes })).read();
    return query.hits.searchAfter ? this.#nextPage(query, send) : this.#firstPage(query, send);
  }

  async #firstPage(query: CatalogueQuery, send: SendQuery): Promise<CatalogueResult> {
    const extremes = this.#extremes;
    const unsorted = async () => (await send(query, { idSort: false, extremes })).read();
    if (!this.#idSort) return withoutCursors(await unsorted());
    const { answer, read } = await send(query, { idSort: true, extremes });
    try {
      return read();
    } catch (error) {
      if (!answer.errors?.length) throw error;
      // the first error names the problem; a second one only shows that leaving out _id does not help
      const again = await unsorted().catch(() => {
        throw error;
      });
      // any other error is transient, and the next page has its cursors
      if (isAboutId(answer)) this.#idSort = false;
      return withoutCursors(again);
    }
  }

  async #nextPage(query: CatalogueQuery, send: SendQuery): Promise<CatalogueResult> {
    const { searchAfter, sort } = query.hits!;
    // keep the form of the first page
    const idSort = (searchAfter?.length ?? 0) > sort.length;
    const others = extremeForms.filter((form) => form !== this.#extremes);
    const isExtreme = holdsExtremeDate(searchAfter, sort, this.#remote.fields);
    let refusal: unknown = null;
    for (const extremes of isExtreme ? [this.#extremes, ...others] : [this.#extremes]) {
      const { answer, read } = await send(query, { idSort, extremes });
      try {
        const page = read();
        this.#extremes = extremes;
        return page;
      } catch (error) {
        refusal ??= error;
        if (!answer.errors?.length) break;
      }
    }
    throw asTributaryError(refusal);
  }
}

/** Engines name either the field, or the field data that would have to be loaded into memory. */
const isAboutId = ({ errors = [] }: GraphqlAnswer): boolean =>
  errors.some(({ message }) => /(^|[^\w])_id([^\w]|$)|fielddata/i.test(String(message)));

/** Without a tiebreaker a cursor would skip rows; the sort values are still used for merging. */
const withoutCursors = (answer: CatalogueResult): CatalogueResult => ({
  ...answer,
  warnings: [...answer.warnings, 'returns no cursors: it cannot sort by _id'],
});
