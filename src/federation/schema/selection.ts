import { getNamedType, type GraphQLResolveInfo, type GraphQLObjectType } from 'graphql';
import { below, selectedFields, type SelectedField } from '../../graphql/execution.ts';
import { facetPlan, totalFields, sortRequests, type SortArg } from '../../local/hits/selection.ts';
import { parseSqon } from '../../sqon/parse.ts';
import type { WaitFor } from '../../search/nodes-answer.ts';
import { cursorScope, parseCursor, type CursorScope } from '../merge/cursor.ts';
import type { NetworkFields } from '../nodes/network-fields.ts';
import type { NetworkFacets, NetworkPage, NetworkQuery } from '../query/network-query.ts';
import { countOnlyPage, networkFacets } from '../query/network-query.ts';
import { assertPage } from '../../engines/semantics/cursor.ts';
import { badUserInput } from '../../errors/errors.ts';
import { limited } from '../../introspection/limit.ts';
import { assertSortable } from '../query/plan-requests.ts';

export interface NetworkArguments {
  readonly filters?: unknown;
  readonly aggregations_filter_themselves?: boolean | null;
  readonly include_missing?: boolean | null;
  readonly nodesFilter?: readonly (string | null)[] | null;
  readonly waitFor?: WaitFor | null;
}

/** The facets of one `network` field, and how each of its `aggregations` is shown, by response name. */
export interface PlannedFacets extends NetworkFacets {
  readonly coverageOf: readonly string[];
  readonly shapes: ReadonlyMap<string, ReturnType<typeof facetPlan>['shapes'][number]>;
}

/** What the document alone determines about one `network` field; filters and nodes come with each request. */
export interface PlannedSelection {
  /** The fields directly below `network`. */
  readonly selected: readonly SelectedField[];
  readonly facets: PlannedFacets;
  /** null when no hits are selected. */
  readonly page: PlannedPage | null;
  /** Whether the number of matching records is shown anywhere. */
  readonly counts: boolean;
  /** Whether its bounds are shown too, or the total is not shown at all. */
  readonly bounded: boolean;
}

/** The page of hits of one `network` field, before the queried nodes are known. */
export interface PlannedPage {
  /** A notice to the caller about changes to the page; null when there were none. */
  readonly clamped: string | null;
  /**
   * The page at its cursor, if it has one, for the queried nodes.
   * @throws TributaryError BAD_USER_INPUT for a cursor that does not fit
   */
  readonly from: (nodeIds: readonly string[]) => {
    readonly page: NetworkPage;
    /** Scope of the cursors in the answer. */
    readonly cursors: () => CursorScope;
  };
}

/** The request of one `network` field, all its selections combined, and where the answers go. */
export interface NetworkSelection {
  readonly query: NetworkQuery;
  readonly selected: readonly SelectedField[];
  readonly facets: PlannedFacets;
  /** Scope of the cursors in the answer; null when no hits are selected. */
  readonly cursors: (() => CursorScope) | null;
}

export interface SelectionSettings {
  /** The limit on offset + first. */
  readonly maxResultsWindow: number;
  /** Whether any node's matches are shown as a bucket, and must therefore be counted. */
  readonly countMatches: boolean;
}

/**
 * Reads the whole selection of one `network` field up front, so that each node is queried once.
 * @throws TributaryError BAD_USER_INPUT for an invalid max, interval, sort or page
 */
export const planSelection = (
  info: GraphQLResolveInfo,
  network: NetworkFields,
  { maxResultsWindow, countMatches }: SelectionSettings,
): PlannedSelection => {
  const type = getNamedType(info.returnType) as GraphQLObjectType;
  const selected = selectedFields(info, type, info.fieldNodes);
  const named = (name: string): readonly SelectedField[] => selected.filter((field) => field.name === name);
  const aggregations = named('aggregations');
  const { requests, shapes, coverageOf } = facetPlan(info, aggregations);
  const requested = networkFacets(requests, network.fields);
  return {
    selected,
    facets: {
      ...requested,
      coverageOf,
      shapes: new Map(aggregations.map(({ responseName }, at) => [responseName, shapes[at]!])),
    },
    page: planPage(info, named('hits'), network, maxResultsWindow),
    bounded: isBounded(info, selected),
    counts:
      countMatches ||
      coverageOf.length > 0 ||
      [...totalFields, 'partial', 'nodes'].some((name) => named(name).length > 0),
  };
};

/**
 * Reads all `hits` of a `network` field as the single page that it returns.
 * @param maxResultsWindow the limit on offset + first
 * @throws TributaryError BAD_USER_INPUT for several pages, and for an invalid sort or page
 */
