import { GraphQLBoolean, GraphQLInt } from 'graphql';
import type { boundsFields } from '../hits/total-fields.ts';

/** How far a total can be trusted, beside it. */
export const totalBoundsFields = {
  upper_bound: {
    type: GraphQLInt,
    description: 'How many match at most: the total, where it is exact; null where it is not known.',
  },
  exists: {
    type: GraphQLBoolean,
    description: 'Whether anything matches; null where that is not known.',
  },
  exact: { type: GraphQLBoolean, description: 'Whether the total is exact.' },
  estimate: {
    type: GraphQLInt,
    description: 'About how many match, where the total is not exact: never a count.',
  },
} as const satisfies Readonly<Record<(typeof boundsFields)[number], object>>;
