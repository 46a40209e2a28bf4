import { kindOf, type Field } from '../introspection/fields/field.ts';
import { OTHER } from '../sqon/ast.ts';
import { upperOf } from './count.ts';
import type { FacetAnswer, FailedFacet, TermsAnswer } from './nodes-answer.ts';
import type { FacetMeasure } from './query.ts';

/**
 * A facet that was counted from a release, with what it leaves open: values that are not listed may be among its cells, and
 * the count of any other interval is not known.
 */
export const releasedFacet = (
  answer: FacetAnswer | FailedFacet,
  measure: FacetMeasure,
  field: Pick<Field, 'type'>,
): FacetAnswer | FailedFacet => {
  if (answer.kind === 'terms' && measure.kind === 'terms')
    return { ...answer, unlistedUpperBound: mostUnlisted(answer, measure, field) };
  return 'buckets' in answer ? { ...answer, unlistedUpperBound: null } : answer;
};

/**
 * The highest count of a value that is not a cell itself. It may be among the other values, in a pattern, or of numbers and
 * dates in any range.
 * @returns null: not known, since not all cells were listed, or the release gives no upper bounds
 */
const mostUnlisted = (
  { buckets }: Pick<TermsAnswer, 'buckets'>,
  { max, matching }: Pick<FacetMeasure<'terms'>, 'max' | 'matching'>,
  { type }: Pick<Field, 'type'>,
): number | null => {
  if ((max !== null && buckets.length >= max) || matching !== undefined) return null;
  const isRange = ['number', 'date'].includes(kindOf(type));
  return buckets
    .filter(({ key }) => isRange || key === OTHER || key.endsWith('*'))
    .map(({ count }) => upperOf(count))
    .reduce((most, upper) => (most === null || upper === null ? null : Math.max(most, upper)), 0);
};
