import { GraphQLBoolean, GraphQLInt, GraphQLObjectType } from 'graphql';
import type { CardinalityResult, DistinctSampleResult, FacetResult } from '../engines/measure.ts';
import { allBelow, type SelectedField } from '../graphql/selected-fields.ts';
import { estimateOf } from './distinct/estimate.ts';
import { nodeSample } from './distinct/node-samples.ts';
import {
  type CardinalityBounds,
  type CardinalityPart,
  mergeCardinality,
} from './distinct/merge-cardinality.ts';
import { mergedOf, resultOf } from './row/answers-of.ts';
import { byName, fixed } from './row/by-name.ts';
import { isInt } from './row/fitting-values.ts';
import type { Asking, MeasureRow, MergedFacet, NetworkAsking, Reading, Show } from './row/measure-row.ts';
import { responseField } from './row/response-field.ts';
import { checked, count } from './row/wire-value.ts';
import { type MergedTerms } from './terms/merge-terms.ts';
import { byMatching } from './terms/matching.ts';
import { readTerms } from './terms/read-terms.ts';

const thresholdArgument = (description: string) => ({
  precision_threshold: { type: GraphQLInt, description },
});

const lower = 'The least number of values there can be.';
const upper = 'The greatest number of values there can be; null if that cannot be told.';
const exact = 'Whether both are the same.';
const certainty = 'Where values are sampled, 99.7 of 100 bounds hold.';

const boundsType = new GraphQLObjectType({
  name: 'CardinalityBounds',
  description: `Between which numbers the number of distinct values lies. ${certainty}`,
  fields: {
    lower: responseField(GraphQLInt, lower),
    upper: responseField(GraphQLInt, upper),
    exact: responseField(GraphQLBoolean, exact),
  },
});

const networkBoundsType = new GraphQLObjectType({
  name: 'NetworkCardinalityBounds',
  description: `Between which numbers the number of distinct values lies: nodes may share some. ${certainty}`,
  fields: {
    lower: { type: GraphQLInt, description: lower },
    upper: { type: GraphQLInt, description: upper },
    exact: { type: GraphQLBoolean, description: exact },
  },
});

const bounds = 'Between which numbers the number of distinct values lies.';

const networkFields = {
  cardinality: {
    type: GraphQLInt,
    description:
      'How many distinct values there are, those of several nodes counted once: an estimate unless cardinality_bounds is exact. null when some node can only be counted by itself.',
    args: thresholdArgument('Accepted for existing clients; nodes of theirs use it.'),
  },
  cardinality_bounds: { type: networkBoundsType, description: bounds },
};

/** The number of distinct values of a field. */
export const cardinality: MeasureRow<'cardinality', CardinalityBounds> = {
  fields: {
    values: {
      cardinality: {
        type: GraphQLInt,
        description: 'How many distinct values there are, `__missing__` not counted.',
        args: thresholdArgument('Accepted for existing clients: the number is exact in any case.'),
      },
      cardinality_bounds: { type: boundsType, description: bounds },
    },
    numbers: {
      cardinality: { type: GraphQLInt, description: 'How many distinct values there are.' },
      cardinality_bounds: { type: boundsType, description: bounds },
    },
  },
  networkFields: { values: networkFields, numbers: networkFields },
  select: (selected, asking) => selectCardinality(selected, asking),
  toEngine: (measure) => measure,
  fitsTypes: ({ value }) => isInt(value),
  selectNetwork:
    (_selected, asking) =>
    ({ name }) => {
      const request = asking.ask({ kind: 'cardinality' });
      asking.ask({ kind: 'distinct_sample', optional: true });
      askList(asking);
      return (facets) => {
        const merged = mergedOf<CardinalityBounds>(facets, request, 'cardinality');
        if (name !== 'cardinality') return merged;
        // bounds in place of the number would be mistaken for it
        return merged.exact ? merged.lower : (merged.estimate ?? null);
      };
    },
  toNode: (measure) => measure,
  remoteField: 'cardinality',
  print: () => 'cardinality',
  read: (value, reading) => {
    if (value === null) return uncounted(reading);
    const number = checked(count, value, reading.field);
    // the established server approximates every number but 0, and its answer does not say so
    return { kind: 'cardinality', value: number, exact: number === 0 };
  },
  merge: (parts, { isWhole, list, parts: others, field }) => {
    const [sampled, listed] = [others?.('distinct_sample') ?? [], others?.('terms') ?? []];
    const counted = parts.flatMap(({ nodeId, result, values }): readonly CardinalityPart[] => {
      if (result === null) return [];
      const of = <One extends { readonly nodeId: string }>(all: readonly One[]): One | undefined =>
        all.find((one) => one.nodeId === nodeId);
      return [{ nodeId, result, values, sample: nodeSample(of(sampled), of(listed), field) }];
    });
    return mergeCardinality(counted, listedTerms(list()), isWhole());
  },
  warnings: (merged, { path }) =>
    merged.exact || merged.estimate !== undefined
      ? []
      : [`the cardinality of "${path}" has bounds only: ${whyBounds(merged)}`],
};

