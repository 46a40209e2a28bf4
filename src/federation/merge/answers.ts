import type { MeasureKind } from '../../engines/measure.ts';
import { facetValuesOf } from '../nodes/node-view.ts';
import { uncountable } from '../../engines/semantics/field-uses.ts';
import { badUserInput, errorCodes } from '../../lib/errors/errors.ts';
import { cardinalityWarning } from '../../search/facets/cardinality.ts';
import { measureRow } from '../../search/facets/measures.ts';
import type { MergePart } from '../../search/facets/row/measure-row.ts';
import { exactly, type Count } from '../../search/count.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import type { FacetAnswer, FacetCoverage, FailedFacet } from '../../search/nodes-answer.ts';
import { sortDefaults, type FacetMeasure } from '../../search/query.ts';
import { fieldNamed, type Field } from '../../introspection/fields/field.ts';
import type { NodePlan } from '../query/plan.ts';
import { isWithheld, type NodeResult } from '../query/fanout.ts';
import type { NetworkFields } from '../nodes/network-fields.ts';
import { documentTranslator, leafPaths, objectAt, objectUnder } from '../nodes/network-document.ts';
import type { NetworkFacet, NetworkPage, NodesQuery } from '../query/network-query.ts';
import { mergeHits, type MergeKey, type HitsPart, type MergedHit } from './hits.ts';
import { matchesAt } from './status.ts';

/**
 * The query's facets, in order, each merged over the nodes that cover it; a facet that no node could compute fails.
 * @param signal aborted when no caller waits for the facets any more
 * @throws the reason of the signal
 */
export const mergeFacets = async (
  question: NodesQuery,
  answers: readonly NodeResult[],
  network: NetworkFields,
  signal?: AbortSignal,
): Promise<readonly (FacetAnswer | FailedFacet)[]> => {
  const merged = new Map<NetworkFacet, FacetAnswer>();
  const parts = (facet: NetworkFacet): FacetParts => ({
    answers,
    index: question.facets.indexOf(facet),
    field: network.fields.get(facet.path)!,
    paths: topHitPaths(facet.measure, network),
    network,
    signal,
    list: () => {
      const list = question.facets.findIndex((asked) => asked.path === facet.path && isWholeList(asked));
      const position = question.facets.indexOf(facet);
      const isOfAll = answers.every((answer) => !hasAnswered(answer, position) || hasAnswered(answer, list));
      const whole = isOfAll ? merged.get(question.facets[list]!) : undefined;
      return whole?.kind === 'terms' ? whole : null;
    },
  });
  const [others, lists] = [false, true].map((isList) =>
    question.facets.filter(({ measure }) => (measure.kind === 'terms') === isList),
  );
  for (const facet of [...lists!, ...others!])
    merged.set(facet, await mergeFacet(facet.measure, facet, parts(facet)));
  return question.facets.map(
    (facet, index) => failedFacet(facet, index, answers, network) ?? merged.get(facet)!,
  );
};

/** Why no node could compute a facet; null if a node did, or may. */
const failedFacet = (
  { path, measure }: NetworkFacet,
  index: number,
  answers: readonly NodeResult[],
  network: NetworkFields,
): FailedFacet | null => {
  const error = uncountable(countedField(path, network), measure.kind);
  if (error !== null) return { kind: 'failed', error };
  if (
    answers.some(({ state, plan }) => state === 'pending' || (state === 'ok' && plan.facets[index] != null))
  )
    return null;
  const [reason] = answers.flatMap(({ plan }) => {
    const failure = failureAt(plan, path);
    return failure === null ? [] : [`node "${plan.node.config.nodeId}": ${failure}`];
  });
  return reason === undefined
    ? null
    : {
        kind: 'failed',
        error: badUserInput(`no node has a facet of "${path}": ${reason}`),
      };
};

/** Why a node could not compute the facets of a path, safe to show; null if it could, or was not queried for them. */
export const failureAt = ({ failedFacets }: NodePlan, path: string): string | null => {
  const error = failedFacets?.get(path);
  if (error === undefined) return null;
  return errorCodes[error.code].safe ? error.message : 'internal error';
};

/** A field that is text at every node that covers it stays text, whatever type is declared: no node could answer. */
const countedField = (path: string, { fields, byNode }: NetworkFields): Field => {
  const covering = [...byNode.values()].flatMap((covered) => covered.get(path) ?? []);
  const text = covering.length > 0 && covering.every(({ kind }) => kind === 'text') ? covering[0] : undefined;
  return text ? { ...text, path } : fields.get(path)!;
};

