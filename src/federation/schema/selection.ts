import type { GraphQLResolveInfo } from 'graphql';
import { getNamedType } from 'graphql';
import type { GraphQLObjectType } from 'graphql';
import type { SelectedField } from '../../graphql/selected-fields.ts';
import { below, selectedFields } from '../../graphql/selected-fields.ts';
import type { OverlapSelection } from '../overlap/overlap-selection.ts';
import { overlapSelection } from '../overlap/overlap-selection.ts';
import { parseSqon } from '../../sqon/parse.ts';
import type { CursorScope } from '../query/cursor.ts';
import type { FacetSelection } from './facet-selection.ts';
import { facetSelection } from './facet-selection.ts';
import type { NetworkFields } from '../nodes/network-fields.ts';
import type { PlannedPage } from './page-selection.ts';
import { planPage } from './page-selection.ts';
import type { NetworkPage, NetworkQuery } from '../query/network-query.ts';

export interface NetworkArguments {
  readonly filters?: unknown;
  readonly aggregations_filter_themselves?: boolean | null;
  readonly include_missing?: boolean | null;
  readonly nodesFilter?: readonly (string | null)[] | null;
}

/** What the document alone determines about one `network` field; filters and nodes come with each request. */
export interface PlannedSelection {
  /** The fields directly below `network`. */
  readonly selected: readonly SelectedField[];
  readonly facets: FacetSelection;
  readonly overlaps: OverlapSelection;
  /** null when no hits are selected. */
  readonly page: PlannedPage | null;
  /** Whether the number of matching records is shown anywhere. */
  readonly counts: boolean;
}

/** The request of one `network` field, all of its selections combined, and where the answers go. */
export interface NetworkSelection {
  readonly question: NetworkQuery;
  readonly selected: readonly SelectedField[];
  readonly shapeFacets: FacetSelection['shape'];
  readonly shapeOverlap: OverlapSelection['shape'];
  /** Scope of the cursors in the answer; null when no hits are selected. */
  readonly cursors: (() => CursorScope) | null;
}

export interface SelectionSettings {
  /** The limit on offset + first. */
  readonly maxResultsWindow: number;
  /** Whether any node's matches are shown as a bucket, and so must be counted. */
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
  const facets = facetSelection(info, named('aggregations'));
  return {
    selected,
    facets,
    overlaps: overlapSelection(named('overlap'), facets.facets, network),
    page: planPage(info, named('hits'), network, maxResultsWindow),
    counts:
      countMatches ||
      ['total', 'partial', 'nodes'].some((name) => named(name).length > 0) ||
      asksCoverage(info, selected),
  };
};

/**
 * A planned selection combined with the arguments of one request.
 * @param all the ids of the network's nodes
 * @param warn receives changes made to the request: a clamped page
 * @throws TributaryError BAD_USER_INPUT for an invalid filter or cursor
 */
export const networkSelection = (
  { selected, facets, overlaps, page: planned, counts }: PlannedSelection,
  args: NetworkArguments,
  all: readonly string[],
  warn: (message: string) => void,
): NetworkSelection => {
  const only = nodesAsked(args.nodesFilter);
  if (planned?.clamped) warn(planned.clamped);
  const read = planned?.from(only ? all.filter((id) => only.has(id)) : all) ?? null;
  const hits = read
    ? { ...read.page, trackTotal: read.page.trackTotal || counts }
    : counts
      ? countOnly
      : null;
  const question: NetworkQuery = {
    filters: parseSqon(args.filters),
    filterThemselves: args.aggregations_filter_themselves ?? false,
    includeMissing: args.include_missing ?? true,
    only,
    facets: overlaps.facets,
    hits,
  };
  const { shape: shapeOverlap } = overlaps;
  return { question, selected, shapeFacets: facets.shape, shapeOverlap, cursors: read?.cursors ?? null };
};

const countOnly: NetworkPage = { first: 0, offset: 0, sort: [], after: null, trackTotal: true, fields: [] };

/** An empty list means all nodes; a list of only nulls names none. */
const nodesAsked = (filter: NetworkArguments['nodesFilter']): ReadonlySet<string> | null => {
  if (!filter || filter.length === 0) return null;
  return new Set(filter.filter((id) => id !== null));
};

/** Coverage includes the number of matching records at each node. */
const asksCoverage = (info: GraphQLResolveInfo, selected: readonly SelectedField[]): boolean =>
  selected
    .filter(({ name }) => name === 'aggregations')
    .flatMap((field) => below(info, field))
    .flatMap((field) => below(info, field))
    .some(({ name }) => name === 'coverage');
