import type { GraphQLResolveInfo } from 'graphql';
import { getNamedType } from 'graphql';
import type { GraphQLObjectType } from 'graphql';
import type { SelectedField } from '../../graphql/selected-fields.ts';
import type { OverlapSelection } from '../overlap/overlap-selection.ts';
import { overlapSelection } from '../overlap/overlap-selection.ts';
import { below, selectedFields } from '../../graphql/selected-fields.ts';
import { facetPlan } from '../../local/facets/facet-selection.ts';
import { parseSqon } from '../../sqon/parse.ts';
import type { WaitFor } from '../../search/nodes-answer.ts';
import type { CursorScope } from '../query/cursor.ts';
import type { NetworkFields } from '../nodes/network-fields.ts';
import type { PlannedPage } from './page-selection.ts';
import { planPage } from './page-selection.ts';
import type { AskedFacets } from '../query/network-facets.ts';
import { networkFacets } from '../query/network-facets.ts';
import type { NetworkPage, NetworkQuery } from '../query/network-query.ts';
import { totalFields } from '../../local/hits/total-fields.ts';

export interface NetworkArguments {
  readonly filters?: unknown;
  readonly aggregations_filter_themselves?: boolean | null;
  readonly include_missing?: boolean | null;
  readonly nodesFilter?: readonly (string | null)[] | null;
  readonly waitFor?: WaitFor | null;
}

/** The facets of one `network` field, and how each of its `aggregations` is shown, by response name. */
export interface PlannedFacets extends AskedFacets {
  readonly coverageOf: readonly string[];
  readonly shapes: ReadonlyMap<string, ReturnType<typeof facetPlan>['shapes'][number]>;
}

/** What the document alone determines about one `network` field; filters and nodes come with each request. */
export interface PlannedSelection {
  /** The fields directly below `network`. */
  readonly selected: readonly SelectedField[];
  readonly facets: PlannedFacets;
  readonly overlaps: OverlapSelection;
  /** null when no hits are selected. */
  readonly page: PlannedPage | null;
  /** The fields that are shown of nodes. */
  readonly statusesShown: readonly string[];
  /** Whether the number of matching records is shown anywhere. */
  readonly counts: boolean;
  /** Whether it is also shown how far it can be trusted, or is not shown at all. */
  readonly bounded: boolean;
}

/** The request of one `network` field, all of its selections combined, and where the answers go. */
export interface NetworkSelection {
  readonly question: NetworkQuery;
  readonly selected: readonly SelectedField[];
  readonly facets: PlannedFacets;
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
  const aggregations = named('aggregations');
  const { requests, shapes, coverageOf } = facetPlan(info, aggregations);
  const asked = networkFacets(requests, network.fields);
  return {
    selected,
    overlaps: overlapSelection(named('overlap'), asked.facets, network),
    facets: {
      ...asked,
      coverageOf,
      shapes: new Map(aggregations.map(({ responseName }, at) => [responseName, shapes[at]!])),
    },
    page: planPage(info, named('hits'), network, maxResultsWindow),
    bounded: isBounded(info, selected),
    statusesShown: [...new Set(named('nodes').flatMap((one) => below(info, one).map(({ name }) => name)))],
    counts:
      countMatches ||
      coverageOf.length > 0 ||
      [...totalFields, 'partial', 'nodes'].some((name) => named(name).length > 0),
  };
};

/** Whether every number of matches that is shown has its upper bound beside it. */
const isBounded = (info: GraphQLResolveInfo, selected: readonly SelectedField[]): boolean => {
  const namesIn = (field: SelectedField): ReadonlySet<string> =>
    new Set(below(info, field).map(({ name }) => name));
  const pages = selected.filter(({ name }) => name === 'hits').map(namesIn);
  const nodes = selected.filter(({ name }) => name === 'nodes').map(namesIn);
  const totals = [new Set(selected.map(({ name }) => name)), ...pages].filter((names) => names.has('total'));
  const isTold = totals.length > 0 && totals.every((names) => names.has('upper_bound'));
  return (
    (totals.length === 0 || isTold) &&
    nodes.every((names) => isTold || !names.has('hits') || names.has('upper_bound') || names.has('withheld'))
  );
};

/**
 * A planned selection combined with the arguments of one request.
 * @param all the ids of the network's nodes
 * @param warn receives changes made to the request: a clamped page
 * @throws TributaryError BAD_USER_INPUT for an invalid filter or cursor
 */
export const networkSelection = (
  { selected, facets, overlaps, page: planned, statusesShown, counts, bounded }: PlannedSelection,
  args: NetworkArguments,
  all: readonly string[],
  warn: (message: string) => void,
): NetworkSelection => {
  const only = nodesAsked(args.nodesFilter);
  if (planned?.clamped) warn(planned.clamped);
  const read = planned?.from(only ? all.filter((id) => only.has(id)) : all) ?? null;
  const hits = read
    ? { ...read.page, trackTotal: read.page.trackTotal || counts, ...(bounded && { bounded }) }
    : counts
      ? { ...countOnly, ...(bounded && { bounded }) }
      : null;
  const question: NetworkQuery = {
    filters: parseSqon(args.filters),
    filterThemselves: args.aggregations_filter_themselves ?? false,
    includeMissing: args.include_missing ?? true,
    only,
    facets: overlaps.facets,
    coverageOf: facets.coverageOf,
    statusesShown,
    hits,
  };
  return { question, selected, facets, shapeOverlap: overlaps.shape, cursors: read?.cursors ?? null };
};

const countOnly: NetworkPage = { first: 0, offset: 0, sort: [], after: null, trackTotal: true, fields: [] };

/** An empty list means all nodes; a list of only nulls names none. */
const nodesAsked = (filter: NetworkArguments['nodesFilter']): ReadonlySet<string> | null => {
  if (!filter || filter.length === 0) return null;
  return new Set(filter.filter((id) => id !== null));
};
