import type { MeasureKind } from '../../engines/measure.ts';
import type { FacetAnswer, FailedFacet } from '../nodes-answer.ts';
import type { FacetRequest } from '../query.ts';
import { cardinality } from './cardinality.ts';
import { dateHistogram } from './date-histogram.ts';
import { groups } from './groups.ts';
import { histogram } from './histogram.ts';
import { percentiles } from './percentiles.ts';
import { range } from './range.ts';
import type { FacetType, MeasureRow, MeasureRows, FacetField } from './row/measure-row.ts';
import { stats } from './stats.ts';
import { survival } from './survival.ts';
import { shownTogether } from './tree.ts';
import { terms } from './terms.ts';
import type { GraphQLFieldConfig, GraphQLFieldConfigMap } from 'graphql';
import { GraphQLInt, GraphQLList, GraphQLObjectType, GraphQLString } from 'graphql';
import { responseField } from './row/answer-shape.ts';

/** All measures, in the order of the schema's fields. */
const measures: MeasureRows = {
  terms,
  stats,
  histogram,
  date_histogram: dateHistogram,
  range,
  cardinality,
  percentiles,
  groups,
  survival,
};

/** The row of a measure. */
export const measureRow = <Kind extends MeasureKind>(kind: Kind): MeasureRow<Kind> => measures[kind];

/** The names of all measures. */
export const measureKinds = Object.keys(measures) as readonly MeasureKind[];

/** The measures by the GraphQL fields that request them. */
export const kindsByField: ReadonlyMap<string, MeasureKind> = new Map(
  measureKinds.flatMap((kind) =>
    (['values', 'numbers'] satisfies readonly FacetType[]).flatMap((type) =>
      Object.keys(measures[kind].fields[type] ?? {}).map((name) => [name, kind] as const),
    ),
  ),
);

/**
 * Whether the schema's types can represent every value of some answers unchanged. Otherwise the executor must check
 * each, and report an error at the path of those that do not fit: a count beyond 32 bits, a sum that is not finite, a
 * facet that could not be computed.
 */
export const facetsFitTypes = (answers: readonly (FacetAnswer | FailedFacet)[]): boolean =>
  answers.every((answer) => answer.kind !== 'failed' && fitsTypes(answer));

const fitsTypes = <Kind extends MeasureKind>(answer: FacetAnswer<Kind> & { readonly kind: Kind }): boolean =>
  measureRow(answer.kind).fitsTypes(answer);

type FacetResponse = FacetAnswer | FailedFacet;

/** Facets requested because of the answers to others. */
export interface FurtherFacets {
  readonly requests: readonly FacetRequest[];
  /** The answers to both. */
  readonly joined: (further: readonly FacetResponse[]) => readonly FacetResponse[];
}

/** What else to request because of the answers to some facets; null for nothing. */
export const furtherFacets = (
  requests: readonly FacetRequest[],
  answers: readonly FacetResponse[],
): FurtherFacets | null => {
  const further = requests.flatMap((request, index) => {
    const { measure } = request;
    const answer = answers[index]!;
    const together = answer.kind === 'failed' ? null : shownTogether(measure, answer);
    return together
      ? [{ index, joined: together.joined, request: { ...request, measure: together.measure } }]
      : [];
  });
  if (further.length === 0) return null;
  return {
    requests: further.map(({ request }) => request),
    joined: (answer) => {
      const all = [...answers];
      further.forEach(({ index, joined }, at) => {
        const again = answer[at];
        if (again !== undefined && again.kind !== 'failed') all[index] = joined(again);
      });
      return all;
    },
  };
};

const coverageType = new GraphQLObjectType({
  name: 'FacetCoverage',
  description: 'How one node contributed to a facet.',
  fields: {
    nodeId: responseField(GraphQLString, 'The id of the node.'),
    state: responseField(GraphQLString, 'answered, notCovered, failed or excluded.'),
    docs: responseField(GraphQLInt, 'How many of its documents match; null when it is not known.'),
    reason: responseField(GraphQLString, 'Why it could not compute this facet; null for other states.'),
  },
});

const fieldsOf = (type: FacetType): GraphQLFieldConfigMap<unknown, unknown> => ({
  ...Object.fromEntries(
    measureKinds.flatMap((kind) =>
      Object.entries(measureRow(kind).fields[type] ?? {}).map(([name, field]) => [name, configOf(field)]),
    ),
  ),
  coverage: responseField(new GraphQLList(coverageType), 'Which nodes these numbers come from.'),
});

const configOf = ({ type, description, args }: FacetField): GraphQLFieldConfig<unknown, unknown> =>
  responseField(type === 'buckets' ? aggregationsType : type, description, args);

/** The facet types, the same for every catalogue and network. */
export const aggregationsType = new GraphQLObjectType({
  name: 'Aggregations',
  description: 'The values of a field and how many documents have each.',
  fields: () => fieldsOf('values'),
});

/** The GraphQL type of a facet of numbers or dates, its fields taken from the measures. */
export const numericAggregationsType = new GraphQLObjectType({
  name: 'NumericAggregations',
  description: 'The numbers or dates of a field, summarised.',
  fields: () => fieldsOf('numbers'),
});
