import type { CursorValue } from '../../engines/engine.ts';
import { TributaryError } from '../../errors/errors.ts';
import type { JsonObject } from '../../json/json.ts';
import type { CatalogueHit, CatalogueQuery, SearchFn } from '../../search/query.ts';
import { Trace } from '../../search/request-context.ts';
import { documentTranslator } from '../nodes/network-document.ts';
import { hitKey, pathOf } from '../query/hit-key.ts';
import type { NetworkQuery } from '../query/network-query.ts';
import { networkFacets } from '../query/network-query.ts';
import type { NodePlan } from '../query/plan.ts';
import type { AskedNetwork, NetworkAnswer } from './ask-network.ts';
import { askNetwork } from './ask-network.ts';
import type { CataloguePage } from './network-page.ts';
import { cataloguePage } from './network-page.ts';

export interface NetworkSearchSettings {
  /** The largest page, and the limit on offset + first where it is more than 10 000. */
  readonly maxResultsWindow: number;
  readonly strictFilters: boolean;
}

/**
 * A network as a catalogue's search: the query goes to its nodes, and one answer comes back, in the network's names and
 * values.
 * @param now the nodes as they stand
 */
export const networkSearch =
  (now: () => AskedNetwork, settings: NetworkSearchSettings): SearchFn =>
  async (query, asking) => {
    const current = now();
    const trace = new Trace();
    const context = asking.withTrace(trace);
    const { question, page, indexes } = networkQuestion(query, current, settings, context.trace.warn);
    const required = query.nodes?.required ?? [];
    const answer = await askNetwork(question, current, context, {
      strictFilters: settings.strictFilters,
      required,
      waitFor: query.nodes?.waitFor,
    });
    assertAnswered(answer);
    return {
      total: query.hits?.trackTotal ? answer.total : null,
      ...(query.hits?.trackTotal && answer.totalBounds && { totalBounds: answer.totalBounds }),
      hits: page === null ? [] : shownHits(answer, page, current),
      facets: indexes.map((index) => answer.facets[index]!),
      nodes: answer.nodes,
      warnings: [...trace.warnings],
    };
  };

interface Question {
  readonly question: NetworkQuery;
  readonly page: CataloguePage | null;
  /** For each facet of the query: the index of its answer. */
  readonly indexes: readonly number[];
}

const networkQuestion = (
  query: CatalogueQuery,
  { nodes, network }: AskedNetwork,
  { maxResultsWindow }: NetworkSearchSettings,
  warn: (message: string) => void,
): Question => {
  const only = query.nodes?.only == null ? null : new Set(query.nodes.only);
  const all = nodes.map(({ config }) => config.nodeId);
  const nodeIds = only ? all.filter((id) => only.has(id)) : all;
  const page = query.hits && cataloguePage(query.hits, { network, nodeIds, maxResultsWindow, warn });
  const { facets, indexes } = networkFacets(query.facets, network.fields);
  // a node without a field may show its matches as a bucket
  const counts = facets.length > 0 && nodes.some(({ config }) => config.unavailableBucket);
  const { filters, filterThemselves, includeMissing, coverageOf = [] } = query;
  const bounded = query.facets.every((facet) => facet.bounded) && ({ bounded: true } as const);
  const hits = page && counts ? { ...page.page, trackTotal: true } : (page?.page ?? null);
  return {
    question: {
      filters,
      filterThemselves,
      includeMissing,
      only,
      facets,
      coverageOf,
      hits: hits ?? (counts ? { ...countOnly, ...bounded } : null),
    },
    page,
    indexes,
  };
};

const countOnly = { first: 0, offset: 0, sort: [], after: null, trackTotal: true, fields: [] } as const;

/** @throws TributaryError ENGINE_UNAVAILABLE when no queried node answered */
const assertAnswered = ({ nodes: { statuses } }: NetworkAnswer): void => {
  const asked = statuses.filter(({ state }) => state !== 'excluded');
  if (asked.length === 0 || asked.some(({ state }) => state === 'ok' || state === 'pending')) return;
  const nodes = asked.map(({ nodeId, state, errors: reason }) => ({ nodeId, state, reason }));
  const states = nodes.map(({ nodeId, state }) => `"${nodeId}" ${state}`).join(', ');
  throw new TributaryError('ENGINE_UNAVAILABLE', `no node of the network answered: ${states}`, {
    details: { nodes },
  });
};

/** Merged rows as a catalogue's: documents in the network's names and values. */
const shownHits = (
  { hits, answers }: NetworkAnswer,
  { paths, cursorOf }: CataloguePage,
  { network }: AskedNetwork,
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
    const source = translate(hit.source);
    return new NetworkHit(pathOf(nodeId, hit), hit.id, source, () => cursorOf(merged, plan));
  });
};

/** Its cursor is made when it is read; a class, as objects with getters of their own take several times the memory. */
class NetworkHit implements CatalogueHit {
  readonly id: string;
  readonly nodeId: string;
  readonly key: string;
  readonly source: JsonObject;
  readonly #cursor: () => readonly CursorValue[];

  constructor(nodeId: string, id: string, source: JsonObject, cursor: () => readonly CursorValue[]) {
    this.id = id;
    this.nodeId = nodeId;
    this.key = hitKey(nodeId, id);
    this.source = source;
    this.#cursor = cursor;
  }

  get cursor(): readonly CursorValue[] {
    return this.#cursor();
  }
}
