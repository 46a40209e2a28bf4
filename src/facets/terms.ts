import { GraphQLBoolean, GraphQLInt, GraphQLList } from 'graphql';
import { keyContains } from '../engines/semantics/folding.ts';
import { sampleHash } from '../engines/semantics/theta-sample.ts';
import type { Field } from '../introspection/fields/field.ts';
import { bucketFits, isInt } from './row/fitting-values.ts';
import type { AskedNode, MeasureRow, MergePart } from './row/measure-row.ts';
import { bucketType, maxArgument } from './terms/bucket-type.ts';
import { engineTerms } from './terms/engine-terms.ts';
import type { TermsPart } from './terms/merge-terms.ts';
import { mergeTerms, unavailableKey } from './terms/merge-terms.ts';
import { matchingArgument } from './terms/matching.ts';
import { printTerms } from './terms/print-terms.ts';
import { readTerms } from './terms/read-terms.ts';
import { selectTerms } from './terms/terms-selection.ts';
import { unlistedOfCells } from './terms/unlisted-of-cells.ts';

/** The distinct values of a field and the number of documents with each: `buckets` and `bucket_count`. */
export const terms: MeasureRow<'terms'> = {
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
      bucket_count_exact: {
        type: GraphQLBoolean,
        description:
          'Whether bucket_count is exact: false where a node of a network did not list all it has.',
      },
      unlisted_upper_bound: {
        type: GraphQLInt,
        description: 'How many documents a value that is not listed has at most.',
      },
    },
  },
  select: selectTerms,
  toEngine: engineTerms,
  // the bucket for missing values adds one
  fitsTypes: ({ distinct, missing, buckets, unlistedUpperBound = 0 }) =>
    isInt(distinct + 1) && isInt(missing) && isInt(unlistedUpperBound ?? 0) && buckets.every(bucketFits),
  isAsked: ({ unsampled }, { gives, field }) =>
    unsampled !== true || !gives('distinct_sample') || sampleHash(field.indexField) === null,
  isCovered: ({ topHits, filters = [] }, { shows }) =>
    (topHits === undefined || shows('top_hits')) && (filters.length === 0 || shows('filter_by_term')),
  toNode: (asked, node) => {
    const { max, distinct, matching, listed, topHits, filters } = asked;
    const isMatched = matching !== undefined && canMatch(matching, node);
    return {
      kind: 'terms',
      // else matched here, of all that there is
      max: matching === undefined || isMatched ? requestedBuckets(listed === false ? null : max) : null,
      ...(distinct === false && { distinct }),
      ...(isMatched && { matching }),
      ...(topHits && { topHits: { ...topHits, source: ownPaths(topHits.source, node) } }),
      ...(filters && { filters: filters.map((filter) => node.filterOf(filter)) }),
    };
  },
  shortcoming: ({ matching }, node) =>
    matching === undefined || node.takes('matching')
      ? null
      : 'cannot filter values by a text: all of its values are requested',
  isOfCells: ({ unsampled, topHits, filters = [] }) =>
    unsampled !== true && topHits === undefined && filters.length === 0,
  remoteField: 'buckets',
  print: printTerms,
  read: (value, { field, includeMissing, measure }) => readTerms(value, field, includeMissing, measure),
  merge: (parts, { measure: { matching }, field }) =>
    mergeTerms(
      matching === undefined
        ? parts.map((part) => termsPart(part, field))
        : parts.flatMap((part) => (part.result ? [matchingPart(termsPart(part, field), matching)] : [])),
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

const ownPaths = (paths: readonly string[] | null, { pathOf }: AskedNode): readonly string[] | null =>
  paths && paths.flatMap((path) => pathOf(path) ?? []);

const termsPart = (part: MergePart<'terms'>, field: Pick<Field, 'type'>): TermsPart => {
  const { nodeId, asked, result, values, matches, documentOf } = part;
  if (result) {
    const listed = { nodeId, result, asked: asked?.max ?? null, values, documentOf };
    if ('unlistedUpperBound' in result) return { ...listed, unlisted: result.unlistedUpperBound };
    return part.withheld ? { ...listed, unlisted: unlistedOfCells(result, asked, field) } : listed;
  }
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
