import { GraphQLEnumType, GraphQLInputObjectType, GraphQLNonNull, GraphQLString } from 'graphql';
import type { GraphQLEnumValueConfigMap } from 'graphql';

const valuesOf = (descriptions: Readonly<Record<string, string>>): GraphQLEnumValueConfigMap =>
  Object.fromEntries(Object.entries(descriptions).map(([name, description]) => [name, { description }]));

/** Where documents without a value are sorted. */
export const missingEnum = new GraphQLEnumType({
  name: 'Missing',
  description: 'Where documents without a value stand.',
  values: valuesOf({ first: 'Before all others.', last: 'After all others.' }),
});

/** How several values are reduced to one. */
export const modeEnum = new GraphQLEnumType({
  name: 'Mode',
  description: 'Which of several values a document is sorted by.',
  values: valuesOf({
    avg: 'Their average; numbers and dates only.',
    max: 'The largest.',
    min: 'The smallest.',
    sum: 'Their sum; numbers and dates only.',
  }),
});

/** Smallest or largest first. */
export const orderEnum = new GraphQLEnumType({
  name: 'Order',
  description: 'The direction of a sort key.',
  values: valuesOf({ asc: 'Smallest first.', desc: 'Largest first.' }),
});

/** One sort key: `fieldName` in dotted form. */
export const sortInput = new GraphQLInputObjectType({
  name: 'Sort',
  description: 'One sort key. The first key counts most.',
  fields: {
    fieldName: {
      type: new GraphQLNonNull(GraphQLString),
      description:
        'The dotted path of a keyword, number, date or boolean field; `_id` is the key of the document.',
    },
    order: { type: orderEnum, description: 'asc by default.' },
    mode: {
      type: modeEnum,
      description: 'Which of several values counts; by default min for asc and max for desc.',
    },
    missing: {
      type: missingEnum,
      description: 'Where documents without a value stand; by default first for asc and last for desc.',
    },
  },
});
