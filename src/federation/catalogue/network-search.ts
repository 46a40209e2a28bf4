import type { CursorValue, SortKey } from '../../engines/engine.ts';
import type { CatalogueHit, NetworkQuery, SearchFn, HitsRequest, SortRequest } from '../../search/query.ts';
import { LazyHit, rankOf, rejectFilters, sortDefaults } from '../../search/query.ts';
import { auditedSearch } from '../../search/audited-search.ts';
import { Trace } from '../../search/request-context.ts';
import { documentTranslator, leafPaths } from '../nodes/network-document.ts';
import type { NodesQuery, NetworkPage } from '../query/network-query.ts';
import { countOnlyPage, hitKey, networkFacets } from '../query/network-query.ts';
import { assertSortable, type NodePlan, type QueryPlan } from '../query/plan.ts';
import { assertAnswered, queryNetwork, type NetworkSnapshot, type NetworkAnswer } from './query-network.ts';
import { missing, readCursor, sortValues } from '../../engines/semantics/cursor.ts';
import type { CatalogueSwitches } from '../../introspection/fields/catalogue-config.ts';
import { fieldNamed } from '../../introspection/fields/field.ts';
import { pageSize, sortKey, shownCursorPrinter } from '../../local/hits/hits-query.ts';
import { cursorScope, parseCursor, type MergedHit, type CursorScope } from '../merge/hits.ts';
import type { NetworkFields } from '../nodes/network-fields.ts';

export interface NetworkSearchSettings {
  /** The largest page, and the limit on offset + first where it is more than 10 000. */
  readonly maxResultsWindow: number;
  readonly strictFilters: boolean;
  readonly switches: Pick<CatalogueSwitches, 'disableFilters'>;
}

/**
 * A network as a catalogue's search: sends the query to its nodes and returns one answer in the network's names and
 * values. Each call gets a trace of its own: its warnings and its line in the audit trail come from it.
 * @param now the current nodes
 */
export const networkSearch =
  (now: () => NetworkSnapshot, settings: NetworkSearchSettings): SearchFn<NetworkQuery> =>
  async (query, outer) => {
    const current = now();
    const search = auditedSearch(searchNow(current, settings), {
      ...{ catalogue: null, network: current.displayName },
      fieldsOf: (page) => shownFields(page, current.network).fields,
    });
    return search(query, outer.withTrace(new Trace()));
  };

const searchNow =
  (current: NetworkSnapshot, settings: NetworkSearchSettings): SearchFn<NetworkQuery> =>
  async (query, context) => {
    if (settings.switches.disableFilters) rejectFilters(query);
    const { trace } = context;
    const { question, page, indexes } = toNodesQuery(query, current, settings, trace.warn);
    const required = query.nodes?.required ?? [];
    const answer = await queryNetwork(question, current, context, {
      strictFilters: settings.strictFilters,
      required,
      waitFor: query.nodes?.waitFor,
    });
    return {
      total: query.hits?.trackTotal ? answer.total : null,
      hits: page === null ? [] : shownHits(answer, page, current),
      facets: indexes.map((index) => answer.facets[index]!),
      nodes: answer.nodes,
      warnings: [...trace.warnings],
    };
  };

interface TranslatedQuery {
  readonly question: NodesQuery;
  readonly page: CataloguePage | null;
  /** For each facet of the query, the index of its answer. */
  readonly indexes: readonly number[];
}

const toNodesQuery = (
  query: NetworkQuery,
  { nodes, network }: NetworkSnapshot,
  { maxResultsWindow }: NetworkSearchSettings,
  warn: (message: string) => void,
): TranslatedQuery => {
  const only = query.nodes?.only == null ? null : new Set(query.nodes.only);
  const all = nodes.map(({ config }) => config.nodeId);
  const nodeIds = only ? all.filter((id) => only.has(id)) : all;
  const page = query.hits && cataloguePage(query.hits, { network, nodeIds, maxResultsWindow, warn });
  const { facets, indexes } = networkFacets(query.facets, network.fields);
  // a node without a field may show its matches as a bucket
  const counts = facets.length > 0 && nodes.some(({ config }) => config.unavailableBucket);
  const { filters, filterThemselves, includeMissing } = query;
  const bounded = query.facets.every((facet) => facet.bounded) && ({ bounded: true } as const);
  const hits = page && counts ? { ...page.page, trackTotal: true } : (page?.page ?? null);
  return {
    question: {
      filters,
      filterThemselves,
      includeMissing,
      only,
      facets,
      hits: hits ?? (counts ? { ...countOnlyPage, ...bounded } : null),
    },
    page,
    indexes,
  };
};

