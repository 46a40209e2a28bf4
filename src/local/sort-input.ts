import { GraphQLEnumType, GraphQLInputObjectType, GraphQLNonNull, GraphQLString } from 'graphql';
import type { GraphQLEnumValueConfigMap } from 'graphql';

const valuesOf = (names: readonly string[]): GraphQLEnumValueConfigMap =>
  Object.fromEntries(names.map((name) => [name, {}]));

/** Where documents without a value stand. */
export const missingEnum = new GraphQLEnumType({ name: 'Missing', values: valuesOf(['first', 'last']) });

/** How several values become one. */
export const modeEnum = new GraphQLEnumType({ name: 'Mode', values: valuesOf(['avg', 'max', 'min', 'sum']) });

/** Smallest or largest first. */
export const orderEnum = new GraphQLEnumType({ name: 'Order', values: valuesOf(['asc', 'desc']) });

/** One sort key: `fieldName` in dotted form. */
export const sortInput = new GraphQLInputObjectType({
  name: 'Sort',
  fields: {
    fieldName: { type: new GraphQLNonNull(GraphQLString) },
    order: { type: orderEnum },
    mode: { type: modeEnum },
    missing: { type: missingEnum },
  },
});
