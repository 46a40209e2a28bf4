import type { FacetResult, MeasureKind } from '../../engines/measure.ts';
import { TributaryError } from '../../errors/errors.ts';
import type { FacetAnswer } from '../../search/facet-answer.ts';
import type { FacetAnswers, MergePart } from './measure-row.ts';

/** The answer to a request. @throws TributaryError INTERNAL_SERVER_ERROR when it is of another kind */
export const answerOf = <Kind extends MeasureKind>(
  { facets }: Pick<FacetAnswers, 'facets'>,
  request: number,
  kind: Kind,
): FacetAnswer<Kind> => {
  const answer = facets[request];
  if (answer?.kind !== kind)
    throw new TributaryError(
      'INTERNAL_SERVER_ERROR',
      `facet ${request} was answered with ${answer?.kind ?? 'nothing'}, not ${kind}`,
    );
  return answer as FacetAnswer<Kind>;
};

/** The results of the nodes that have the field. */
export const resultsOf = <Kind extends MeasureKind>(
  parts: readonly MergePart<Kind>[],
): readonly FacetResult<Kind>[] => parts.flatMap(({ result }) => (result === null ? [] : [result]));
