import { isDeepStrictEqual } from 'node:util';
import type {
  BucketsResult,
  CardinalityResult,
  LogCountsResult,
  MeasureKind,
  Measures,
  TermsBucket,
  TermsResult,
} from '../engines/measure.ts';
import type { ErrorCode, TributaryError } from '../lib/errors/errors.ts';
import type { WithheldStatement } from '../introspection/fields/catalogue-config.ts';
import { countBetween, type Count } from './count.ts';
import type { NodeState, CoverageState } from './node-states.ts';

/** A catalogue, which may be reached through several networks. */
export interface Institution {
  /** Identifies it across servers: its server's key and its id; null: not known. */
  readonly key: string | null;
  readonly name: string;
}

/** The outcome of one node of a network for one query. */
export interface NodeStatus {
  readonly nodeId: string;
  readonly name: string;
  /** 0 for a failed node, null for an excluded one, and for one whose matches were not counted. */
  readonly hits: Count | null;
  /** It withholds its records from this caller. */
  readonly withheld?: WithheldStatement;
  /** When its records were last written or deleted, in ISO 8601; unset: not known, or not told to this caller. */
  readonly lastUpdated?: string;
  /** null for an excluded node: it neither answered nor failed. */
  readonly status: 'OK' | 'ERROR' | null;
  /** Safe to show; "" when there were none. */
  readonly errors: string;
  readonly state: NodeState;
  readonly code: ErrorCode | null;
  /** In milliseconds. */
  readonly took: number;
  readonly uncoveredFields: readonly string[];
  /** The institutions behind it: itself, or those of a network; none while it is not discovered. */
  readonly institutions: readonly Institution[];
  /** How many of them the query concerns, and how many answered it. */
  readonly reach: Reach;
}

/** How many institutions a query concerns, over all networks below, and how many of them answered it. */
export interface Reach {
  readonly queried: number;
  readonly answered: number;
}

/** The outcome of a query at the nodes of a network. */
export interface NodesAnswer {
  /** Whether some node that was not excluded is not `ok`, or is a network that answered in part. */
  readonly partial: boolean;
  readonly statuses: readonly NodeStatus[];
  /** How each node covers the facets of a path. */
  readonly coverage: (path: string) => readonly FacetCoverage[];
}

/** Whether two queries were answered by the same nodes, so that their counts can be compared. */
export const areOfSameNodes = (a: NodesAnswer | undefined, b: NodesAnswer | undefined): boolean =>
  isDeepStrictEqual(answeredIn(a), answeredIn(b));

/** Of a node that is a network, what it lacks must be the same too. */
const answeredIn = (nodes: NodesAnswer | undefined) =>
  nodes &&
  new Map(nodes.statuses.flatMap(({ nodeId, state, errors }) => (state === 'ok' ? [[nodeId, errors]] : [])));

/** The nodes of a network that a query goes to. */
export interface NodeSelection {
  /** Their ids; null for all. */
  readonly only: readonly string[] | null;
  /** The query fails when one of these does not answer. */
  readonly required: readonly string[];
  /** Unset: the query waits for all. */
  readonly waitFor?: WaitFor;
}

/** When a query returns although some nodes may still answer. */
export interface WaitFor {
  /** The share of the nodes that must have answered, from 0 to 1. */
  readonly share: number;
  /** How long the query waits for all nodes, in milliseconds. */
  readonly ms: number;
}

/**
 * The answer to a facet of a catalogue: an engine's result, whose numbers are exact, or the results of a network's nodes
 * merged into one, with bounds of its numbers.
 */
export type FacetAnswer<Kind extends MeasureKind = MeasureKind> = {
  readonly [K in Kind]: K extends keyof MergedAnswers ? MergedAnswers[K] : Measures[K]['result'];
}[Kind];

/** A facet that could not be computed, unlike the rest of its answer. */
export interface FailedFacet {
  readonly kind: 'failed';
  readonly error: TributaryError;
}

interface MergedAnswers {
  readonly terms: TermsAnswer;
  readonly histogram: CountsAnswer<'histogram'>;
  readonly date_histogram: CountsAnswer<'date_histogram'>;
  readonly range: CountsAnswer<'range'>;
  readonly groups: CountsAnswer<'groups'>;
  readonly cardinality: CardinalityAnswer;
  readonly percentiles: PercentilesAnswer;
}

/** The part of one node in a count. */
export interface NodeCount {
  readonly nodeId: string;
  readonly count: number;
}

export interface BucketAnswer extends Omit<TermsBucket, 'count'> {
  readonly count: Count;
  /** The counts of the nodes that listed it; unset: the catalogue is a node itself. */
  readonly nodes?: readonly NodeCount[];
}

/** `distinct` is a lower bound unless `complete`. */
export interface TermsAnswer extends Omit<TermsResult, 'buckets' | 'missing'> {
  readonly buckets: readonly BucketAnswer[];
  readonly missing: Count;
  /** See BucketAnswer. */
  readonly missingNodes?: readonly NodeCount[];
  /** False when any node's list was cut; unset: nothing is missing. */
  readonly complete?: boolean;
  /** The highest possible count of a value that no node listed; unset: 0; null: not known. */
  readonly unlistedUpperBound?: number | null;
}

interface CountsAnswer<Kind extends MeasureKind> extends Omit<BucketsResult<Kind>, 'buckets'> {
  readonly buckets: readonly BucketAnswer[];
  /** The highest possible count of an interval that is not listed; unset: 0; null: not known. */
  readonly unlistedUpperBound?: null;
}

export interface PercentilesAnswer extends LogCountsResult {
  /** Instead of the counts, which are empty then: the intervals of a release, ascending. */
  readonly released?: readonly ReleasedInterval[];
}

/** How many objects have a value in an interval, whose open end is null. */
export interface ReleasedInterval {
  readonly from: number | null;
  readonly to: number | null;
  readonly count: Count;
}

/** A number of distinct values. In a network it may be known by its bounds only: nodes may share values. */
export type CardinalityAnswer = CardinalityResult | BoundedCardinality;

interface BoundedCardinality extends Pick<CardinalityResult, 'kind'> {
  /** null where several nodes have values. */
  readonly value: number | null;
  readonly exact: false;
  readonly bounds: Count;
}

/** How one node covers the facets of a field. */
export interface FacetCoverage {
  readonly nodeId: string;
  readonly state: CoverageState;
  /** Matching records of a node that answered; null when they were not counted. */
  readonly docs: number | null;
  /** Why it could not compute the facet, safe to show; unset or null: it could, or does not say. */
  readonly reason?: string | null;
}

/** How far a search server's number of values is off at most: five times its standard error at the requested threshold. */
const cardinalityError = 0.01;

/** The range of a number of distinct values. */
export const cardinalityRange = (answer: CardinalityAnswer): Count => {
  if ('bounds' in answer) return answer.bounds;
  const { value, exact } = answer;
  return exact
    ? value
    : countBetween(Math.floor(value * (1 - cardinalityError)), Math.ceil(value * (1 + cardinalityError)));
};
