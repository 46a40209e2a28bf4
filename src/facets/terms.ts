import { GraphQLBoolean, GraphQLInt, GraphQLList } from 'graphql';
import { keyContains } from '../engines/semantics/matching-keys.ts';
import { sampleHash } from '../engines/semantics/theta-sample.ts';
import { maxArgument } from './row/counts-type.ts';
import { bucketFits, isInt } from './row/fitting-values.ts';
import type { AskedNode, MeasureRow, MergePart } from './row/measure-row.ts';
import { bucketType } from './terms/bucket-type.ts';
import { engineTerms } from './terms/engine-terms.ts';
import { type MergedTerms, mergeTerms, type TermsPart, unavailableKey } from './terms/merge-terms.ts';
import { matchingArgument } from './terms/matching.ts';
import { networkBucketType } from './terms/network-bucket-type.ts';
import { selectNetworkTerms } from './terms/network-selection.ts';
import { readTerms } from './terms/read-terms.ts';
import { selectTerms } from './terms/terms-selection.ts';

/** The distinct values of a field and the number of documents with each: `buckets` and `bucket_count`. */
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
        args: { max: maxArgument, matching: matchingArgument },
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
        args: { max: maxArgument, matching: matchingArgument },
      },
    },
  },
  select: selectTerms,
  toEngine: engineTerms,
  // the bucket for missing values adds one
  fitsTypes: ({ distinct, missing, buckets }) =>
    isInt(distinct + 1) && isInt(missing) && buckets.every(bucketFits),
  selectNetwork: selectNetworkTerms,
  isAsked: ({ unsampled }, { gives, field }) =>
    unsampled !== true || !gives('distinct_sample') || sampleHash(field.indexField) === null,
  toNode: ({ max, matching }, node) =>
    matching === undefined
      ? { kind: 'terms', max: requestedBuckets(max) }
      : canMatch(matching, node)
        ? { kind: 'terms', max: requestedBuckets(max), matching }
        : // matched here, of all that there is
          { kind: 'terms', max: null },
  shortcoming: ({ matching }, node) =>
    matching === undefined || node.takes('matching')
      ? null
      : 'cannot be asked for values that contain a text: all of its values are asked for',
  remoteField: 'buckets',
  print: ({ max, matching }) => {
    const args = [
      ...(max === null ? [] : [`max: ${max}`]),
      ...(matching === undefined ? [] : [`matching: ${JSON.stringify(matching)}`]),
    ].join(', ');
    return `buckets${args === '' ? '' : `(${args})`} { key key_as_string doc_count }`;
  },
  read: (value, { field, includeMissing }) => readTerms(value, field, includeMissing),
  merge: (parts, { measure: { matching } }) =>
    mergeTerms(
      parts.flatMap((part) =>
        matching === undefined
          ? [termsPart(part)]
          : part.result
            ? [matchingPart(termsPart(part), matching)]
            : [],
      ),
    ),
};

/**
 * How many buckets to request from a node for a given number in the network: more than will be shown, so that few of
 * the shown counts are inexact.
 */
const requestedBuckets = (max: number | null): number | null =>
  max === null ? null : Math.ceil(1.5 * max) + 10;

/** Values are matched as shown: a node can do this if its listed values are shown unchanged. */
const canMatch = (matching: string, { values, takes }: AskedNode): boolean => {
  const contains = keyContains(matching);
  const isAlike = ([own, shown]: readonly [string, string]): boolean => contains(own) === contains(shown);
  return takes('matching') && (values === null || [...values.listed].every(isAlike));
};

const termsPart = ({ nodeId, asked, result, values, matches }: MergePart<'terms'>): TermsPart => {
  if (result) return { nodeId, result, asked: asked?.max ?? null, values };
  const buckets = [{ key: unavailableKey, count: matches }];
  const invented = { kind: 'terms', buckets, missing: 0, distinct: 1 } as const;
  return { nodeId, result: invented, asked: null, values: null };
};

/** A node's listed values shown as a match. A node asked to match lists no others, but reports how many there are. */
const matchingPart = (part: TermsPart, matching: string): TermsPart => {
  const contains = keyContains(matching);
  const { values, result } = part;
  const buckets = result.buckets.filter(({ key }) => contains(values ? values.toNetwork(key) : key));
  const distinct = part.asked === null ? buckets.length : result.distinct;
  return { ...part, result: { ...result, buckets, distinct, missing: 0 } };
};
