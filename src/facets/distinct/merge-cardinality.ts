import type { CardinalityResult, DistinctSample } from '../../engines/measure.ts';
import type { ValueMap, MergePart } from '../row/measure-row.ts';
import type { BucketAnswer, CardinalityBounds, TermsAnswer } from '../../search/nodes-answer.ts';
import { unavailableKey } from '../terms/merge-terms.ts';
import { OTHER } from '../../sqon/ast.ts';
import { estimateOf, type DistinctEstimate } from './estimate.ts';
import { sampleOfValues } from '../../engines/semantics/sample-keys.ts';
import { sampleHash } from '../../engines/semantics/sample-levels.ts';
import type { Field } from '../../introspection/fields/field.ts';

export interface CardinalityPart {
  readonly nodeId?: string;
  readonly result: CardinalityResult;
  /** Maps the node's values to the network's; null when they are the same. */
  readonly values: ValueMap | null;
  /** A sample of its values as the network shows them; null when it has none. */
  readonly sample?: DistinctSample | null;
}

/**
 * Distinct values across nodes. Exact if the bucket lists are complete, or the samples are; an estimate if all nodes
 * have samples of one kind, or only one node has values. Otherwise between the largest node's number, as all others may
 * repeat its values, and the sum, as they may not overlap; nodes with samples count as one then.
 * @param terms the same field's merged buckets, if they were requested too, of every node
 * @param isWhole false when some node has values of the field that it cannot count
 */
export const mergeCardinality = (
  parts: readonly CardinalityPart[],
  terms: TermsAnswer | null,
  isWhole = true,
): CardinalityBounds => {
  const listed = (terms?.buckets ?? []).filter(isSurelyValue).length;
  if (terms !== null && terms.complete !== false && isWhole)
    return { lower: listed, upper: listed, exact: true };
  const counts = parts.map(countOf);
  const groups = sampledGroups(parts);
  const lower = Math.max(listed, ...counts.map(({ least }) => least), ...groups.map((one) => one.lower));
  const unsampled = parts.flatMap(({ nodeId, sample }) => (sample || nodeId === undefined ? [] : [nodeId]));
  const reported = unsampled.length > 0 ? { unsampled } : {};
  if (!isWhole || parts.some(({ result, sample }) => result.open && !sample))
    return { lower, upper: null, exact: false, ...reported };
  const upper = Math.max(lower, sumOf(parts, counts, groups));
  const [group] = groups;
  if (groups.length === 1 && group!.nodes === parts.length)
    return {
      lower,
      upper,
      exact: group!.exact || (lower === upper && counts.every(({ exact }) => exact)),
      estimate: Math.min(upper, Math.max(lower, group!.value)),
    };
  if (lower < upper) return { lower, upper, exact: false, ...reported };
  if (counts.every(({ exact }) => exact)) return { lower, upper, exact: true };
  // at most one node has values: none is counted twice, and that node's estimate is the network's
  return { lower, upper, exact: false, estimate: lower };
};

/** At a node that discloses intervals, a bucket may be empty, or contain values that others list. */
const isSurelyValue = ({ key, count, upperBound }: BucketAnswer): boolean =>
  key !== unavailableKey &&
  (upperBound === undefined || upperBound === count || (count > 0 && key !== OTHER && !key.endsWith('*')));

interface NodeCount {
  readonly least: number;
  readonly most: number;
  readonly exact: boolean;
}

/** How many values one node has, as the network shows them. */
const countOf = ({ result, values, sample }: CardinalityPart): NodeCount => {
  const least = minDistinct(result.value, values);
  if (!sample) return { least, most: result.value, exact: result.exact };
  const { lower, upper, exact } = estimateOf([sample]);
  if (exact || !result.exact) return { least: lower, most: upper, exact };
  return {
    least: Math.min(result.value, Math.max(least, lower)),
    most: Math.max(least, Math.min(result.value, upper)),
    exact: values === null,
  };
};

/** Several values of a node may be shown as one of the network. */
const minDistinct = (value: number, values: ValueMap | null): number => {
  if (!values) return value;
  const shown = new Set(values.listed.values());
  const folded = [...shown].reduce((sum, one) => sum + values.toNode(one).length - 1, 0);
  return Math.max(Math.min(value, 1), value - folded);
};

interface SampledGroup extends DistinctEstimate {
  readonly hash: DistinctSample['hash'];
  readonly nodes: number;
}

/** The nodes whose samples are hashed alike, as one. */
const sampledGroups = (parts: readonly CardinalityPart[]): readonly SampledGroup[] => {
  const samples = parts.flatMap(({ sample }) => sample ?? []);
  return [...Map.groupBy(samples, ({ hash }) => hash)].map(([hash, own]) => ({
    ...estimateOf(own),
    hash,
    nodes: own.length,
  }));
};

/** The most values there can be: no group has more than its nodes together. */
const sumOf = (
  parts: readonly CardinalityPart[],
  counts: readonly NodeCount[],
  groups: readonly SampledGroup[],
): number => {
  const sumWhere = (isIn: (part: CardinalityPart) => boolean): number =>
    parts.reduce((sum, part, index) => (isIn(part) ? sum + counts[index]!.most : sum), 0);
  return groups.reduce(
    (sum, { hash, upper }) =>
      sum +
      Math.min(
        upper,
        sumWhere(({ sample }) => sample?.hash === hash),
      ),
    sumWhere(({ sample }) => !sample),
  );
};

/** The sample of a node that gives one, or else of the list of all its values; null when there is neither. */
export const nodeSample = (
  sampled: MergePart<'distinct_sample'> | undefined,
  listed: MergePart<'terms'> | undefined,
  field: Pick<Field, 'path' | 'type'>,
): DistinctSample | null => sampled?.result?.sample ?? (listed ? sampleOfList(listed, field) : null);

/** The keys of a list are texts, as shown; numbers are printed in several ways. */
const sampleOfList = (
  { requested, result, values }: MergePart<'terms'>,
  { type }: Pick<Field, 'type'>,
): DistinctSample | null => {
  if (result === null || requested === null || sampleHash({ type }) !== 'murmur3') return null;
  // a list as long as requested may have been truncated
  if (requested.max !== null && result.buckets.length >= requested.max) return null;
  return sampleOfValues(
    result.buckets.map(({ key }) => key),
    'murmur3',
    values?.listed ?? new Map(),
  );
};
