import { unlistedIn, type Facet, type Overview } from '../../api/answer.ts';
import type { Catalogue, SurvivalFields } from '../../api/catalogue.ts';
import type { Field } from '../../api/fields.ts';
import { hasAnswered, coveredRecords, isKnown } from '../../look/honest.ts';
import { chiSquared, mannWhitney, type Tested } from './statistics.ts';
import { shareOf, type SharedRow } from './shared-rows.ts';

/** Why a difference is not tested. */
export type Untested = 'intervals' | 'overlap' | 'several' | 'tooMany' | 'nothing' | 'two';

/** A row with its share of each cohort; null: not known. */
export interface ComparedRow extends SharedRow {
  readonly shares: readonly ({ readonly low: number; readonly high: number } | null)[];
  /** The greatest share minus the least, for two cohorts signed as the first minus the second; null: not known exactly. */
  readonly difference: number | null;
}

/** The rows of a field with shares and differences. @param of the totals of the counts, for each cohort */
export const comparedRows = (
  rows: readonly SharedRow[],
  of: readonly (number | null)[],
): readonly ComparedRow[] =>
  rows.map((row) => {
    const shares = row.counts.map((counted, at) => shareOf(counted, of[at] ?? null));
    return { ...row, shares, difference: differenceOf(shares) };
  });

const differenceOf = (shares: ComparedRow['shares']): number | null => {
  if (shares.length < 2 || shares.some((share) => share === null || share.high > share.low)) return null;
  const lows = shares.map((share) => share!.low);
  return lows.length === 2 ? lows[0]! - lows[1]! : Math.max(...lows) - Math.min(...lows);
};

/** How much the cohorts differ in a field: its greatest difference; -1 if none is known. */
export const greatestDifference = (rows: readonly ComparedRow[]): number =>
  Math.max(-1, ...rows.map(({ difference }) => (difference === null ? -1 : Math.abs(difference))));

/** The totals that a facet's counts are shares of, for each cohort. */
export const wholesOf = (
  facets: readonly (Facet | undefined)[],
  totals: readonly (number | null)[],
): readonly (number | null)[] =>
  facets.map((facet, at) => (facet === undefined ? null : coveredRecords(facet, totals[at] ?? null)));

/** The institutions of each cohort as rows; those that did not answer have none. */
export const mixRows = (
  { nodes }: Pick<Catalogue, 'nodes'>,
  answers: readonly (Overview | undefined)[],
): readonly SharedRow[] =>
  nodes.map(({ nodeId, name }) => ({
    key: nodeId,
    label: name,
    counts: answers.map((answer) => {
      const node = answer?.nodes.find((one) => one.nodeId === nodeId);
      return node === undefined || !hasAnswered(node) || node.lack.decides
        ? null
        : { count: node.hits!, upper: node.upper };
    }),
  }));

/** Tests whether cohorts without common records differ in a field, or returns why that cannot be tested. */
export const testOf = (
  facets: readonly (Facet | undefined)[],
  of: readonly (number | null)[],
  { isShared, isNested }: { readonly isShared: boolean; readonly isNested: boolean },
): Tested | Untested => {
  const known = facets.flatMap((facet) => (facet !== undefined && isKnown(facet) ? [facet] : []));
  if (known.length < facets.length || known.length < 2) return 'nothing';
  const counts = known.flatMap((facet): readonly Counts[] => countsOf(facet));
  if (counts.some(({ count, upper }) => upper > count)) return 'intervals';
  if (isShared) return 'overlap';
  if (isNested) return 'several';
  const isCut = known.some((facet) => facet.kind === 'values' && unlistedIn(facet) > 0);
  if (isCut) return 'tooMany';
  const table = aligned(known.map((facet) => countsOf(facet)));
  const isSeveral = table.some((row, at) => row.reduce((sum, count) => sum + count, 0) > (of[at] ?? 0));
  if (isSeveral) return 'several';
  if (known.every(({ kind }) => kind === 'values')) return chiSquared(table) ?? 'nothing';
  const [one = [], other = [], ...more] = table;
  return more.length > 0 ? 'two' : (mannWhitney([one, other]) ?? 'nothing');
};

interface Counts {
  readonly key: string | number;
  readonly count: number;
  readonly upper: number;
}

const countsOf = (facet: Facet): readonly Counts[] =>
  facet.kind === 'values' ? facet.buckets : facet.bins.map(({ from, ...bin }) => ({ ...bin, key: from }));

/** Counts by common keys, ascending. */
const aligned = (lists: readonly (readonly Counts[])[]): readonly (readonly number[])[] => {
  const maps = lists.map((list) => new Map(list.map(({ key, count }) => [key, count])));
  const keys = [...new Set(maps.flatMap((map) => [...map.keys()]))];
  keys.sort((one, other) => (one < other ? -1 : 1));
  return maps.map((map) => keys.map((key) => map.get(key) ?? 0));
};

/** The greatest share of a cohort that may be outside of a branch that is passed over. */
const leastShared = 0.98;

/**
 * The terms that nearly all records of all cohorts are below, by field with a hierarchy: the levels below them are what
 * differs.
 */
export const sharedTerms = (
  answers: readonly (Overview | undefined)[],
  paths: readonly string[],
): Readonly<Record<string, string>> => {
  const known = answers.flatMap((answer) => answer ?? []);
  if (known.length < 2 || known.length < answers.length) return {};
  return Object.fromEntries(
    paths.flatMap((path) => {
      const facets = known.map(({ facets }) => facets.get(path));
      const levels = facets.flatMap((facet) =>
        facet?.kind === 'values' && facet.level !== undefined ? [facet.buckets] : [],
      );
      if (levels.length < known.length) return [];
      const common = levels[0]!.find(({ key, hasChildren }) => {
        const isAll = levels.every((buckets) => {
          const all = buckets.reduce((sum, { count }) => sum + count, 0);
          return all > 0 && (buckets.find((one) => one.key === key)?.count ?? 0) >= all * leastShared;
        });
        return isAll && hasChildren === true;
      });
      return common === undefined ? [] : [[path, common.key] as const];
    }),
  );
};

/** The row of the value that marks the event of survival; null: not one value, or not among those compared. */
export const eventOf = (
  fields: readonly { readonly field: Pick<Field, 'path'> | null; readonly rows: readonly ComparedRow[] }[],
  { event, dead }: SurvivalFields,
): ComparedRow | null =>
  dead.length === 1
    ? (fields.find(({ field }) => field?.path === event)?.rows.find(({ key }) => key === String(dead[0])) ??
      null)
    : null;