const planPage = (
  info: GraphQLResolveInfo,
  selections: readonly SelectedField[],
  network: NetworkFields,
  maxResultsWindow: number,
): PlannedPage | null => {
  const [hits, ...others] = selections;
  if (!hits) return null;
  if (others.some(({ args }) => JSON.stringify(args) !== JSON.stringify(hits.args)))
    throw badUserInput(
      'a network field gives one page of hits; request other pages in separate network fields',
    );
  const sort = sortRequests((hits.args['sort'] as readonly (SortArg | null)[] | null | undefined) ?? []);
  assertSortable(sort, network);
  const requested = pageNumber('first', hits.args['first'], 10);
  const first = limited(requested, maxResultsWindow);
  const offset = pageNumber('offset', hits.args['offset'], 0);
  const searchAfter = hits.args['searchAfter'];
  const page = { offset, sort, ...shownOf(info, selections, hits, first) };
  const scopeOf = (nodeIds: readonly string[]): CursorScope => cursorScope(nodeIds, sort, network);
  return {
    clamped:
      first < requested
        ? `first ${requested} is more than the network's results window; ${first} hits are shown`
        : null,
    from: (nodeIds) => {
      const after = parseCursor(searchAfter, () => scopeOf(nodeIds));
      assertPage(offset, first, maxResultsWindow, after !== null);
      return {
        page: { ...page, after: after?.position ?? null },
        cursors: () => after?.scope ?? scopeOf(nodeIds),
      };
    },
  };
};

const shownOf = (
  info: GraphQLResolveInfo,
  selections: readonly SelectedField[],
  { args }: SelectedField,
  first: number,
): Pick<NetworkPage, 'first' | 'trackTotal' | 'fields'> => {
  const children = selections.flatMap((field) => below(info, field));
  const edges = children.filter(({ name }) => name === 'edges');
  const nodes = edges.flatMap((edge) => below(info, edge)).filter(({ name }) => name === 'node');
  return {
    first: edges.length === 0 ? 0 : first,
    trackTotal: args['trackTotalHits'] !== false && children.some(({ name }) => totalFields.has(name)),
    fields: [...new Set(nodes.flatMap((node) => below(info, node)).flatMap(pathOf))],
  };
};

const pathOf = ({ definition }: SelectedField): readonly string[] => {
  const path = definition.extensions['path'];
  return typeof path === 'string' ? [path] : [];
};

const pageNumber = (name: string, value: unknown, otherwise: number): number => {
  const number = typeof value === 'number' ? value : otherwise;
  if (number < 0) throw badUserInput(`${name} must be 0 or more, not ${number}`);
  return number;
};

/** Whether every displayed number of matches has its upper bound next to it. */
const isBounded = (info: GraphQLResolveInfo, selected: readonly SelectedField[]): boolean => {
  const namesIn = (field: SelectedField): ReadonlySet<string> =>
    new Set(below(info, field).map(({ name }) => name));
  const pages = selected.filter(({ name }) => name === 'hits').map(namesIn);
  const nodes = selected.filter(({ name }) => name === 'nodes').map(namesIn);
  const totals = [new Set(selected.map(({ name }) => name)), ...pages].filter((names) => names.has('total'));
  const hasBounds = totals.length > 0 && totals.every((names) => names.has('upper_bound'));
  return (
    (totals.length === 0 || hasBounds) &&
    nodes.every(
      (names) => hasBounds || !names.has('hits') || names.has('upper_bound') || names.has('withheld'),
    )
  );
};

/**
 * A planned selection combined with the arguments of one request.
 * @param all the ids of the network's nodes
 * @param warn receives changes made to the request: a clamped page
 * @throws TributaryError BAD_USER_INPUT for an invalid filter or cursor
 */
export const networkSelection = (
  { selected, facets, page: planned, counts, bounded }: PlannedSelection,
  args: NetworkArguments,
  all: readonly string[],
  warn: (message: string) => void,
): NetworkSelection => {
  const only = requestedNodes(args.nodesFilter);
  if (planned?.clamped) warn(planned.clamped);
  const read = planned?.from(only ? all.filter((id) => only.has(id)) : all) ?? null;
  const hits = read
    ? { ...read.page, trackTotal: read.page.trackTotal || counts, ...(bounded && { bounded }) }
    : counts
      ? { ...countOnlyPage, ...(bounded && { bounded }) }
      : null;
  const query: NetworkQuery = {
    filters: parseSqon(args.filters),
    filterThemselves: args.aggregations_filter_themselves ?? false,
    includeMissing: args.include_missing ?? true,
    only,
    facets: facets.facets,
    hits,
  };
  return { query, selected, facets, cursors: read?.cursors ?? null };
};

/** An empty list means all nodes; a list of only nulls names none. */
const requestedNodes = (filter: NetworkArguments['nodesFilter']): ReadonlySet<string> | null => {
  if (!filter || filter.length === 0) return null;
  return new Set(filter.filter((id) => id !== null));
};
