import type { Lack } from './lack.ts';
import type { CoverageState } from '../../../src/search/node-states.ts';

/** The result of a query, in one form for networks and single catalogues. */
export interface Overview {
  /** The lower bound; null: no institution answered. */
  readonly total: number | null;
  /** The upper bound; Infinity where unknown. */
  readonly upper: number;
  /** An estimate, never a count. */
  readonly estimate: number | null;
  readonly partial: boolean;
  readonly nodes: readonly NodePart[];
  readonly facets: ReadonlyMap<string, Facet>;
  /** The facets of numbers and dates are still being fetched. */
  readonly areRangesAwaited?: boolean;
}

/** Whether some institution may still answer: until then none is missing, and no zero is final. */
export const isGrowing = ({ nodes }: Pick<Overview, 'nodes'>): boolean =>
  nodes.some(({ state }) => state === 'pending');

/** The part of one institution in an answer. */
export interface NodePart {
  readonly nodeId: string;
  readonly name: string;
  /** null: the institution did not answer, or was not queried. */
  readonly hits: number | null;
  /** The upper bound. */
  readonly upper: number;
  /** Set if it shows no records to this visitor; null: it shows them. */
  readonly disclosure: Disclosure | null;
  /** `ok`, `excluded`, or why it could not answer. */
  readonly state: string;
  /** Why it could not answer, or what its answer lacks; '' if nothing. */
  readonly errors: string;
  readonly tookMs: number | null;
  /** When its records were last written or deleted, in ISO 8601; null or unset: not known. */
  readonly lastUpdated?: string | null;
  /** The part of the filter that it lacks fields for. */
  readonly lack: Lack;
}

/** An institution's statement about counts that it discloses as intervals. */
export interface Disclosure {
  readonly tier: 'boolean' | 'counts';
  readonly threshold: number;
  /** The day of the release; null before the first release. */
  readonly date: string | null;
  /** About how many changes it holds back; unset: none. */
  readonly waits?: number | undefined;
}

export type Facet = ValuesFacet | RangesFacet;

interface AnyFacet {
  readonly path: string;
  /** The part of each institution in these numbers; null: there is only one institution. */
  readonly coverage: readonly Coverage[] | null;
  /** Why no institution could compute it; unset: some could. */
  readonly reason?: string;
}

export interface ValuesFacet extends AnyFacet {
  readonly kind: 'values';
  readonly buckets: readonly Bucket[];
  /** Values that were counted by name, listed or not; unset: none. */
  readonly also?: readonly Bucket[];
  /** Records without a value. */
  readonly missing: Bucket | null;
  readonly bucketCount: number;
  readonly isCountExact: boolean;
  /** The maximum number of records of a value that is not listed. */
  readonly unlistedUpper: number;
  /** The buckets are the children of a term in a hierarchy, each including its descendants; unset: they are values. */
  readonly level?: { readonly hasMore: boolean };
}

/** How often a value occurs: where it is neither listed nor counted, at most as often as any that is not listed. */
export const countIn = (
  { buckets, also = [], unlistedUpper }: ValuesFacet,
  key: string,
): Pick<Bucket, 'count' | 'upper' | 'estimate'> =>
  [...buckets, ...also].find((bucket) => bucket.key === key) ?? { count: 0, upper: unlistedUpper };

/** Those of some values of which it is not known how often they occur. */
export const openIn = ({ buckets, also = [], unlistedUpper }: ValuesFacet, keys: readonly string[]) => {
  const known = new Set([...buckets, ...also].map(({ key }) => key));
  return unlistedUpper === 0 ? [] : keys.filter((key) => !known.has(key));
};

/** How many values are not listed; for a level at least one, if there are more terms. */
export const unlistedIn = ({ level, bucketCount, buckets }: ValuesFacet): number =>
  level === undefined ? bucketCount - buckets.length : Number(level.hasMore);

/** Numbers or dates in intervals; dates as milliseconds. */
export interface RangesFacet extends AnyFacet {
  readonly kind: 'numbers' | 'dates';
  readonly min: number | null;
  readonly max: number | null;
  /** Set if it was requested. */
  readonly median?: number | null;
  readonly bins: readonly Bin[];
}

export interface Bucket {
  readonly key: string;
  readonly label: string | null;
  /** The lower bound. */
  readonly count: number;
  /** The upper bound; Infinity where unknown. */
  readonly upper: number;
  /** An estimate, if institutions give one. */
  readonly estimate?: number | null;
  readonly nodes: readonly NodeCount[] | null;
  /** In a level: whether the term has children. */
  readonly hasChildren?: boolean;
}

export interface NodeCount {
  readonly nodeId: string;
  readonly count: number;
}

export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly upper: number;
  readonly estimate?: number | null;
  /** The count of each institution; null or unset: there is only one institution, or it is not known. */
  readonly nodes?: readonly NodeCount[] | null;
}

export interface Coverage {
  readonly nodeId: string;
  /**
   * `pending`: it may still answer; `unfiltered`: it lacks a field of the filter, so none of its records can match;
   * `incomplete`: a network that answered without some of its own institutions.
   */
  readonly state: CoverageState | 'pending' | 'unfiltered' | 'incomplete';
  readonly docs: number | null;
  /** Why it could not compute the facet; unset or null: it could, or gives no reason. */
  readonly reason?: string | null;
}

/** A page of records. */
export interface Page {
  readonly total: number | null;
  readonly rows: readonly Row[];
  /** Where the next page begins, if not after the last row; null: there is none. */
  readonly next?: unknown;
}

export interface Row {
  readonly id: string;
  readonly nodeId: string | null;
  /** See RecordKey. */
  readonly key?: string;
  readonly cursor: unknown;
  /** Values by path; those that the institution does not have are absent. */
  readonly values: Readonly<Record<string, unknown>>;
}
