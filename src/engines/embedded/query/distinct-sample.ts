import type { IndexField } from '../../../introspection/fields/field.ts';
import type { DistinctSample, DistinctSampleResult, Measure } from '../../measure.ts';
import { SampleKeys } from '../../semantics/sample-keys.ts';
import { sampleOfValues } from '../../semantics/sample-of-values.ts';
import { maxTerms, partsFor, sampleHash } from '../../semantics/theta-sample.ts';
import { pieceMask, type Checkpoint } from '../columns/checkpoint.ts';
import type { Column } from '../columns/nested-level.ts';
import type { FacetScope } from './facet-scope.ts';
import { countTerms, type TermCounts } from './terms-facet.ts';

/** Samples the values of a field over a scope. */
export const distinctSampleFacet = (
  field: IndexField,
  column: Column | undefined,
  scope: FacetScope,
  { values = [] }: Measure<'distinct_sample'>,
  checkpoint: Checkpoint,
): DistinctSampleResult => {
  const hash = sampleHash(column === undefined ? field : typeOf(column));
  if (hash === null) return { kind: 'distinct_sample', sample: null };
  const shownAs = new Map(values);
  if (column === undefined) return { kind: 'distinct_sample', sample: sampleOfValues([], hash, shownAs) };
  const counts = countTerms(column, scope, checkpoint);
  return { kind: 'distinct_sample', sample: sampleOf(column, counts, shownAs, checkpoint) };
};

const sampleOf = (
  column: Column,
  counts: TermCounts,
  shownAs: ReadonlyMap<string, string>,
  checkpoint: Checkpoint,
): DistinctSample | null => {
  const { codes } = counts;
  if (codes.length > maxTerms) return null;
  const parts = partsFor(codes.length);
  const { data } = column;
  const isText = data.kind === 'keyword';
  // integers that are shown as texts are sampled as these
  const keys = new SampleKeys(isText || shownAs.size > 0 ? 'murmur3' : 'mix64', parts);
  for (const [index, code] of codes.entries()) {
    if ((index & pieceMask) === 0) checkpoint();
    if (isText && shownAs.size === 0)
      keys.addBytes(data.table.bytes, data.table.offsets[code - 1]!, data.table.offsets[code]!);
    else keys.add(shownAs.get(counts.key(code)) ?? counts.key(code));
  }
  return keys.sample();
};

const typeOf = ({ type, property }: Column): Pick<IndexField, 'type' | 'normalized'> => ({
  type,
  ...(typeof property['normalizer'] === 'string' && { normalized: true }),
});
