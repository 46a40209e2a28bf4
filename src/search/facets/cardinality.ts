import { GraphQLBoolean, GraphQLInt, GraphQLObjectType } from 'graphql';
import { z } from 'zod';
import { allBelow, type SelectedField } from '../../lib/graphql/execution.ts';
import { described } from '../../lib/graphql/scalars.ts';
import type { FieldKind } from '../../introspection/fields/field.ts';
import { countBetween, exactly, isExact, lowerOf, sumUnlessNull, upperOf, type Count } from '../count.ts';
import {
  cardinalityRange,
  type BucketAnswer,
  type CardinalityAnswer,
  type TermsAnswer,
} from '../nodes-answer.ts';
import type { FacetMeasure } from '../query.ts';
import { OTHER } from '../../sqon/ast.ts';
import { answerOf, byName, countFits, fixed, responseField } from './row/answer-shape.ts';
import { sent, type MeasureRow, type MergePart, type Reading, type ValueMap } from './row/measure-row.ts';
import { checked, count, readTerms } from './row/wire.ts';
import { unavailableKey } from './terms/merge-terms.ts';

const lower = 'The least number of values there can be.';
const upper = 'The greatest number of values there can be; null if unknown.';
const exact = 'Whether cardinality is exact: both bounds are the number itself.';

const boundsType = new GraphQLObjectType({
  name: 'CardinalityBounds',
  description: 'Bounds on the number of distinct values: the nodes of a network may share some.',
  fields: {
    lower: responseField(GraphQLInt, lower),
    upper: responseField(GraphQLInt, upper),
    exact: responseField(GraphQLBoolean, exact),
  },
});

/** The field that says how far the number can be trusted. */
export const boundsField = 'cardinality_bounds';

const fields = {
  cardinality: {
    type: GraphQLInt,
    description:
      'How many distinct values there are, `__missing__` not counted: exact if cardinality_bounds is. null where nodes of a network may share values that they do not all list.',
    args: {
      precision_threshold: described(GraphQLInt, 'Accepted for existing clients; nodes of theirs use it.'),
    },
  },
  [boundsField]: {
    type: boundsType,
    description:
      'Bounds on the number of distinct values. In a network from that of the largest node to the sum of all; a search server is within 1 % beyond 1 000 values.',
  },
};

/** The number of distinct values of a field. */
export const cardinality: MeasureRow<'cardinality'> = {
  fields: { values: fields, numbers: fields },
  select: (_selected, { info, addRequest }) => {
    const request = addRequest({ kind: 'cardinality' });
    return (field) => {
      if (field.name === 'cardinality') return (answers) => answerOf(answers, request, 'cardinality').value;
      const shape = byName<CardinalityAnswer>(allBelow(info, field), boundOf);
      return (answers) => shape(answerOf(answers, request, 'cardinality'));
    };
  },
  toEngine: (measure) => measure,
  fitsTypes: (answer) => countFits(cardinalityRange(answer)),
  toNode: sent,
  isOfCells: () => false,
  remoteField: 'cardinality',
  print: () => 'cardinality',
  read: (value, reading) => {
    const sentBounds = boundsForm.safeParse(reading.facet[boundsField]).data ?? null;
    const bounds = sentBounds && countBetween(sentBounds.lower, sentBounds.upper);
    if (value === null)
      return bounds === null ? uncounted(reading) : { kind: 'cardinality', value, exact: false, bounds };
    const number = checked(count, value, reading.field);
    // the established server approximates every number but 0, and its answer does not say so
    if (number === 0 || (sentBounds?.exact === true && exactly(bounds) === number))
      return { kind: 'cardinality', value: number, exact: true };
    return { kind: 'cardinality', value: number, exact: false, ...(bounds !== null && { bounds }) };
  },
  merge: (parts, { isWhole, list }) => {
    const counted = parts.flatMap(({ result, values }) => (result === null ? [] : [{ result, values }]));
    return mergeCardinality(counted, list(), isWhole());
  },
};

/** A list of values that nodes are queried for beside their number, which cannot be added up; null for fields without. */
export const listBeside = (kind: FieldKind): FacetMeasure<'terms'> | null =>
  kind === 'number' || kind === 'date'
    ? null
    : { kind: 'terms', max: maxCounted, distinct: false, counting: true };

