import type { Disclosure } from './answer.ts';
import type { AboutInstitution } from './catalogue.ts';
import type { Source } from './config.ts';
import { getJson } from './server.ts';

/** GET /network: the state of each node, and its fields. */
export interface NetworkState {
  readonly name: string;
  readonly ready: boolean;
  readonly partial: boolean;
  readonly nodes: readonly NodeState[];
  readonly fields: readonly {
    readonly path: string;
    readonly type: string;
    readonly nodes: readonly {
      readonly nodeId: string;
      readonly state: string;
      readonly path: string | null;
      readonly reason: string | null;
    }[];
    /** For a network of very many nodes, instead of a line per node: the number of nodes in each state. */
    readonly counts?: Readonly<Record<string, number>>;
  }[];
  readonly warnings: readonly string[];
}

export interface NodeState {
  readonly nodeId: string;
  readonly name: string;
  readonly kind: string;
  readonly about?: AboutInstitution;
  readonly state: string;
  readonly since: string | null;
  readonly lastError: {
    readonly code: string | null;
    readonly reason: string;
    readonly at: string | null;
  } | null;
  readonly lastAnswer: string | null;
  readonly requests: number;
  readonly failures: number;
  /** The times of its recent answers; null: none yet. */
  readonly latencyMs: {
    readonly p50: number;
    readonly calls: number;
    /** How many of the last 20 took over 5 s. */
    readonly slowOfLast20: number;
  } | null;
  readonly warnings: readonly string[];
  /** Whether its server opens the connection. */
  readonly dialsIn?: true;
  /** It has used its invitation, and waits to be accepted with what it proposes. */
  readonly waits?: { readonly dialled: string; readonly fields: number; readonly values: number };
  /** For a node that is a network: how many institutions are behind it. */
  readonly institutions?: number;
  /** What it discloses to this server instead of records; null: it shows records. */
  readonly disclosure?: Disclosure | null;
}

/** The state of a network's nodes and their fields. @throws ApiError */
export const askNetworkState = (source: Source, signal?: AbortSignal): Promise<NetworkState> =>
  getJson<NetworkState>(source.path, signal);