/**
 * Fails where no node answered, as a catalogue would: for clients that know nothing of networks.
 * @throws TributaryError ENGINE_UNAVAILABLE when no queried node answered, NOT_DISCLOSED when none of them may answer
 */
export const answeredSearch =
  (search: SearchFn<NetworkQuery>): SearchFn<NetworkQuery> =>
  async (query, context) => {
    const answer = await search(query, context);
    assertAnswered(answer.nodes?.statuses ?? []);
    return answer;
  };

/** Merged rows as hits of a catalogue: documents in the network's names and values. */
const shownHits = (
  { hits, answers }: NetworkAnswer,
  { paths, cursorOf }: CataloguePage,
  { network }: NetworkSnapshot,
): readonly CatalogueHit[] => {
  const translators = new Map<NodePlan, ReturnType<typeof documentTranslator>>();
  const plans = new Map(
    answers.flatMap(({ plan }) => (plan.kind === 'query' ? [[plan.node.config.nodeId, plan] as const] : [])),
  );
  return hits.map((merged): CatalogueHit => {
    const { nodeId, hit } = merged;
    const plan = plans.get(nodeId)!;
    const translate = translators.get(plan) ?? documentTranslator(plan.node, paths, network);
    translators.set(plan, translate);
    const row = { id: hit.id, nodeId, key: hitKey(nodeId, hit), source: translate(hit.source) };
    return new LazyHit(row, () => cursorOf(merged, plan));
  });
};

/** The page of hits that a catalogue query requests from a network. */
export interface CataloguePage {
  readonly page: NetworkPage;
  /** The paths shown in documents. */
  readonly paths: readonly string[];
  /** The cursor after a hit; empty if a node with an earlier hit returned no cursor. */
  readonly cursorOf: (hit: MergedHit, plan: QueryPlan) => readonly CursorValue[];
}

export interface PageContext {
  readonly network: NetworkFields;
  /** The nodes that are queried. */
  readonly nodeIds: readonly string[];
  readonly maxResultsWindow: number;
  /** Receives warnings about changes made to the request. */
  readonly warn: (message: string) => void;
}

/** @throws TributaryError BAD_USER_INPUT for an invalid page, sort or cursor, as a catalogue throws it */
const cataloguePage = (request: HitsRequest, context: PageContext): CataloguePage => {
  const { network, nodeIds, warn, maxResultsWindow } = context;
  const first = pageSize(request, { window: maxResultsWindow, warn });
  const sort = request.sort.filter((key) => sortKey(key, { fields: network.fields, warn }).length > 0);
  assertSortable(sort, network);
  const keys = sort.map((key) => cursorKey(key, network));
  const scopeNow = (): CursorScope => cursorScope(nodeIds, sort, network);
  const tieBreak = request.searchAfter && readCursor(request.searchAfter, keys).tieBreak;
  const after = request.searchAfter && parseCursor(tieBreak ?? '', scopeNow);
  let scope = after?.scope ?? null;
  const print = shownCursorPrinter(keys);
  const { fields, objects, paths } = shownFields(request, network);
  return {
    page: {
      first,
      offset: request.offset,
      sort,
      after: after?.position ?? null,
      trackTotal: request.trackTotal,
      // no total is shown where it was not requested
      ...((request.bounded ?? !request.trackTotal) && { bounded: true }),
      fields,
      objects,
    },
    paths,
    cursorOf: (hit, plan) => {
      const position = hit.printPosition((scope ??= scopeNow()));
      if (position === null) return [];
      const sorted = sortValues(rankOf(hit.hit), plan.sortedBy);
      const values = keys.map((_, at) => {
        const index = plan.sort[at];
        return index == null ? missing : sorted[index]!;
      });
      return print(values, position);
    },
  };
};

const cursorKey = (key: SortRequest, { fields }: NetworkFields): SortKey => ({
  field: fieldNamed(fields, key.fieldName)!.indexField,
  ...sortDefaults(key),
});

interface ShownFields extends Required<Pick<NetworkPage, 'fields' | 'objects'>> {
  /** Both the values and the nested objects. */
  readonly paths: readonly string[];
}

/** The values to request, and the objects that are shown even without any value. */
const shownFields = ({ fields, shown }: HitsRequest, network: NetworkFields): ShownFields => {
  const paths = fields ?? [...network.fields.keys()];
  const objects = paths.filter((path) => network.fields.get(path)?.kind === 'nested');
  const values = new Set<string>();
  for (const path of paths) {
    const below = fields === null ? [] : (shown ?? []).filter((column) => column.startsWith(`${path}.`));
    for (const leaf of leafPaths(below.length > 0 ? below : [path], network)) values.add(leaf);
  }
  return { fields: [...values], objects, paths: [...values, ...objects] };
};
