import { GraphQLBoolean, GraphQLInt, GraphQLList, GraphQLObjectType, GraphQLString } from 'graphql';
import { keyContains, foldedMatching } from '../../lib/text/text-comparison.ts';
import type { Field } from '../../introspection/fields/field.ts';
import { bucketFits, countFits, isInt, responseField } from './row/answer-shape.ts';
import {
  sent,
  type QueriedNode,
  type MeasureRow,
  type MergePart,
  type EngineContext,
} from './row/measure-row.ts';
import { mergeTerms, unavailableKey, type TermsPart } from './terms/merge-terms.ts';
import { matchingArgument, selectTerms } from './terms/terms-selection.ts';
import { printTerms, readTerms } from './row/wire.ts';
import type { Measure } from '../../engines/measure.ts';
import { TributaryError } from '../../lib/errors/errors.ts';
import type { FacetMeasure } from '../query.ts';
import { compileSqon } from '../../sqon/compile.ts';
import type { TermsAnswer } from '../nodes-answer.ts';
import { jsonScalar, described } from '../../lib/graphql/scalars.ts';

/** The `max` argument of a list of buckets. */
const maxArgument = described(
  GraphQLInt,
  'The most buckets to return, not counting `__missing__`; all by default.',
);

/** The GraphQL type of the part of one node. */
export const nodeCountType = new GraphQLObjectType({
  name: 'NodeCount',
  description: 'The part of one node in a bucket. A catalogue that is not a network is its only node.',
  fields: {
    nodeId: responseField(GraphQLString, 'The id of the node.'),
    doc_count: responseField(GraphQLInt, 'How many of its documents have the value.'),
  },
});

/** The GraphQL type of a bucket, the same for every measure that has buckets. */
const bucketType = new GraphQLObjectType({
  name: 'Bucket',
  description: 'One value of a field, or one interval or range, and how much falls into it.',
  fields: {
    doc_count: responseField(
      GraphQLInt,
      'How many documents have the value; of histograms and ranges, how many values fall into it. In a network, how many have it at least.',
    ),
    key: responseField(GraphQLString, 'The value as text; `__missing__` stands for documents without one.'),
    key_as_string: responseField(
      GraphQLString,
      '"true" or "false" of a boolean, whose keys are 1 and 0; the start of an interval of the calendar, ISO 8601; null otherwise.',
    ),
    top_hits: responseField(
      jsonScalar,
      'The first document of the bucket, or the first nested object of a nested field.',
      {
        _source: described(
          new GraphQLList(GraphQLString),
          'The dotted paths to show; everything by default.',
        ),
        size: { type: GraphQLInt, description: 'Accepted for existing clients: one document is shown.' },
      },
    ),
    filter_by_term: responseField(
      jsonScalar,
      '`{doc_count}`: how many documents of the bucket match a filter.',
      {
        filter: { type: jsonScalar, description: 'A SQON filter.' },
      },
    ),
    lower_bound: responseField(GraphQLInt, 'The same as doc_count: the sum over the nodes that listed it.'),
    upper_bound: responseField(GraphQLInt, 'How many there are at most, whatever nodes did not list.'),
    exists: responseField(GraphQLBoolean, 'Whether there are any; null where that is not known.'),
    exact: responseField(GraphQLBoolean, 'Whether both bounds are the same.'),
    estimate: responseField(
      GraphQLInt,
      'About how many there are, where doc_count is not exact: never a count.',
    ),
    nodes: responseField(new GraphQLList(nodeCountType), 'Which node has how many.'),
  },
});

/** The distinct values of a field and the number of documents with each: `buckets` and `bucket_count`. */
export const terms: MeasureRow<'terms'> = {
  fields: {
    values: {
      bucket_count: described(
        GraphQLInt,
        'How many distinct values there are, `__missing__` included, whatever max cuts off; null for histograms and ranges.',
      ),
      buckets: {
        type: new GraphQLList(bucketType),
        description:
          'Largest count first, then by key; `__missing__` last. Histograms and ranges keep their own order.',
        args: { max: maxArgument, matching: matchingArgument },
      },
      bucket_count_exact: described(
        GraphQLBoolean,
        'Whether bucket_count is exact: false where a node of a network did not list all it has.',
      ),
      unlisted_upper_bound: described(
        GraphQLInt,
        'How many documents a value that is not listed has at most.',
      ),
    },
  },
  select: selectTerms,
  toEngine: (measure, context) => engineTerms(measure, context),
  // the bucket for missing values adds one
  fitsTypes: ({ distinct, missing, buckets, unlistedUpperBound = 0 }) =>
    isInt(distinct + 1) && countFits(missing) && isInt(unlistedUpperBound ?? 0) && buckets.every(bucketFits),
  toNode: (measure, node) => {
    const { max, distinct, matching, listed, topHits, filters } = measure;
    const isMatched = matching !== undefined && canMatch(matching, node);
    const request = sent({
      kind: 'terms',
      // otherwise matched here, which takes the whole list
      max: matching === undefined || isMatched ? requestedBuckets(listed === false ? null : max) : null,
      ...(distinct === false && { distinct }),
      ...(isMatched && { matching }),
      ...(topHits && { topHits: { ...topHits, source: ownPaths(topHits.source, node) } }),
      ...(filters && { filters: filters.map((filter) => node.filterOf(filter)) }),
    });
    if (matching === undefined || node.dialect === 'tributary') return request;
    return { ...request, shortcoming: 'cannot filter values by a text: all of its values are requested' };
  },
  isOfCells: ({ counting, topHits, filters = [] }) =>
    counting !== true && topHits === undefined && filters.length === 0,
  remoteField: 'buckets',
  print: printTerms,
  read: (value, { field, includeMissing, measure }) => readTerms(value, field, includeMissing, measure),
  merge: (parts, { measure, isParted, signal }) => mergeTerms(termsParts(parts, measure), isParted, signal),
};

