import { MISSING, OTHER } from '../../../src/sqon/ast.ts';
import type { Bucket, Coverage, Facet, NodePart, Overview } from '../api/answer.ts';
import type { Catalogue } from '../api/catalogue.ts';
import type { Messages } from '../i18n/en.ts';

/** The text of a number that may be a range; an estimate within it is no count. */
export const countText = (
  { count, upper }: Pick<Bucket, 'count' | 'upper'>,
  number: (value: number) => string,
  t: Messages,
): string => {
  if (upper <= count) return number(count);
  if (upper === Infinity) return t.noLess(number(count));
  return t.atLeast(number(count), number(upper));
};

/** The form with two numbers, if there is no space for words. */
export const narrowCountText = (
  { count, upper }: Pick<Bucket, 'count' | 'upper'>,
  number: (value: number) => string,
): string => {
  if (upper <= count) return number(count);
  return upper === Infinity ? `≥ ${number(count)}` : `${number(count)}–${number(upper)}`;
};

/**
 * Whether a condition can mean exactly this value: values that a release counts together have no names, and a filter on
 * them would match only by a meaningless bound.
 */
export const canBeChosen = ({ key, count, upper, estimate = null }: Bucket): boolean =>
  key !== OTHER || (upper === count && estimate === null);

/** Why numbers are ranges: an institution did not count values that its list lacks, or institutions disclose intervals; null if they are exact. */
export const whyRanges = (
  buckets: readonly Pick<Bucket, 'count' | 'upper' | 'estimate'>[],
): 'cut' | 'intervals' | null => {
  const ranges = buckets.filter(({ count, upper }) => upper > count);
  if (ranges.length === 0) return null;
  return ranges.some(({ upper, estimate = null }) => estimate !== null || upper === Infinity)
    ? 'intervals'
    : 'cut';
};

/** How many of the counted records can be shown and downloaded. */
export const shownRecords = ({ total, nodes }: Pick<Overview, 'total' | 'nodes'>): number | null =>
  total === null
    ? null
    : nodes.reduce((left, { disclosure, hits }) => (disclosure === null ? left : left - (hits ?? 0)), total);

/** The name of an institution's state; a state of a newer server, unknown to these pages, keeps its identifier. */
export const stateText = (state: string, { states }: Messages): string =>
  (states as Readonly<Record<string, string>>)[state] ?? state;

/** How far a number is drawn: not to an unknown upper bound. */
export const drawnUpper = ({ count, upper }: Pick<Bucket, 'count' | 'upper'>): number =>
  upper === Infinity ? count : upper;

/** The institutions included in some numbers, and those that are not, by reason. */
export interface Covered {
  readonly answered: number;
  readonly all: number;
  readonly missing: readonly {
    readonly state: (typeof reasons)[number];
    readonly nodeIds: readonly string[];
  }[];
}

/** By weight: pending institutions may still answer, failed ones next time, withholding ones have answered. */
const reasons = [
  'pending',
  'failed',
  'withheld',
  'notCovered',
  'unfiltered',
  'excluded',
  'incomplete',
] as const;

/** null if there is only one source. */
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

/** The part of each institution in numbers from several answers: a reason that excludes it from any excludes it from all. */
export const coverageOfAll = (
  coverages: readonly (readonly Coverage[] | null | undefined)[],
): readonly Coverage[] | null => {
  const all = coverages.flatMap((each) => each ?? []);
  if (all.length === 0) return null;
  const weight = ({ state }: Coverage): number =>
    state === 'answered' ? reasons.length : reasons.indexOf(state);
  const worst = new Map<string, Coverage>();
  for (const each of all) {
    const before = worst.get(each.nodeId);
    if (before === undefined || weight(each) < weight(before)) worst.set(each.nodeId, each);
  }
  return [...worst.values()];
};

/** The coverage of a total; null if there is only one source. */
export const coverageOfTotal = (
  { nodes }: Pick<Overview, 'nodes'>,
  { source }: Pick<Catalogue, 'source'>,
): readonly Coverage[] | null =>
  source.kind === 'network'
    ? nodes.map((node) => ({
        nodeId: node.nodeId,
        state: hasAnswered(node)
          ? node.lack.decides
            ? 'unfiltered'
            : isIncomplete(node)
              ? 'incomplete'
              : 'answered'
          : node.state === 'pending'
            ? 'pending'
            : !wasQueried(node)
              ? 'excluded'
              : node.disclosure !== null && node.state === 'ok'
                ? 'withheld'
                : 'failed',
        docs: null,
      }))
    : null;

/** The number of records of the institutions in a facet, which shares refer to; null: unknown. */
export const coveredRecords = ({ coverage }: Facet, total: number | null): number | null =>
  coverage === null
    ? total
    : coverage.some((each) => isIncluded(each) && each.docs === null)
      ? null
      : coverage.reduce((sum, each) => sum + (isIncluded(each) ? (each.docs ?? 0) : 0), 0);

const isIncluded = ({ state }: Coverage): boolean => state === 'answered' || state === 'incomplete';

/** Whether any institution's numbers are included: without them there is no zero either. */
export const isKnown = ({ coverage }: Pick<Facet, 'coverage'>): boolean =>
  coverage === null || coverage.some(isIncluded);

/** The kind of empty facet; an institution's failure takes precedence, as it may be temporary. */
export const whyEmpty = ({ coverage }: Pick<Facet, 'coverage'>): 'none' | (typeof reasons)[number] =>
  isKnown({ coverage }) ? 'none' : (coveredBy(coverage)?.missing[0]?.state ?? 'none');

/** The records that a query finds without a value, as a facet would count them; null if no institution has answered. */
export const missingBucket = ({
  total: count,
  upper,
  partial,
  estimate,
  nodes,
}: Pick<Overview, 'total' | 'upper' | 'partial' | 'estimate' | 'nodes'>): Bucket | null =>
  count === null || (partial && !nodes.some(hasAnswered))
    ? null
    : { key: MISSING, label: null, count, upper: partial ? Infinity : upper, estimate, nodes: null };

/** The names of institutions whose answer is zero only because they lack a field. */
export const lackingNodes = ({ nodes }: Pick<Overview, 'nodes'>): readonly string[] =>
  nodes.filter((node) => hasAnswered(node) && node.lack.decides).map(({ name }) => name);

/** The names of institutions that are counted although they lack a field of the filter. */
export const countedWithout = ({ nodes }: Pick<Overview, 'nodes'>): readonly string[] =>
  nodes
    .filter((node) => hasAnswered(node) && !node.lack.decides && node.lack.paths.length > 0)
    .map(({ name }) => name);

/** Whether an institution is included in the numbers. */
export const hasAnswered = ({ hits, state }: NodePart): boolean =>
  hits !== null && (state === 'ok' || state === 'failing');
/** Whether it is a network that answered without some of its own institutions. */
export const isIncomplete = (node: NodePart): boolean => hasAnswered(node) && node.errors !== '';
/** Whether an institution was queried at all. */
export const wasQueried = ({ state }: NodePart): boolean => state !== 'excluded';
