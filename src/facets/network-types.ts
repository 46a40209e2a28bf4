import type { GraphQLFieldConfigMap } from 'graphql';
import { GraphQLInt, GraphQLList, GraphQLObjectType, GraphQLString } from 'graphql';
import { measureKinds, measureRow } from './measures.ts';
import type { FacetField, FacetType } from './row/measure-row.ts';
import { countsType } from './row/counts-type.ts';
import { responseField } from './row/response-field.ts';

const coverageType = new GraphQLObjectType({
  name: 'NetworkCoverage',
  description: 'What one node has to do with a facet.',
  fields: {
    nodeId: { type: GraphQLString, description: 'The id of the node.' },
    state: { type: GraphQLString, description: 'answered, notCovered, failed or excluded.' },
    docs: { type: GraphQLInt, description: 'How many of its documents match; null when it is not known.' },
  },
});

const fieldsOf = (type: FacetType): GraphQLFieldConfigMap<unknown, unknown> => ({
  ...Object.fromEntries(
    measureKinds.flatMap((kind) =>
      Object.entries(measureRow(kind).networkFields[type] ?? {}).map(([name, field]) => [
        name,
        configOf(field),
      ]),
    ),
  ),
  coverage: responseField(new GraphQLList(coverageType), 'Which nodes these numbers are of.'),
});

const configOf = ({ type, description, args }: FacetField) =>
  responseField(type === 'buckets' ? countsType : type, description, args);

/** A facet of values, merged over nodes. */
export const networkAggregationsType = new GraphQLObjectType({
  name: 'NetworkAggregations',
  description: 'The values of a field over all nodes, and how far each count can be trusted.',
  fields: fieldsOf('values'),
});

/** A facet of numbers or dates, merged over nodes. */
export const networkNumericAggregationsType = new GraphQLObjectType({
  name: 'NetworkNumericAggregations',
  description: 'The numbers or dates of a field over all nodes, summarised.',
  fields: fieldsOf('numbers'),
});
