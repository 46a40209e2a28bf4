import { GraphQLBoolean, GraphQLInt, GraphQLList } from 'graphql';
import { maxArgument } from './row/counts-type.ts';
import { bucketFits, isInt } from './row/fitting-values.ts';
import type { MeasureRow, MergePart } from './row/measure-row.ts';
import { bucketType } from './terms/bucket-type.ts';
import { engineTerms } from './terms/engine-terms.ts';
import { type MergedTerms, mergeTerms, type TermsPart, unavailableKey } from './terms/merge-terms.ts';
import { networkBucketType } from './terms/network-bucket-type.ts';
import { selectNetworkTerms } from './terms/network-selection.ts';
import { readTerms } from './terms/read-terms.ts';
import { selectTerms } from './terms/terms-selection.ts';

/** The distinct values of a field and how many documents have each: `buckets` and `bucket_count`. */
export const terms: MeasureRow<'terms', MergedTerms> = {
  fields: {
    values: {
      bucket_count: {
        type: GraphQLInt,
        description:
          'How many distinct values there are, `__missing__` included, whatever max cuts off; null for histograms and ranges.',
      },
      buckets: {
        type: new GraphQLList(bucketType),
        description:
          'Largest count first, then by key; `__missing__` last. Histograms and ranges keep their own order.',
        args: { max: maxArgument },
      },
    },
  },
  networkFields: {
    values: {
      bucket_count: {
        type: GraphQLInt,
        description: 'How many distinct values are known, `__missing__` included.',
      },
      bucket_count_exact: { type: GraphQLBoolean, description: 'Whether there are no others.' },
      unlisted_upper_bound: {
        type: GraphQLInt,
        description: 'How many documents a value that is not listed has at most.',
      },
      buckets: {
        type: new GraphQLList(networkBucketType),
        description: 'Largest count first, then by key; `__missing__` last.',
        args: { max: maxArgument },
      },
    },
  },
  select: selectTerms,
  toEngine: engineTerms,
  // the bucket for missing values is counted as one more
  fitsTypes: ({ distinct, missing, buckets }) =>
    isInt(distinct + 1) && isInt(missing) && buckets.every(bucketFits),
  selectNetwork: selectNetworkTerms,
  toNode: ({ max }) => ({ kind: 'terms', max: requestedBuckets(max) }),
  remoteField: 'buckets',
  print: ({ max }) => `buckets${max === null ? '' : `(max: ${max})`} { key key_as_string doc_count }`,
  read: (value, { field, includeMissing }) => readTerms(value, field, includeMissing),
  merge: (parts, { measure }) =>
    mergeTerms(parts.map((part) => termsPart(part, requestedBuckets(measure.max)))),
};

/**
 * How many buckets a node is asked for, when so many are wanted of the network: more than will be shown, so that few of
 * the shown counts stay inexact.
 */
const requestedBuckets = (max: number | null): number | null =>
  max === null ? null : Math.ceil(1.5 * max) + 10;

const termsPart = (
  { nodeId, result, values, matches }: MergePart<'terms'>,
  asked: number | null,
): TermsPart => {
  if (result) return { nodeId, result, asked, values };
  const buckets = [{ key: unavailableKey, count: matches }];
  const invented = { kind: 'terms', buckets, missing: 0, distinct: 1 } as const;
  return { nodeId, result: invented, asked: null, values: null };
};