const isWholeList = ({ measure }: NetworkFacet): boolean =>
  measure.kind === 'terms' && measure.matching === undefined;

/** Whether a node answered the facet at that index of the query. */
const hasAnswered = ({ plan, answer }: NodeResult, index: number): boolean => {
  const at = plan.facets[index];
  return at != null && answer?.facets[at] !== undefined && answer.facets[at].kind !== 'failed';
};

interface FacetParts {
  readonly answers: readonly NodeResult[];
  /** Index of the facet in the query. */
  readonly index: number;
  readonly field: Field;
  /** The network's paths of the values shown in top hits; none without top hits. */
  readonly paths: readonly string[];
  readonly network: NetworkFields;
  readonly list: () => FacetAnswer<'terms'> | null;
  readonly signal: AbortSignal | undefined;
}

const mergeFacet = <Kind extends MeasureKind>(
  measure: FacetMeasure<Kind>,
  { path, parted }: NetworkFacet,
  { answers, index, field, paths, network, list, signal }: FacetParts,
): FacetAnswer | Promise<FacetAnswer> => {
  const { kind } = measure;
  const documentOf = (result: NodeResult) => topHitOf(result, field, paths, network);
  const parts = mergeParts<Kind>(answers, { path, index, kind, documentOf });
  const isWhole = (): boolean => !answers.some((answer) => hasUncounted(answer, path, index));
  return measureRow<Kind>(kind).merge(parts, {
    ...{ measure, field, isWhole, isParted: parted === true, list, signal },
  });
};

/** What each node contributed to a list of values. */
export const listParts = (
  { path, measure }: NetworkFacet,
  index: number,
  answers: readonly NodeResult[],
  network: NetworkFields,
): readonly MergePart<'terms'>[] => {
  const paths = topHitPaths(measure, network);
  const documentOf = (result: NodeResult) => topHitOf(result, network.fields.get(path)!, paths, network);
  return mergeParts(answers, { path, index, kind: 'terms', documentOf });
};

const topHitPaths = (measure: FacetMeasure, network: NetworkFields): readonly string[] => {
  if (measure.kind !== 'terms' || measure.topHits === undefined) return [];
  return leafPaths(measure.topHits.source ?? [...network.fields.keys()], network);
};

/** The top hit of a nested field is the nested object itself. */
const topHitOf = (
  { plan: { node } }: NodeResult,
  { nestedIn }: Field,
  paths: readonly string[],
  network: NetworkFields,
): ((topHit: JsonObject) => JsonObject) => {
  if (paths.length === 0) return noDocument;
  const translate = documentTranslator(node, paths, network);
  const nested = nestedIn.at(-1);
  if (nested === undefined) return translate;
  const nodePath = node.fieldMapping.toNode(nested);
  return (object) => objectAt(translate(objectUnder(nodePath, object)), nested);
};

const noDocument = (): JsonObject => ({});

interface PartOf<Kind extends MeasureKind> {
  readonly path: string;
  readonly index: number;
  readonly kind: Kind;
  readonly documentOf: (result: NodeResult) => (document: JsonObject) => JsonObject;
}

const mergeParts = <Kind extends MeasureKind>(
  answers: readonly NodeResult[],
  of: PartOf<Kind>,
): readonly MergePart<Kind>[] => {
  const parts: MergePart<Kind>[] = [];
  for (const answer of answers) {
    const part = mergePart(answer, of);
    if (part) parts.push(part);
  }
  return parts;
};

/** One node's contribution to a facet; null if it has none. */
const mergePart = <Kind extends MeasureKind>(
  nodeResult: NodeResult,
  { path, index, kind, documentOf }: PartOf<Kind>,
): MergePart<Kind> | null => {
  const { plan, answer } = nodeResult;
  const { config } = plan.node;
  const at = plan.facets[index];
  const request = plan.kind === 'query' && at != null ? plan.query.facets[at]?.measure : undefined;
  const requested = request?.kind === kind ? (request as FacetMeasure<Kind>) : null;
  const answered = at == null ? undefined : answer?.facets[at];
  const result = answered?.kind === kind ? (answered as FacetAnswer<Kind>) : null;
  // numbers that are withheld are not 0
  const isUnknown = isWithheld(nodeResult);
  const matches = isUnknown ? null : matchesLeftOut(nodeResult, at);
  if (!result && matches === null && !isUnknown) return null;
  const values = facetValuesOf(plan.node, path);
  return { nodeId: config.nodeId, values, documentOf: documentOf(nodeResult), requested, result, matches };
};