/** Why several nodes together have no number of values, safe to show; null if they have one. */
export const cardinalityWarning = (answer: CardinalityAnswer, path: string): string | null =>
  answer.value === null
    ? `the cardinality of "${path}" has bounds only: ${whyBounds(cardinalityRange(answer))}`
    : null;

/** The most values of a field that are listed when only their number is requested: up to there it is exact. */
const maxCounted = 1_000;

/** A field of the bounds. */
const boundOf = (field: SelectedField): ((answer: CardinalityAnswer) => unknown) => {
  switch (field.name) {
    case 'lower':
      return (answer) => lowerOf(cardinalityRange(answer));
    case 'upper':
      return (answer) => upperOf(cardinalityRange(answer));
    case 'exact':
      return (answer) => answer.exact;
    default:
      return fixed(field);
  }
};

const whyBounds = (range: Count): string =>
  upperOf(range) === null ? 'some node cannot count its values' : 'its nodes may share values';

/** How one of our nodes bounds its own number. */
const boundsForm = z
  .object({ lower: count, upper: count.nullable(), exact: z.boolean() })
  .refine((bounds) => bounds.upper === null || bounds.lower <= bounds.upper);

/** The established server drops the distinct count beside a value list: a complete list provides it. */
const uncounted = ({ list, field, includeMissing }: Reading<'cardinality'>): CardinalityAnswer => {
  const values = list();
  const listed = values && readTerms(values.value, field, includeMissing).buckets.length;
  const isWhole =
    values !== null && listed !== null && (values.measure.max === null || listed < values.measure.max);
  return isWhole
    ? { kind: 'cardinality', value: listed!, exact: true }
    : { kind: 'cardinality', value: null, exact: false, bounds: { lower: listed ?? 0, upper: null } };
};

type CountedPart = Pick<MergePart<'cardinality'>, 'values'> & { readonly result: CardinalityAnswer };

/**
 * Distinct values across nodes. Exact if the bucket lists are complete, or only one node has values. Otherwise between
 * the largest node's number, as all others may repeat its values, and the sum, as they may not overlap.
 * @param terms the same field's merged buckets of every node; null when they were not requested
 * @param isWhole false when some node has values of the field that it cannot count
 */
export const mergeCardinality = (
  parts: readonly CountedPart[],
  terms: TermsAnswer | null,
  isWhole = true,
): CardinalityAnswer => {
  const listed = (terms?.buckets ?? []).filter(isSurelyValue).length;
  if (terms !== null && terms.complete !== false && isWhole)
    return { kind: 'cardinality', value: listed, exact: true };
  const ranges = parts.map(rangeAt);
  const least = Math.max(listed, ...ranges.map(lowerOf));
  const sum = isWhole ? sumUnlessNull(ranges.map(upperOf)) : null;
  const most = sum === null ? null : Math.max(least, sum);
  if (least === most && parts.every(({ result }) => result.exact))
    return { kind: 'cardinality', value: least, exact: true };
  const withValues = parts.filter((_, at) => upperOf(ranges[at]!) !== 0);
  // where only one node has values, none is counted twice
  const only = isWhole && withValues.length === 1 && withValues[0]!.values === null ? withValues[0]! : null;
  return {
    kind: 'cardinality',
    value: only?.result.value ?? null,
    exact: false,
    bounds: countBetween(least, most),
  };
};

/** At a node that discloses intervals, a bucket may be empty, or contain values that others list. */
const isSurelyValue = ({ key, count: documents }: BucketAnswer): boolean =>
  key !== unavailableKey &&
  (isExact(documents) || (lowerOf(documents) > 0 && key !== OTHER && !key.endsWith('*')));

/** How many values one node has, as the network shows them. */
const rangeAt = ({ result, values }: CountedPart): Count => {
  const range = cardinalityRange(result);
  return values === null ? range : countBetween(minDistinct(lowerOf(range), values), upperOf(range));
};

/** Several values of a node may be shown as one of the network. */
const minDistinct = (value: number, values: ValueMap): number => {
  const networkValues = new Set(values.listed.values());
  const folded = [...networkValues].reduce((sum, value) => sum + values.toNode(value).length - 1, 0);
  return Math.max(Math.min(value, 1), value - folded);
};
