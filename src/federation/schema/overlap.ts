import { sampleHash } from '../../engines/semantics/sample-levels.ts';
import { badUserInput, type TributaryError } from '../../errors/errors.ts';
import { sharedValues } from '../../facets/distinct/overlap.ts';
import { answerOf, responseField } from '../../facets/row/answer-shape.ts';
import type { SelectedField } from '../../graphql/execution.ts';
import { described } from '../../graphql/scalars.ts';
import type { FacetAnswers } from '../../facets/row/measure-row.ts';
import type { NetworkFields } from '../nodes/network-fields.ts';
import type { NodeResult } from '../query/node-result.ts';
import type { NetworkFacet } from '../query/network-query.ts';
import type { GraphQLFieldConfig } from 'graphql';
import { GraphQLInt, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql';
import type { RequestContext } from '../../search/request-context.ts';

const boundsType = new GraphQLObjectType({
  name: 'NetworkOverlapBounds',
  description:
    'How many values two nodes share; 99.7 % of the bounds hold. lower and estimate are null where the samples share fewer than 10 keys.',
  fields: {
    lower: described(GraphQLInt, 'A lower bound of how many they share.'),
    estimate: described(GraphQLInt, 'An estimate of how many they share.'),
    upper: described(GraphQLInt, 'An upper bound of how many they share.'),
  },
});

const pairType = new GraphQLObjectType({
  name: 'NetworkOverlapPair',
  description: 'Two nodes and the values that both have.',
  fields: {
    a: described(GraphQLString, 'The id of one node.'),
    b: described(GraphQLString, 'The id of the other.'),
    both: described(boundsType, 'How many values both have.'),
  },
});

const overlapType = new GraphQLObjectType({
  name: 'NetworkOverlap',
  description: 'How far nodes hold the same values of a field.',
  fields: {
    nodes: described(new GraphQLList(GraphQLString), 'The nodes that gave a sample of its values.'),
    nodesWithoutSample: described(
      new GraphQLList(GraphQLString),
      'The nodes that answered and have the field, but give no sample: they are in no pair.',
    ),
    pairs: described(
      new GraphQLList(pairType),
      'Each two of the nodes whose values are of one type, texts or integers.',
    ),
  },
});

/** The field `overlap` of a network. */
export const overlapField: GraphQLFieldConfig<unknown, RequestContext> = responseField(
  overlapType,
  'How many values of a field each two nodes share, of the documents that match: of a keyword or an integer field.',
  {
    fieldName: described(
      new GraphQLNonNull(GraphQLString),
      'The path in the names of the network, as specimens.specimen_id.',
    ),
  },
);

export interface OverlapSelection {
  /** The facets of the query; those that overlaps need come after the others. */
  readonly facets: readonly NetworkFacet[];
  /** The value of the `overlap` field with that response name. */
  readonly shape: (
    as: string,
    merged: FacetAnswers['facets'],
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

/** More nodes make more pairs than a reader can use, or a response should hold. */
const maxNodes = 64;

const tooManyNodes = (count: number): TributaryError =>
  badUserInput(`overlap compares at most ${maxNodes} nodes, not ${count}; choose some with nodesFilter`);

const assertSampled = (path: string, { fields }: NetworkFields): void => {
  const field = fields.get(path);
  if (field === undefined) throw badUserInput(`overlap names the unknown field ${path}`);
  if (sampleHash({ type: field.type }) === null)
    throw badUserInput(
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

/** The nodes that answered and have the field, except those where nothing can match. */
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
