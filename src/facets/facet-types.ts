import type { GraphQLFieldConfig, GraphQLFieldConfigMap } from 'graphql';
import { GraphQLInt, GraphQLList, GraphQLObjectType, GraphQLString } from 'graphql';
import { measureKinds, measureRow } from './measures.ts';
import type { FacetField, FacetType } from './row/measure-row.ts';
import { responseField } from './row/answer-shape.ts';

const coverageType = new GraphQLObjectType({
  name: 'FacetCoverage',
  description: 'How one node contributed to a facet.',
  fields: {
    nodeId: responseField(GraphQLString, 'The id of the node.'),
    state: responseField(GraphQLString, 'answered, notCovered, failed or excluded.'),
    docs: responseField(GraphQLInt, 'How many of its documents match; null when it is not known.'),
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
