import { sampleHash } from '../../engines/semantics/theta-sample.ts';
import { TributaryError } from '../../errors/errors.ts';
import { sharedValues } from '../../facets/distinct/overlap.ts';
import { answerOf } from '../../facets/row/answers-of.ts';
import type { SelectedField } from '../../graphql/selected-fields.ts';
import type { FacetAnswer } from '../../search/facet-answer.ts';
import type { NetworkFields } from '../nodes/network-fields.ts';
import type { NodeResult } from '../query/node-result.ts';
import type { NetworkFacet } from '../query/network-query.ts';

export interface OverlapSelection {
  /** The facets of the query, those that overlaps need after the others. */
  readonly facets: readonly NetworkFacet[];
  /** The value of the `overlap` field with that response name. */
  readonly shape: (
    as: string,
    merged: readonly FacetAnswer[],
    answers: readonly NodeResult[],
    network: NetworkFields,
  ) => unknown;
}

/**
 * What the `overlap` fields of a network request, and how they are shown.
 * @param others the facets that are requested anyway
 * @throws TributaryError BAD_USER_INPUT for a field that the network lacks, or that cannot be sampled
 */
export const overlapSelection = (
  selected: readonly SelectedField[],
  others: readonly NetworkFacet[],
  network: NetworkFields,
): OverlapSelection => {
  const facets = [...others];
  const indexes = new Map(
    selected.map(({ responseName, args }) => {
      const path = args['fieldName'] as string;
      assertSampled(path, network);
      return [responseName, indexOfSamples(path, facets)] as const;
    }),
  );
  return {
    facets,
    shape: (as, merged, answers, now) => {
      const index = indexes.get(as)!;
      const { samples = [] } = answerOf({ facets: merged }, index, 'distinct_sample');
      const withSample = samples.flatMap(({ nodeId, sample }) => (sample === null ? [] : [nodeId]));
      if (withSample.length > maxNodes) throw tooManyNodes(withSample.length);
      return {
        nodes: withSample,
        nodesWithoutSample: nodesWithField(facets[index]!.path, index, answers, now).filter(
          (nodeId) => !withSample.includes(nodeId),
        ),
        pairs: sharedValues(samples),
      };
    },
  };
};

/** More nodes have more pairs than a reader wants, and than a response should take. */
const maxNodes = 64;

const tooManyNodes = (count: number): TributaryError =>
  new TributaryError(
    'BAD_USER_INPUT',
    `overlap compares at most ${maxNodes} nodes, not ${count}; choose some with nodesFilter`,
  );

const assertSampled = (path: string, { fields }: NetworkFields): void => {
  const field = fields.get(path);
  if (field === undefined)
    throw new TributaryError('BAD_USER_INPUT', `overlap names the unknown field ${path}`);
  if (sampleHash({ type: field.type }) === null)
    throw new TributaryError(
      'BAD_USER_INPUT',
      `field ${path} of type ${field.type} has no overlap; use a keyword or an integer field`,
      { details: { fieldName: path, type: field.type } },
    );
};

/** The index of the samples of a field, added if they are not requested yet. */
const indexOfSamples = (path: string, facets: NetworkFacet[]): number => {
  const known = facets.findIndex(
    (facet) =>
      facet.path === path && facet.measure.kind === 'distinct_sample' && facet.measure.optional === true,
  );
  if (known >= 0) return known;
  return facets.push({ path, measure: { kind: 'distinct_sample', optional: true } }) - 1;
};

/** The nodes that answered and have the field; those where nothing can match are left out. */
const nodesWithField = (
  path: string,
  index: number,
  answers: readonly NodeResult[],
  network: NetworkFields,
): readonly string[] =>
  answers.flatMap(({ plan, state }) => {
    const { nodeId } = plan.node.config;
    const isAnswer = plan.kind === 'query' || plan.facets[index] === undefined;
    return state === 'ok' && isAnswer && network.byNode.get(nodeId)?.has(path) ? [nodeId] : [];
  });