const whyBounds = ({ upper: most, unsampled = [] }: CardinalityBounds): string => {
  if (most === null) return 'some node cannot count its values';
  const [first, ...others] = unsampled.map((id) => `"${id}"`);
  if (first === undefined) return 'its nodes hold both texts and numbers';
  return others.length === 0
    ? `node ${first} gives no sample of its values`
    : `nodes ${[first, ...others].join(', ')} give no sample of their values`;
};

/** Where bounds are selected too, the number lies between them. */
const selectCardinality = (
  selected: readonly SelectedField[],
  { info, ask }: Asking,
): ((field: SelectedField) => Show) => {
  const request = ask({ kind: 'cardinality' });
  const isBounded = selected.some(({ name }) => name === 'cardinality_bounds');
  const sampled = isBounded ? ask({ kind: 'distinct_sample' }) : null;
  const found = (results: readonly FacetResult[]) =>
    boundsOf(
      resultOf(results, request, 'cardinality'),
      sampled === null ? null : resultOf(results, sampled, 'distinct_sample'),
    );
  return (field) => {
    if (field.name === 'cardinality') return (results) => found(results).value;
    const shape = byName<ReturnType<typeof found>>(allBelow(info, field), (child) =>
      child.name === '__typename' ? fixed(child) : (one) => one[child.name as 'lower' | 'upper' | 'exact'],
    );
    return (results) => shape(found(results));
  };
};

/** How far the estimate of a search server is off at most: five times its standard error at the threshold asked for. */
const estimateError = 0.01;

const boundsOf = (
  { value, exact: isExact, bounds: known, open }: CardinalityResult,
  sampled: DistinctSampleResult | null,
) => {
  if (isExact) return { value, lower: value, upper: value, exact: true };
  if (known) return { value, ...known, exact: false };
  if (sampled?.sample) return estimateOf([sampled.sample]);
  const most = open ? null : Math.ceil(value * (1 + estimateError));
  return { value, lower: Math.floor(value * (1 - estimateError)), upper: most, exact: false };
};

/** Up to how many values a field's values are listed when only their number is requested: up to there it is exact. */
const maxCounted = 1_000;

const listFields = new Set(['buckets', 'bucket_count', 'bucket_count_exact', 'unlisted_upper_bound']);

/**
 * Per-node counts cannot be added up, samples and complete value lists can: if no selection requests a list, this does,
 * of nodes without samples.
 */
const askList = ({ everywhere, type, ask }: NetworkAsking): void => {
  // a list of values that match a text is not complete
  const lists = byMatching(everywhere.filter(({ name }) => listFields.has(name)));
  if (type === 'values' && !lists.has(null)) ask({ kind: 'terms', max: maxCounted, unsampled: true });
};

const listedTerms = (list: MergedFacet | null): MergedTerms | null =>
  list && mergedOf<MergedTerms>([list], 0, 'terms');

/** The established server drops the distinct count beside a value list: a complete list provides it. */
const uncounted = ({ list, field, includeMissing }: Reading<'cardinality'>): CardinalityResult => {
  const found = list();
  const listed = found && readTerms(found.value, field, includeMissing).buckets.length;
  const isWhole =
    found !== null && listed !== null && (found.measure.max === null || listed < found.measure.max);
  return {
    kind: 'cardinality',
    value: listed ?? 0,
    exact: isWhole,
    ...(!isWhole && { open: true as const }),
  };
};
