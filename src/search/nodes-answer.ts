import type { CountBounds } from '../engines/measure.ts';
import type { ErrorCode } from '../errors/errors.ts';
import type { Tier } from '../introspection/fields/catalogue-config.ts';
import type { NodeState } from './node-states.ts';
import type { FacetCoverage } from './facet-answer.ts';

/** Describes the answers of a catalogue that withholds its records from the caller. */
export interface WithheldStatement {
  readonly tier: Exclude<Tier, 'none' | 'records'>;
  readonly threshold: number;
  /** The field whose values are counted, or `record`. */
  readonly counted: string;
  /** The calendar day of the release; null before the first one. */
  readonly date: string | null;
  /** The slot whose release was withheld, so that the one before stays. */
  readonly refused?: string | undefined;
}

/** The outcome of one node of a network for one query. */
export interface NodeStatus {
  readonly nodeId: string;
  readonly name: string;
  /** 0 for a failed node, null for an excluded one, and for one whose matches were not counted. */
  readonly hits: number | null;
  /** It withholds its records from this caller: `hits` is a lower bound. */
  readonly withheld?: WithheldStatement;
  /** For a node that withholds its records; null: not known; unset: `hits` is exact. */
  readonly upperBound?: number | null;
  /** null for an excluded node: it neither answered nor failed. */
  readonly status: 'OK' | 'ERROR' | null;
  /** Safe to show; "" when there were none. */
  readonly errors: string;
  readonly state: NodeState;
  readonly code: ErrorCode | null;
  /** In milliseconds. */
  readonly took: number;
  readonly uncoveredFields: readonly string[];
  /** Names the catalogue wherever it is met: its server's key and its id; unset or null: not known. */
  readonly key?: string | null;
}

/** The outcome of a query at the nodes of a network. */
export interface NodesAnswer {
  /** Whether some node that was not excluded is not `ok`. */
  readonly partial: boolean;
  readonly statuses: readonly NodeStatus[];
  /** How each node covers the facets of a path. */
  readonly coverage: (path: string) => readonly FacetCoverage[];
}

/** The nodes of a network that a query goes to. */
export interface NodeSelection {
  /** Their ids; null for all. */
  readonly only: readonly string[] | null;
  /** The query fails when one of these does not answer. */
  readonly required: readonly string[];
  /** Unset: all are waited for. */
  readonly waitFor?: WaitFor;
}

/** When a query returns although some nodes may still answer. */
export interface WaitFor {
  /** The share of the nodes that must have answered, from 0 to 1. */
  readonly share: number;
  /** How long all are waited for, in milliseconds. */
  readonly ms: number;
}

/** How many matched, as a catalogue answers it. */
interface CountedMatches {
  readonly total: number | null;
  readonly totalBounds?: CountBounds;
  readonly withheld?: WithheldStatement;
}

/** The outcome for a single catalogue, as a network of itself. */
export const ownNodesAnswer = (
  nodeId: string,
  { total: hits, totalBounds, withheld }: CountedMatches,
  tookMs: number,
): NodesAnswer => ({
  partial: false,
  statuses: [
    {
      nodeId,
      name: nodeId,
      hits,
      ...(withheld && { withheld, upperBound: totalBounds ? totalBounds.upperBound : hits }),
      status: 'OK',
      errors: '',
      state: 'ok',
      code: null,
      took: Math.round(tookMs),
      uncoveredFields: [],
    },
  ],
  coverage: () => [{ nodeId, state: 'answered', docs: withheld ? null : hits }],
});
