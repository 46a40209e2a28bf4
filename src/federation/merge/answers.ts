import type { FacetResult } from '../../engines/engine.ts';
import type { StatsResult } from '../../engines/engine.ts';
import { documentKey } from '../../introspection/fields/document-key.ts';
import type { Fields } from '../../introspection/fields/field.ts';
import type { NodeAnswer } from '../query/fanout.ts';
import type { NetworkFields } from '../nodes/network-fields.ts';
import { askedBuckets } from '../query/plan.ts';
import type { NetworkFacet, NetworkPage, NetworkQuestion } from '../query/question.ts';
import type { MergedTerms, TermsPart } from './buckets.ts';
import { mergeTerms, unavailableKey } from './buckets.ts';
import type { CardinalityBounds } from './cardinality.ts';
import { mergeCardinality } from './cardinality.ts';
import type { CountedKey } from './histogram.ts';
import { mergeHistograms, mergeRanges } from './histogram.ts';
import type { HitsPart, MergedHit } from './hits.ts';
import { mergeHits } from './hits.ts';
import { mergeStats } from './stats.ts';
import { matchesAt } from './status.ts';

export type MergedFacet =
  | { readonly kind: 'terms'; readonly terms: MergedTerms }
  | { readonly kind: 'stats'; readonly stats: StatsResult }
  | { readonly kind: 'histogram'; readonly buckets: readonly CountedKey[] }
  | { readonly kind: 'range'; readonly buckets: readonly CountedKey[] }
  | { readonly kind: 'cardinality'; readonly bounds: CardinalityBounds };

/** The question's facets, in their order, merged over the nodes that cover them. */
export const mergeFacets = (
  question: NetworkQuestion,
  answers: readonly NodeAnswer[],
  fields: Fields,
): readonly MergedFacet[] => {
  const terms = new Map<string, MergedTerms>();
  for (const [index, { path, measure }] of question.facets.entries())
    if (measure.kind === 'terms') terms.set(path, mergeTerms(termsParts(path, measure.max, index, answers)));
  return question.facets.map((facet, index) =>
    mergeFacet(facet, index, answers, { terms: terms.get(facet.path) ?? null, fields }),
  );
};

const mergeFacet = (
  { path, measure }: NetworkFacet,
  index: number,
  answers: readonly NodeAnswer[],
  { terms, fields }: { readonly terms: MergedTerms | null; readonly fields: Fields },
): MergedFacet => {
  switch (measure.kind) {
    case 'terms':
      return { kind: 'terms', terms: terms! };
    case 'stats':
      return { kind: 'stats', stats: mergeStats(resultsOf(answers, index, 'stats')) };
    case 'histogram': {
      const parts = resultsOf(answers, index, 'histogram').map(({ buckets }) => buckets);
      return { kind: 'histogram', buckets: mergeHistograms(parts, measure.interval, fields.get(path)!) };
    }
    case 'range': {
      const parts = resultsOf(answers, index, 'range').map(({ buckets }) => buckets);
      const keys = measure.ranges.map(({ key }) => key);
      return { kind: 'range', buckets: mergeRanges(parts, keys) };
    }
    case 'cardinality': {
      const parts = answers.flatMap((one) => {
        const result = resultOf(one, index, 'cardinality');
        return result ? [{ result, values: one.plan.node.renaming.valuesOf(path) }] : [];
      });
      const isWhole = !answers.some((one) => hasUncounted(one, path, index));
      return { kind: 'cardinality', bounds: mergeCardinality(parts, terms, isWhole) };
    }
  }
};

/** Whether a node that answered has a field, but not in this way. */
const hasUncounted = ({ plan, state }: NodeAnswer, path: string, index: number): boolean => {
  const { status, renaming } = plan.node;
  if (state !== 'ok' || plan.kind === 'empty' || plan.facets[index] !== null) return false;
  const own = renaming.toNode(path);
  // a name that stands for another field of the network says nothing of this one
  return status.kind === 'up' && status.fields.has(own) && renaming.toNetwork(own) === path;
};