/** Hits left out by a node that lacks the field, if its configuration reports them; null otherwise. */
const matchesLeftOut = (result: NodeResult, at: number | null | undefined): Count | null =>
  result.plan.node.config.unavailableBucket && result.state === 'ok' && at === null
    ? matchesAt(result)
    : null;

/** Warnings to the caller about merged facets, safe to show. */
export const facetWarnings = (
  { facets }: NodesQuery,
  merged: readonly (FacetAnswer | FailedFacet)[],
): readonly string[] =>
  facets.flatMap(({ path }, index) => {
    const facet = merged[index]!;
    return facet.kind === 'cardinality' ? (cardinalityWarning(facet, path) ?? []) : [];
  });

/** Whether a node that answered has a field but cannot aggregate it with this measure. */
const hasUncounted = ({ plan, state }: NodeResult, path: string, index: number): boolean => {
  const { status, fieldMapping } = plan.node;
  if (state !== 'ok' || plan.kind === 'empty' || plan.facets[index] !== null) return false;
  const nodePath = fieldMapping.toNode(path);
  // if another network field is mapped to that name, it is not this field
  return status.kind === 'up' && status.fields.has(nodePath) && fieldMapping.toNetwork(nodePath) === path;
};

/** The requested page, merged over the nodes that answered. */
export const mergePage = (
  page: NetworkPage,
  answers: readonly NodeResult[],
  network: NetworkFields,
): readonly MergedHit[] => {
  const keys = mergeKeys(page.sort, network);
  const parts = answers.flatMap((answer) => hitsPart(answer));
  return mergeHits(parts, keys, { offset: page.after ? 0 : page.offset, first: page.first }, page.after);
};

/** The sort keys of a page, as used to compare rows. */
export const mergeKeys = (
  sort: NetworkPage['sort'],
  network: Pick<NetworkFields, 'fields'>,
): readonly MergeKey[] =>
  sort.map((key) => {
    const { order, missing } = sortDefaults(key);
    return { kind: fieldNamed(network.fields, key.fieldName)!.kind, order, missing };
  });

const hitsPart = ({ plan, answer }: NodeResult): readonly HitsPart[] => {
  if (plan.kind !== 'query' || !answer || !plan.query.hits) return [];
  const { first, searchAfter } = plan.query.hits;
  const { hits } = answer;
  const total = exactly(answer.total);
  // a node with a smaller window returns fewer rows than requested, and fewer than it has
  const isKnown = searchAfter === null && total !== null;
  const isCut = isKnown ? hits.length < total : hits.length === plan.status.window;
  // a node that returns no rows at all does not hold back those of others
  const complete = hits.length >= first || hits.length === 0 || !isCut;
  return [{ nodeId: plan.node.config.nodeId, hits, sort: plan.sort, sortedBy: plan.sortedBy, complete }];
};

/** Whether a node that has a field answered without its numbers. */
const isHeldBackAt = ({ plan, answer }: NodeResult, path: string, { byNode }: NetworkFields): boolean =>
  answer?.withheld !== undefined && byNode.get(plan.node.config.nodeId)?.has(path) === true;

/** How each node covers one field of the query's facets. */
export const coverageOf = (
  path: string,
  question: NodesQuery,
  answers: readonly NodeResult[],
  network: NetworkFields,
): readonly FacetCoverage[] => {
  const requested = question.facets.flatMap((facet, index) => (facet.path === path ? [index] : []));
  return answers.map((answer): FacetCoverage => {
    const { nodeId } = answer.plan.node.config;
    if (answer.state === 'excluded') return { nodeId, state: 'excluded', docs: null };
    if (answer.state !== 'ok') return { nodeId, state: 'failed', docs: null };
    const covered =
      requested.length > 0
        ? requested.some((index) => answer.plan.facets[index] !== null)
        : network.byNode.get(nodeId)?.has(path);
    return covered
      ? { nodeId, state: 'answered', docs: exactly(matchesAt(answer)) }
      : {
          nodeId,
          state: isHeldBackAt(answer, path, network) ? 'withheld' : 'notCovered',
          docs: null,
          reason: failureAt(answer.plan, path),
        };
  });
};
