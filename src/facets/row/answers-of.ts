import type { FacetResult, MeasureKind } from '../../engines/measure.ts';
import { TributaryError } from '../../errors.ts';
import type { MergedFacet, MergePart } from './measure-row.ts';

/** The answer to a request. @throws TributaryError INTERNAL_SERVER_ERROR when it is of another kind */
export const resultOf = <Kind extends MeasureKind>(
  results: readonly FacetResult[],
  request: number,
  kind: Kind,
): FacetResult<Kind> => {
  const result = results[request];
  if (result?.kind !== kind)
    throw new TributaryError(
      'INTERNAL_SERVER_ERROR',
      `facet ${request} was answered with ${result?.kind ?? 'nothing'}, not ${kind}`,
    );
  return result as FacetResult<Kind>;
};

/** The same for merged node answers. `Merged` is the type the kind's row merges them to. */
export const mergedOf = <Merged>(
  facets: readonly (MergedFacet | null)[],
  request: number,
  kind: MeasureKind,
): Merged => {
  const facet = facets[request];
  if (facet?.kind !== kind) throw new TributaryError('INTERNAL_SERVER_ERROR', `facet answer is no ${kind}`);
  return facet.merged as Merged;
};

/** The results of the nodes that have the field. */
export const resultsOf = <Kind extends MeasureKind>(
  parts: readonly MergePart<Kind>[],
): readonly FacetResult<Kind>[] => parts.flatMap(({ result }) => (result === null ? [] : [result]));
