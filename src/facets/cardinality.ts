import { described } from '../graphql/scalars.ts';
import { GraphQLBoolean, GraphQLInt, GraphQLObjectType } from 'graphql';
import type { CardinalityResult } from '../engines/measure.ts';
import { allBelow, type SelectedField } from '../graphql/execution.ts';
import { estimateOf } from './distinct/estimate.ts';
import { nodeSample, mergeCardinality, type CardinalityPart } from './distinct/merge-cardinality.ts';
import { isJsonObject } from '../json/json.ts';
import type { CardinalityAnswer, CardinalityBounds, FacetAnswer } from '../search/nodes-answer.ts';
import { answerOf, byProperty, isInt, responseField } from './row/answer-shape.ts';
import type { SelectionContext, FacetAnswers, MeasureRow, Reading, Show } from './row/measure-row.ts';
import { checked, count, readTerms } from './row/wire.ts';

const lower = 'The least number of values there can be.';
const upper = 'The greatest number of values there can be; null if unknown.';
const exact = 'Whether both are the same.';
const certainty = 'Where values are sampled, 99.7 % of the bounds hold.';

const boundsType = new GraphQLObjectType({
  name: 'CardinalityBounds',
  description: `Bounds on the number of distinct values: the nodes of a network may share some. ${certainty}`,
  fields: {
    lower: responseField(GraphQLInt, lower),
    upper: responseField(GraphQLInt, upper),
    exact: responseField(GraphQLBoolean, exact),
  },
});

const bounds = 'Bounds on the number of distinct values.';

const fields = {
  cardinality: {
    type: GraphQLInt,
    description:
      'How many distinct values there are, `__missing__` not counted, those of several nodes counted once: an estimate unless cardinality_bounds is exact. null when some node of a network can only be counted by itself.',
    args: {
      precision_threshold: described(GraphQLInt, 'Accepted for existing clients; nodes of theirs use it.'),
    },
  },
  cardinality_bounds: { type: boundsType, description: bounds },
};

/** The number of distinct values of a field. */
export const cardinality: MeasureRow<'cardinality'> = {
  fields: { values: fields, numbers: fields },
  select: (selected, context) => selectCardinality(selected, context),
  toEngine: (measure) => measure,
  fitsTypes: ({ value, merged }) => isInt(value) && isInt(merged?.upper ?? 0),
  toNode: (measure) => measure,
  // counts of nodes cannot be added up, samples and complete lists of values can
  beside: ({ kind }) => [
    { kind: 'distinct_sample', optional: true },
    ...(kind === 'number' || kind === 'date'
      ? []
      : [{ kind: 'terms', max: maxCounted, unsampled: true } as const]),
  ],
  isOfCells: () => false,
  remoteField: 'cardinality',
  remoteBounds: { field: 'cardinality_bounds', selection: '{ lower upper exact }' },
  print: () => 'cardinality',
  read: (value, reading) => {
    if (value === null) return uncounted(reading);
    const number = checked(count, value, reading.field);
    // the established server approximates every number but 0, and its answer does not say so
    return { kind: 'cardinality', value: number, exact: number === 0 || isExactly(number, reading.bounds) };
  },
  merge: (parts, { isWhole, list, parts: others, field }) => {
    const [sampled, listed] = [others?.('distinct_sample') ?? [], others?.('terms') ?? []];
    const counted = parts.flatMap(({ nodeId, result, values }): readonly CardinalityPart[] => {
      if (result === null) return [];
      const of = <One extends { readonly nodeId: string }>(all: readonly One[]): One | undefined =>
        all.find((one) => one.nodeId === nodeId);
      return [{ nodeId, result, values, sample: nodeSample(of(sampled), of(listed), field) }];
    });
    const merged = mergeCardinality(counted, list(), isWhole());
    return { kind: 'cardinality', value: merged.lower, exact: merged.exact, merged };
  },
  warnings: ({ merged }, { path }) =>
    merged === undefined || merged.exact || merged.estimate !== undefined
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
  { info, addRequest }: SelectionContext,
): ((field: SelectedField) => Show) => {
  const request = addRequest({ kind: 'cardinality' });
  const isBounded = selected.some(({ name }) => name === 'cardinality_bounds');
  const sampled = isBounded ? addRequest({ kind: 'distinct_sample', optional: true }) : null;
  const found = (answers: FacetAnswers) =>
    boundsOf(
      answerOf(answers, request, 'cardinality'),
      sampled === null ? null : answerOf(answers, sampled, 'distinct_sample'),
    );
  return (field) => {
    if (field.name === 'cardinality') return (answers) => found(answers).value;
    const shape = byProperty<ReturnType<typeof found>>(allBelow(info, field));
    return (answers) => shape(found(answers));
  };
};

/** How far the estimate of a search server is off at most: five times its standard error at the requested threshold. */
const estimateError = 0.01;

const boundsOf = (
  { value, exact: isExact, bounds: known, open, merged }: CardinalityAnswer,
  sampled: FacetAnswer<'distinct_sample'> | null,
): { readonly value: number | null } & Pick<CardinalityBounds, 'lower' | 'upper' | 'exact'> => {
  // bounds in place of the number would be mistaken for it
  if (merged) return { ...merged, value: merged.exact ? merged.lower : (merged.estimate ?? null) };
  if (isExact) return { value, lower: value, upper: value, exact: true };
  if (known) return { value, ...known, exact: false };
  if (sampled?.sample) return estimateOf([sampled.sample]);
  const most = open ? null : Math.ceil(value * (1 + estimateError));
  return { value, lower: Math.floor(value * (1 - estimateError)), upper: most, exact: false };
};

/** The most values of a field that are listed when only their number is requested: up to there it is exact. */
const maxCounted = 1_000;

/** Whether a node reports its own number as exact. */
const isExactly = (number: number, bounds: unknown): boolean =>
  isJsonObject(bounds) &&
  bounds['exact'] === true &&
  bounds['lower'] === number &&
  bounds['upper'] === number;

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
