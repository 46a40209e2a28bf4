import type { GraphQLResolveInfo } from 'graphql';
import { getNamedType } from 'graphql';
import type { GraphQLObjectType } from 'graphql';
import { TributaryError } from '../errors.ts';
import { documentKey } from '../introspection/document-key.ts';
import type { SelectedField } from '../local/selected-fields.ts';
import { mostSortKeys } from '../local/hits-query.ts';
import { below, selectedFields } from '../local/selected-fields.ts';
import type { SortArg } from '../local/selection.ts';
import { sortRequests } from '../local/selection.ts';
import type { SortRequest } from '../local/query.ts';
import { parseSqon } from '../sqon/parse.ts';
import type { CursorScope } from './cursor.ts';
import { cursorScope, parseCursor } from './cursor.ts';
import type { FacetSelection } from './facet-selection.ts';
import { facetSelection } from './facet-selection.ts';
import type { NetworkFields } from './network-fields.ts';
import type { NetworkPage, NetworkQuestion } from './question.ts';

export interface NetworkArguments {
  readonly filters?: unknown;
  readonly aggregations_filter_themselves?: boolean | null;
  readonly include_missing?: boolean | null;
  readonly nodesFilter?: readonly (string | null)[] | null;
}

/** What one `network` field asks, all of its selections together, and where the answers go. */
export interface NetworkSelection {
  readonly question: NetworkQuestion;
  /** The fields right below `network`. */
  readonly selected: readonly SelectedField[];
  readonly shapeFacets: FacetSelection['shape'];
  /** Of the cursors that the answer gives; null when no hits are asked. */
  readonly cursors: CursorScope | null;
}

export interface SelectionSettings {
  /** How far offset and first reach together. */
  readonly maxResultsWindow: number;
  readonly nodeIds: readonly string[];
  /** Whether some node's matches are shown as a bucket, and so must be counted. */
  readonly countMatches: boolean;
  /** Told what was changed about the request: a clamped page. */
  readonly warn: (message: string) => void;
}

/**
 * Reads the whole selection of one `network` field ahead, so that each node is asked once.
 * @throws TributaryError BAD_USER_INPUT for a filter, cursor, sort or page that means nothing
 */
export const networkSelection = (
  args: NetworkArguments,
  info: GraphQLResolveInfo,
  network: NetworkFields,
  settings: SelectionSettings,
): NetworkSelection => {
  const type = getNamedType(info.returnType) as GraphQLObjectType;
  const selected = selectedFields(info, type, info.fieldNodes);
  const named = (name: string): readonly SelectedField[] => selected.filter((field) => field.name === name);
  const facets = facetSelection(info, named('aggregations'));
  const only = nodesAsked(args.nodesFilter);
  const nodeIds = settings.nodeIds.filter((id) => !only || only.has(id));
  const read = pageOf(info, named('hits'), network, settings, nodeIds);
  const counts =
    settings.countMatches ||
    ['total', 'partial', 'nodes'].some((name) => named(name).length > 0) ||
    asksCoverage(info, selected);
  const countOnly: NetworkPage = { first: 0, offset: 0, sort: [], after: null, trackTotal: true, fields: [] };
  const hits = read
    ? { ...read.page, trackTotal: read.page.trackTotal || counts }
    : counts
      ? countOnly
      : null;
  const question: NetworkQuestion = {
    filters: parseSqon(args.filters),
    filterThemselves: args.aggregations_filter_themselves ?? false,
    includeMissing: args.include_missing ?? true,
    only,
    facets: facets.facets,
    hits,
  };
  return { question, selected, shapeFacets: facets.shape, cursors: read?.cursors ?? null };
};

/** An empty list means all nodes; one of nothing but nulls names none. */
const nodesAsked = (filter: NetworkArguments['nodesFilter']): ReadonlySet<string> | null => {
  if (!filter || filter.length === 0) return null;
  return new Set(filter.filter((id) => id !== null));
};

/** Coverage says how many records match at each node. */
const asksCoverage = (info: GraphQLResolveInfo, selected: readonly SelectedField[]): boolean =>
  selected
    .filter(({ name }) => name === 'aggregations')
    .flatMap((field) => below(info, field))
    .flatMap((field) => below(info, field))
    .some(({ name }) => name === 'coverage');

const pageOf = (
  info: GraphQLResolveInfo,
  selections: readonly SelectedField[],
  network: NetworkFields,
  { maxResultsWindow, warn }: SelectionSettings,
  nodeIds: readonly string[],
): { readonly page: NetworkPage; readonly cursors: CursorScope } | null => {
  const [hits, ...others] = selections;
  if (!hits) return null;
  if (others.some(({ args }) => JSON.stringify(args) !== JSON.stringify(hits.args)))
    throw badInput(
      'a network field gives one page of hits; ask for other pages in a network field of their own',
    );
  const children = selections.flatMap((field) => below(info, field));
  const edges = children.filter(({ name }) => name === 'edges');
  const sort = sortKeys(hits.args['sort'] as readonly (SortArg | null)[] | null | undefined, network);
  const asked = pageNumber('first', hits.args['first'], 10);
  const first = Math.min(asked, maxResultsWindow);
  if (first < asked)
    warn(`first ${asked} is more than the network's results window; ${first} hits are shown`);
  const offset = pageNumber('offset', hits.args['offset'], 0);
  const scope = cursorScope(nodeIds, sort, network);
  const after = parseCursor(hits.args['searchAfter'], scope);
  if (after && offset > 0)
    throw badInput(`searchAfter cannot be combined with offset ${offset}; leave offset out`);
  if (!after && offset + first > maxResultsWindow)
    throw badInput(`offset + first reach to ${maxResultsWindow} at most; go on with searchAfter of an edge`);
  const columns = edges.flatMap((edge) => below(info, edge)).filter(({ name }) => name === 'node');
  const page: NetworkPage = {
    first: edges.length === 0 ? 0 : first,
    offset,
    sort,
    after: after?.position ?? null,
    trackTotal: hits.args['trackTotalHits'] !== false && children.some(({ name }) => name === 'total'),
    fields: [...new Set(columns.flatMap((node) => below(info, node)).flatMap(pathOf))],
  };
  return { page, cursors: after?.scope ?? scope };
};

const pathOf = ({ definition }: SelectedField): readonly string[] => {
  const path = definition.extensions['path'];
  return typeof path === 'string' ? [path] : [];
};

const pageNumber = (name: string, value: unknown, otherwise: number): number => {
  const number = typeof value === 'number' ? value : otherwise;
  if (number < 0) throw badInput(`${name} must be 0 or more, not ${number}`);
  return number;
};

const unsortable = new Set(['text', 'json', 'object', 'nested']);

const sortKeys = (
  sort: readonly (SortArg | null)[] | null | undefined,
  network: NetworkFields,
): readonly SortRequest[] => {
  const keys = sortRequests(sort ?? []);
  if (keys.length > mostSortKeys)
    throw badInput(`sort takes at most ${mostSortKeys} keys, not ${keys.length}`);
  for (const { fieldName } of keys) {
    const field = fieldName === documentKey.path ? documentKey : network.fields.get(fieldName);
    if (!field) throw badInput(`cannot sort by "${fieldName}": no node of the network has it`);
    if (unsortable.has(field.kind))
      throw badInput(`cannot sort by "${fieldName}": it is of type ${field.type}`);
  }
  return keys;
};

const badInput = (message: string): TributaryError => new TributaryError('BAD_USER_INPUT', message);