/** The lists of nodes that are merged as one list of a field's values. */
export const termsParts = (
  parts: readonly MergePart<'terms'>[],
  { matching }: Pick<FacetMeasure<'terms'>, 'matching'>,
): readonly TermsPart[] =>
  matching === undefined
    ? parts.map(termsPart)
    : parts.flatMap((part) => (part.result ? [matchingPart(termsPart(part), matching)] : []));

/**
 * How many buckets to request from a node for a number of buckets in the network: more than will be shown, so that few of
 * the shown counts are inexact.
 */
const requestedBuckets = (max: number | null): number | null =>
  max === null ? null : Math.ceil(1.5 * max) + 10;

/** Values are matched as shown: a node can do this if its listed values are shown unchanged. */
const canMatch = (matching: string, { values, dialect }: QueriedNode): boolean => {
  const contains = keyContains(matching);
  const isAlike = ([nodeValue, networkValue]: readonly [string, string]): boolean =>
    contains(nodeValue) === contains(networkValue);
  const isShown = values === null || [...values.listed].every(isAlike);
  return dialect === 'tributary' && isShown;
};

const ownPaths = (paths: readonly string[] | null, { pathOf }: QueriedNode): readonly string[] | null =>
  paths && paths.flatMap((path) => pathOf(path) ?? []);

const termsPart = ({
  nodeId,
  requested,
  result,
  values,
  matches,
  documentOf,
}: MergePart<'terms'>): TermsPart => {
  if (result) return { nodeId, result, requested: requested?.max ?? null, values, documentOf };
  const invented: TermsAnswer =
    matches === null
      ? { ...noValues, missing: { lower: 0, upper: null }, unlistedUpperBound: null }
      : { ...noValues, buckets: [{ key: unavailableKey, count: matches }], distinct: 1 };
  return { nodeId, result: invented, requested: null, values: null };
};

const noValues = { kind: 'terms', buckets: [], missing: 0, distinct: 0 } as const;

/** A node's listed values shown as a match. A node that matches by itself lists no others, but reports how many there are. */
const matchingPart = (part: TermsPart, matching: string): TermsPart => {
  const contains = keyContains(matching);
  const { values, result } = part;
  const buckets = result.buckets.filter(({ key }) => contains(values ? values.toNetwork(key) : key));
  const distinct = part.requested === null ? buckets.length : result.distinct;
  return { ...part, result: { ...result, buckets, distinct, missing: 0 } };
};

/** @throws TributaryError BAD_USER_INPUT for a max below 1, or a filter that cannot be compiled */
const engineTerms = (
  { max, matching: text, distinct, topHits, filters }: FacetMeasure<'terms'>,
  { field, fields, nestingPrefix, includeMissing }: EngineContext,
): Measure<'terms'> => {
  if (max !== null && max <= 0)
    throw new TributaryError(
      'BAD_USER_INPUT',
      `max of the buckets of ${field.path} must be 1 or more, not ${max}`,
    );
  const matching = text === undefined ? null : foldedMatching(text);
  const source = topHits?.source?.map((path) => topHitPath(path, field, nestingPrefix)) ?? null;
  return {
    kind: 'terms',
    size: max,
    ...(matching !== null && { matching }),
    ...(distinct === false && { distinct }),
    ...(!includeMissing && { missing: false }),
    ...(topHits && { topHits: { source, size: topHits.size } }),
    ...(filters && { filters: filters.map((filter) => compileSqon(filter, fields)) }),
  };
};

/** Clients write dotted paths of the document; the top hit of a nested facet is the nested object itself. */
const topHitPath = (path: string, field: Field, nestingPrefix: string | null): string => {
  const nestedPath = field.nestedIn.at(-1);
  if (nestedPath !== undefined)
    return path.startsWith(`${nestedPath}.`) ? path.slice(nestedPath.length + 1) : path;
  return nestingPrefix === null ? path : `${nestingPrefix}.${path}`;
};
