import { GraphQLBoolean, GraphQLInt, GraphQLObjectType } from 'graphql';
import type { CardinalityResult } from '../engines/measure.ts';
import { mergedOf, resultOf } from './row/answers-of.ts';
import { isInt } from './row/fitting-values.ts';
import type { MeasureRow, MergedFacet, NetworkAsking, Reading } from './row/measure-row.ts';
import type { ValueMap } from './row/value-map.ts';
import { checked, count } from './row/wire-value.ts';
import { type MergedTerms, unavailableKey } from './terms/merge-terms.ts';
import { byMatching } from './terms/matching.ts';
import { readTerms } from './terms/read-terms.ts';

const thresholdArgument = (description: string) => ({
  precision_threshold: { type: GraphQLInt, description },
});

const boundsType = new GraphQLObjectType({
  name: 'NetworkCardinalityBounds',
  description: 'Between which numbers the number of distinct values lies: nodes may share some.',
  fields: {
    lower: { type: GraphQLInt, description: 'The least number of values there can be.' },
    upper: {
      type: GraphQLInt,
      description: 'The greatest number of values there can be; null if a node could not tell.',
    },
    exact: { type: GraphQLBoolean, description: 'Whether both are the same.' },
  },
});

const networkFields = {
  cardinality: {
    type: GraphQLInt,
    description: 'How many distinct values there are.',
    args: thresholdArgument('Accepted for existing clients; nodes of theirs use it.'),
  },
  cardinality_bounds: {
    type: boundsType,
    description: 'Between which numbers the number of distinct values lies.',
  },
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
    },
    numbers: { cardinality: { type: GraphQLInt, description: 'How many distinct values there are.' } },
  },
  networkFields: { values: networkFields, numbers: networkFields },
  select:
    (_selected, { ask }) =>
    () => {
      const request = ask({ kind: 'cardinality' });
      return (results) => resultOf(results, request, 'cardinality').value;
    },
  toEngine: (measure) => measure,
  fitsTypes: ({ value }) => isInt(value),
  selectNetwork:
    (_selected, asking) =>
    ({ name }) => {
      const request = asking.ask({ kind: 'cardinality' });
      askList(asking);
      return (facets) => {
        const bounds = mergedOf<CardinalityBounds>(facets, request, 'cardinality');
        // bounds in place of the number would be mistaken for it
        return name === 'cardinality' ? (bounds.exact ? bounds.lower : null) : bounds;
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
  merge: (parts, { isWhole, list }) => {
    const counted = parts.flatMap(({ result, values }) => (result === null ? [] : [{ result, values }]));
    return mergeCardinality(counted, listedTerms(list()), isWhole());
  },
};

/** Up to how many values a field's values are listed when only their number is requested: up to there it is exact. */
const maxCounted = 1_000;

const listFields = new Set(['buckets', 'bucket_count', 'bucket_count_exact', 'unlisted_upper_bound']);

/** Per-node counts cannot be added up, complete value lists can: if no selection requests a list, this does. */
const askList = ({ everywhere, type, ask }: NetworkAsking): void => {
  // a list of values that match a text is not complete
  const lists = byMatching(everywhere.filter(({ name }) => listFields.has(name)));
  if (type === 'values' && !lists.has(null)) ask({ kind: 'terms', max: maxCounted });
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

/** The number of distinct values: within these bounds, or exact. */
export interface CardinalityBounds {
  readonly lower: number;
  /** null when some node has values of the field that it cannot count. */
  readonly upper: number | null;
  readonly exact: boolean;
}

export interface CardinalityPart {
  readonly result: CardinalityResult;
  /** Maps the node's values to the network's; null when they are the same. */
  readonly values: ValueMap | null;
}

/**
 * Distinct values across nodes. Exact if the bucket lists are complete; otherwise between the largest node's number, as
 * all others may repeat its values, and the sum, as they may not overlap.
 * @param terms the same field's merged buckets, if they were requested too
 * @param isWhole false when some node has values of the field that it cannot count
 */
export const mergeCardinality = (
  parts: readonly CardinalityPart[],
  terms: MergedTerms | null,
  isWhole = true,
): CardinalityBounds => {
  const listed = (terms?.buckets ?? []).filter(({ key }) => key !== unavailableKey).length;
  if (terms?.complete && isWhole) return { lower: listed, upper: listed, exact: true };
  const lower = parts.reduce((largest, part) => Math.max(largest, minDistinct(part)), listed);
  if (!isWhole || parts.some(({ result }) => result.open)) return { lower, upper: null, exact: false };
  const upper = parts.reduce((sum, { result }) => sum + result.value, 0);
  return {
    lower,
    upper: Math.max(lower, upper),
    exact: lower === upper && parts.every(({ result }) => result.exact),
  };
};

/** Several values of a node may be shown as one of the network. */
const minDistinct = ({ result: { value }, values }: CardinalityPart): number => {
  if (!values) return value;
  const shown = new Set(values.listed.values());
  const folded = [...shown].reduce((sum, one) => sum + values.toNode(one).length - 1, 0);
  return Math.max(Math.min(value, 1), value - folded);
};
