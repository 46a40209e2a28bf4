import type { GraphQLFieldConfig, GraphQLFieldConfigMap } from 'graphql';
import { GraphQLObjectType } from 'graphql';
import { measureKinds, measureRow } from './measures.ts';
import type { FacetField, FacetType } from './row/measure-row.ts';
import { responseField } from './row/response-field.ts';

const fieldsOf = (type: FacetType): GraphQLFieldConfigMap<unknown, unknown> =>
  Object.fromEntries(
    measureKinds.flatMap((kind) =>
      Object.entries(measureRow(kind).fields[type] ?? {}).map(([name, field]) => [name, configOf(field)]),
    ),
  );

const configOf = ({ type, description, args }: FacetField): GraphQLFieldConfig<unknown, unknown> =>
  responseField(type === 'buckets' ? aggregationsType : type, description, args);

/** The facet types, the same for every catalogue. */
export const aggregationsType = new GraphQLObjectType({
  name: 'Aggregations',
  description: 'The values of a field and how many documents have each.',
  fields: () => fieldsOf('values'),
});

export const numericAggregationsType = new GraphQLObjectType({
  name: 'NumericAggregations',
  description: 'The numbers or dates of a field, summarised.',
  fields: () => fieldsOf('numbers'),
});