const resultOf = <Kind extends FacetResult['kind']>(
  { plan, answer }: NodeAnswer,
  index: number,
  kind: Kind,
) => {
  const place = plan.facets[index];
  const result = place == null ? undefined : answer?.facets[place];
  return result?.kind === kind ? (result as Extract<FacetResult, { kind: Kind }>) : undefined;
};

const resultsOf = <Kind extends FacetResult['kind']>(
  answers: readonly NodeAnswer[],
  index: number,
  kind: Kind,
): readonly Extract<FacetResult, { kind: Kind }>[] =>
  answers.map((one) => resultOf(one, index, kind)).filter((result) => result !== undefined);

const termsParts = (
  path: string,
  max: number | null,
  index: number,
  answers: readonly NodeAnswer[],
): readonly TermsPart[] =>
  answers.flatMap((one): TermsPart[] => {
    const { config, renaming } = one.plan.node;
    const result = resultOf(one, index, 'terms');
    if (result)
      return [{ nodeId: config.nodeId, result, asked: askedBuckets(max), values: renaming.valuesOf(path) }];
    const matches = one.state === 'ok' && one.plan.facets[index] === null ? matchesAt(one) : null;
    if (!config.unavailableBucket || matches === null) return [];
    const buckets = [{ key: unavailableKey, count: matches }];
    const invented = { kind: 'terms', buckets, missing: 0, distinct: 1 } as const;
    return [{ nodeId: config.nodeId, result: invented, asked: null, values: null }];
  });

/** The page asked for, merged over the nodes that answered. */
export const mergePage = (
  page: NetworkPage,
  answers: readonly NodeAnswer[],
  network: NetworkFields,
): readonly MergedHit[] => {
  const keys = page.sort.map(({ fieldName, order, missing }) => ({
    kind: (fieldName === documentKey.path ? documentKey : network.fields.get(fieldName)!).kind,
    order,
    missing: missing ?? (order === 'asc' ? ('first' as const) : ('last' as const)),
  }));
  const parts = answers.flatMap((one) => hitsPart(one));
  return mergeHits(parts, keys, { offset: page.after ? 0 : page.offset, first: page.first }, page.after);
};

const hitsPart = ({ plan, answer }: NodeAnswer): readonly HitsPart[] => {
  if (plan.kind !== 'ask' || !answer || !plan.query.hits) return [];
  const { first, searchAfter } = plan.query.hits;
  const { hits, total } = answer;
  // a node whose own window is smaller gives less than was asked, and less than it has
  const complete = hits.length >= first || searchAfter !== null || total === null || hits.length >= total;
  return [{ nodeId: plan.node.config.nodeId, hits, sort: plan.sort, keys: plan.sortedBy, complete }];
};

export interface FacetCoverage {
  readonly nodeId: string;
  readonly state: 'answered' | 'notCovered' | 'failed' | 'excluded';
  /** Records that match there, of an answered node. */
  readonly docs: number | null;
}

/** What each node says for one field of the question's facets. */
export const coverageOf = (
  path: string,
  question: NetworkQuestion,
  answers: readonly NodeAnswer[],
  network: NetworkFields,
): readonly FacetCoverage[] => {
  const asked = question.facets.flatMap((facet, index) => (facet.path === path ? [index] : []));
  return answers.map((one): FacetCoverage => {
    const { nodeId } = one.plan.node.config;
    if (one.state === 'excluded') return { nodeId, state: 'excluded', docs: null };
    if (one.state !== 'ok') return { nodeId, state: 'failed', docs: null };
    const covered =
      asked.length > 0
        ? asked.some((index) => one.plan.facets[index] !== null)
        : network.byNode.get(nodeId)?.has(path);
    return covered
      ? { nodeId, state: 'answered', docs: matchesAt(one) }
      : { nodeId, state: 'notCovered', docs: null };
  });
};
