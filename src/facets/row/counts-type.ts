import { GraphQLInt, GraphQLList, GraphQLObjectType, GraphQLString } from 'graphql';
import type { CountedBucket } from '../../engines/measure.ts';
import type { Caller } from '../../search/query.ts';

/** The `max` argument of a list of buckets. */
export const maxArgument = {
  type: GraphQLInt,
  description: 'The most buckets to return, not counting `__missing__`; all by default.',
};

const countType = new GraphQLObjectType<CountedBucket, Caller>({
  name: 'NetworkCount',
  description: 'One interval or range and how many values of all nodes fall into it.',
  fields: {
    key: { type: GraphQLString, description: 'The lower end of an interval, or the name of a range.' },
    key_as_string: { type: GraphQLString, description: 'The start of an interval of the calendar, ISO 8601; null otherwise.', resolve: ({ keyAsString }) => keyAsString },
    doc_count: { type: GraphQLInt, description: 'How many values fall into it.', resolve: ({ count }) => count },
  },
}); // prettier-ignore

/**
 * Network buckets with the same keys at all nodes: intervals or ranges. Existing clients expect a null bucket_count.
 */
export const countsType = new GraphQLObjectType<readonly CountedBucket[], Caller>({
  name: 'NetworkCounts',
  description: 'Values by intervals or ranges.',
  fields: {
    bucket_count: { type: GraphQLInt, description: 'Always null, as at a catalogue.', resolve: () => null },
    buckets: {
      type: new GraphQLList(countType),
      description: 'In the order of the intervals, or of the ranges as they were asked for.',
      args: { max: maxArgument },
      resolve: (buckets, { max }: { readonly max?: number | null }) =>
        max == null ? buckets : buckets.slice(0, max),
    },
  },
});
