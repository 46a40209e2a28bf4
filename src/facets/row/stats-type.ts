import { GraphQLFloat, GraphQLInt, GraphQLObjectType } from 'graphql';
import { responseField } from './response-field.ts';

/** The GraphQL type of `stats`. */
export const statsType = new GraphQLObjectType({
  name: 'Stats',
  description: 'Statistics over values, not documents. Dates are in milliseconds since 1970.',
  fields: {
    max: responseField(GraphQLFloat, 'The largest value; null when there is none.'),
    min: responseField(GraphQLFloat, 'The smallest value; null when there is none.'),
    count: responseField(GraphQLInt, 'How many values there are.'),
    avg: responseField(GraphQLFloat, 'The sum divided by the count; null when there is no value.'),
    sum: responseField(GraphQLFloat, 'The sum of all values; 0 when there is none.'),
  },
});
