import type { TermsResult } from '../../engines/measure.ts';
import { kindOf, type Field } from '../../introspection/fields/field.ts';
import type { FacetMeasure } from '../../search/query.ts';
import { upperOf } from '../../search/count-bounds.ts';
import { OTHER } from '../../sqon/ast.ts';

/**
 * Of a list of a release's cells: the most that a value may have there which is no cell of its own. It may be among the
 * other values, in a pattern, or of numbers and dates in any range.
 * @returns null: not known, since not all cells were listed, or the node tells no upper bounds
 */
export const unlistedOfCells = (
  { buckets }: TermsResult,
  asked: Pick<FacetMeasure<'terms'>, 'max' | 'matching'> | null,
  { type }: Pick<Field, 'type'>,
): number | null => {
  const isCut = asked !== null && asked.max !== null && buckets.length >= asked.max;
  if (isCut || asked?.matching !== undefined) return null;
  const isRange = ['number', 'date'].includes(kindOf(type));
  return buckets
    .filter(({ key }) => isRange || key === OTHER || key.includes('*'))
    .map(upperOf)
    .reduce((most, upper) => (most === null || upper === null ? null : Math.max(most, upper)), 0);
};
