import { uncertainKeys, withCounts, type CountedKeys } from '../../search/facets/terms/exact-terms.ts';
import type { TermsPart } from '../../search/facets/terms/merge-terms.ts';
import { termsParts } from '../../search/facets/terms.ts';
import { isExact } from '../../search/count.ts';
import type { FacetAnswer, FailedFacet, TermsAnswer } from '../../search/nodes-answer.ts';
import { failureAt, listParts } from '../merge/answers.ts';
import type { NetworkFields } from '../nodes/network-fields.ts';
import type { NetworkFacet, NodesQuery } from '../query/network-query.ts';
import type { NodeResult } from '../query/fanout.ts';
import { plan, type NodePlan } from '../query/plan.ts';

/** What a network's nodes answered to a query. */
interface Answered {
  readonly query: NodesQuery;
  readonly network: NetworkFields;
  readonly answers: readonly NodeResult[];
  readonly facets: readonly (FacetAnswer | FailedFacet)[];
}

interface Asking {
  /** Sends further queries to nodes; never rejects. */
  readonly ask: (plans: readonly NodePlan[]) => Promise<readonly NodeResult[]>;
  /** Receives warnings to the caller. */
  readonly warn: (message: string) => void;
  /** Aborted when no caller waits for the facets any more. */
  readonly signal: AbortSignal | undefined;
}

/**
 * The facets with exact counts of the values shown: nodes whose lists leave some of these open are asked once more, for
 * nothing else. Where a node does not answer, the counts keep their bounds, and a warning names it. Nodes that withhold
 * their records are not asked again.
 * @throws the reason of the signal
 */
export const exactFacets = async (
  answered: Answered,
  { ask, warn, signal }: Asking,
): Promise<Answered['facets']> => {
  const lists = uncertainLists(answered);
  const recounts = answered.answers.flatMap((answer) => recountAt(answer, lists, answered));
  if (recounts.length === 0) return answered.facets;
  const results = await ask(recounts.map(({ plan: recount }) => recount));
  const facets = [...answered.facets];
  recounts.forEach((recount, at) => warnOfFailure(recount, results[at]!, warn));
  for (const { index, facet, merged, parts, keys } of lists) {
    const counted = countedOf(facet.path, recounts, results);
    const counting = { shown: keys.length, counted, isParted: facet.parted === true, signal };
    if (counted.size > 0) facets[index] = await withCounts(merged, parts, counting);
  }
  return facets;
};

/** A list of values some of whose counts that are shown are not exact. */
interface UncertainList {
  /** In the query. */
  readonly index: number;
  readonly facet: NetworkFacet;
  readonly merged: TermsAnswer;
  readonly parts: readonly TermsPart[];
  /** The keys of the values that are shown. */
  readonly keys: readonly string[];
}

const uncertainLists = ({ query, network, answers, facets }: Answered): readonly UncertainList[] =>
  query.facets.flatMap((facet, index): readonly UncertainList[] => {
    const merged = facets[index]!;
    const { measure, shown = 0 } = facet;
    if (measure.kind !== 'terms' || merged.kind !== 'terms') return [];
    const buckets = merged.buckets.slice(0, shown ?? Infinity);
    if (buckets.every(({ count }) => isExact(count))) return [];
    const parts = termsParts(listParts(facet, index, answers, network), measure);
    return [{ index, facet, merged, parts, keys: buckets.map(({ key }) => key) }];
  });

/** The request to one node, and the paths of its facets. */
interface Recount {
  readonly plan: NodePlan;
  readonly paths: readonly string[];
}

/** The most values that one node is asked for: its answer and its work stay small. */
const maxKeys = 10_000;

/** The request for what a node's lists leave open; none if that is nothing. */
const recountAt = (
  { plan: { node }, answer }: NodeResult,
  lists: readonly UncertainList[],
  { query, network }: Answered,
): readonly Recount[] => {
  if (answer === null || answer.withheld !== undefined) return [];
  const { nodeId } = node.config;
  const wanted = new Map<string, Set<string>>();
  for (const { facet, parts, keys } of lists)
    for (const part of parts.filter((candidate) => candidate.nodeId === nodeId)) {
      const open = uncertainKeys(part, keys);
      if (open.length > 0) wanted.set(facet.path, new Set([...(wanted.get(facet.path) ?? []), ...open]));
    }
  const asked = withinLimit(wanted);
  if (asked.length === 0) return [];
  const bounded = node.status.kind === 'up' && node.status.isNetwork === true && ({ bounded: true } as const);
  const facets = asked.map(([path, keys]) => {
    const sets = [...keys].map((key) => ({ key, values: [key] }));
    return { path, measure: { kind: 'groups' as const, sets }, ...bounded };
  });
  const [recount] = plan({ ...query, facets, hits: null, only: null }, network, [node]);
  return [{ plan: recount!, paths: asked.map(([path]) => path) }];
};

/** The first lists whose keys are within the limit together. */
const withinLimit = (wanted: ReadonlyMap<string, ReadonlySet<string>>) => {
  let keys = 0;
  return [...wanted].filter(([, { size }]) => {
    keys += size;
    return keys <= maxKeys;
  });
};

/** What nodes counted of the values of a field, by node id. */
const countedOf = (
  path: string,
  recounts: readonly Recount[],
  results: readonly NodeResult[],
): ReadonlyMap<string, CountedKeys> =>
  new Map(
    recounts.flatMap(({ paths }, at) => {
      const { plan: asked, answer } = results[at]!;
      const index = asked.facets[paths.indexOf(path)];
      const facet = index == null ? undefined : answer?.facets[index];
      if (facet?.kind !== 'groups') return [];
      const counted = new Map(facet.buckets.map(({ key, count }) => [key, count]));
      return [[asked.node.config.nodeId, counted] as const];
    }),
  );

const warnOfFailure = (
  { plan: { node }, paths }: Recount,
  { state, reason, plan: asked }: NodeResult,
  warn: Asking['warn'],
): void => {
  const [failure] = state === 'ok' ? paths.flatMap((path) => failureAt(asked, path) ?? []) : [reason];
  if (failure !== undefined)
    warn(`node "${node.config.nodeId}" did not count the values shown, some have bounds only: ${failure}`);
};
