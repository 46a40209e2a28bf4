import type { Bucket, Coverage, Facet, NodePart } from '../api/answer.ts';
import type { Messages } from '../i18n/en.ts';

/** How a number that may be a range is written. */
export const countText = (
  { count, upper }: Pick<Bucket, 'count' | 'upper'>,
  number: (value: number) => string,
  t: Messages,
): string => (upper > count ? t.atLeast(number(count), number(upper)) : number(count));

/** The institutions that are in some numbers, and those that are not, by the reason. */
export interface Covered {
  readonly answered: number;
  readonly all: number;
  readonly missing: readonly { readonly state: Coverage['state']; readonly nodeIds: readonly string[] }[];
}

const reasons = ['failed', 'notCovered', 'withheld', 'excluded'] as const;

/** null where there is only one source. */
export const coveredBy = (coverage: readonly Coverage[] | null): Covered | null => {
  if (coverage === null) return null;
  return {
    answered: coverage.filter(({ state }) => state === 'answered').length,
    all: coverage.length,
    missing: reasons
      .map((state) => ({
        state,
        nodeIds: coverage.filter((each) => each.state === state).map(({ nodeId }) => nodeId),
      }))
      .filter(({ nodeIds }) => nodeIds.length > 0),
  };
};

/** How many records the institutions have that a facet is about: what shares are shares of. */
export const coveredRecords = ({ coverage }: Facet, total: number | null): number | null =>
  coverage === null
    ? total
    : coverage.reduce((sum, { state, docs }) => sum + (state === 'answered' ? (docs ?? 0) : 0), 0);

/** Whether anybody's numbers are in it: without, there is no zero either. */
export const isKnown = ({ coverage }: Pick<Facet, 'coverage'>): boolean =>
  coverage === null || coverage.some(({ state }) => state === 'answered');

export const hasAnswered = ({ hits, state }: NodePart): boolean =>
  hits !== null && (state === 'ok' || state === 'failing');
export const wasAsked = ({ state }: NodePart): boolean => state !== 'excluded';
