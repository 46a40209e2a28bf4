import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { ErrorCode } from '../../lib/errors/errors.ts';
import type { Dialect } from '../../lib/graphql/protocol.ts';
import type {
  ExtendedEntry,
  ReleasedDimension,
  WithheldStatement,
} from '../../introspection/fields/catalogue-config.ts';
import type { Field, Fields } from '../../introspection/fields/field.ts';
import type { CatalogueState } from '../../search/catalogue.ts';
import type { FacetMeasure, SearchFn } from '../../search/query.ts';
import type { RequestContext } from '../../search/request-context.ts';
import type { Institution } from '../../search/nodes-answer.ts';
import type { TrackedState } from '../../search/node-states.ts';
import type { NodeConfig } from '../config/nodes.ts';
import type { GraphqlAnswer } from '../remote/http-executor.ts';
import type { ValueMap } from '../../search/facets/row/measure-row.ts';

/** A node's state at the time of a query. */
export interface NodeView {
  readonly config: NodeConfig;
  readonly fieldMapping: FieldMapping;
  readonly status: NodeUp | NodeDown;
}

export interface NodeUp {
  readonly kind: 'up';
  /** Keyed by the node's own paths. */
  readonly fields: Fields;
  /** What its own configs state about its fields, by its own paths. */
  readonly extended?: readonly ExtendedEntry[];
  /** Whether this node can aggregate one of its paths in this way. */
  readonly aggregates: (path: string, measure: FacetMeasure['kind']) => boolean;
  /** What it understands of the measures of one of its paths; unset: all that this server does. */
  readonly dialectOf?: (path: string) => Dialect;
  readonly search: SearchFn;
  /** The maximum number of rows that it returns for one query; unset: not known. */
  readonly window?: number;
  /** Whether it returns documents as they are stored, not only single values of them; unset: no. */
  readonly isWhole?: boolean;
  /** It is a network, whose documents have keys over its own nodes; unset: it is a catalogue. */
  readonly isNetwork?: true;
  /** The institutions behind it, as discovery found them; unset: itself, without a known key. */
  readonly institutions?: readonly Institution[];
  /** How it answers callers who may not see its records, with intervals; a value it does not list may still occur. */
  readonly withheld?: WithheldStatement;
  /** How long it may take now, in milliseconds; unset: as configured. */
  readonly timeoutMs?: () => number;
  /** Problems with its units and constants, as far as its fields show; unset: none. */
  readonly notes?: readonly string[];
  /** The node's own schema, for the supergraph; absent in tests that do not need one. */
  readonly schema?: NodeSchema;
}

export interface NodeSchema {
  /** Built on first use: most networks are queried only through `network`. */
  readonly schema: () => GraphQLSchema;
  /** Sends GraphQL to the node; null when the schema is executed in this process. */
  readonly execute:
    | ((
        document: DocumentNode,
        variables: Readonly<Record<string, unknown>> | undefined,
        context: RequestContext,
      ) => Promise<GraphqlAnswer>)
    | null;
}

/** Not queried: discovery failed, the local catalogue failed, or the circuit is open. */
export interface NodeDown {
  readonly kind: 'down';
  readonly code: ErrorCode;
  /** Safe to show. */
  readonly reason: string;
  /** What else is known, for the operator who configures it. */
  readonly hint?: string;
}

/** Why a node is not ok. */
export interface Failure {
  readonly code: ErrorCode;
  /** Safe to show. */
  readonly reason: string;
}

/** Maps between a node's names and values and the network's, both ways. Pure lookups. */
export interface FieldMapping {
  /** The node's path for a network path. */
  readonly toNode: (networkPath: string) => string;
  /** The network's path for a node's path; null when another network field has taken that name. */
  readonly toNetwork: (nodePath: string) => string | null;
  /** The value map of one network field, or null when values pass unchanged. */
  readonly valuesOf: (networkPath: string) => ValueMap | null;
}

/** A constant's own path: no field of a node can have it, and so none is hidden by a constant. */
export const constantPath = (networkPath: string): string => `constant ${networkPath}`;

/** The lookups of one node's `fields`, `values` and `constants`. */
export const fieldMappingOf = (node: Pick<NodeConfig, 'fields' | 'values' | 'constants'>): FieldMapping => {
  const constants = [...(node.constants?.keys() ?? [])].map((path) => [path, constantPath(path)] as const);
  const fields = new Map([...node.fields, ...constants]);
  const toNetwork = new Map([...fields].map(([networkPath, nodePath]) => [nodePath, networkPath]));
  const values = new Map([...node.values].map(([path, listed]) => [path, valueMap(listed)]));
  return {
    toNode: (path) => fields.get(path) ?? path,
    toNetwork: (path) => toNetwork.get(path) ?? (fields.has(path) ? null : path),
    valuesOf: (path) => values.get(path) ?? null,
  };
};

const valueMap = (listed: ReadonlyMap<string, string>): ValueMap => {
  const toNode = new Map<string, string[]>();
  for (const [nodeValue, networkValue] of listed)
    toNode.set(networkValue, [...(toNode.get(networkValue) ?? []), nodeValue]);
  return {
    listed,
    toNetwork: (value) => listed.get(value) ?? value,
    toNode: (value) => [...(toNode.get(value) ?? []), ...(listed.has(value) ? [] : [value])],
  };
};

/** The value map for the keys of a facet. */
export const facetValuesOf = ({ fieldMapping, status }: NodeView, path: string): ValueMap | null => {
  const values = fieldMapping.valuesOf(path);
  const own = status.kind === 'up' ? status.fields.get(fieldMapping.toNode(path)) : undefined;
  if (values === null || own === undefined) return values;
  return { ...values, toNetwork: (key) => values.toNetwork(valueOfKey(key, own)) };
};

/** A value as rows have it: facets write true as 1, false as 0, and 1 among fractions as 1.0. */
export const valueOfKey = (key: string, { kind }: Pick<Field, 'kind'>): string => {
  if (kind === 'number') return key.replace(/\.0$/, '');
  return kind === 'boolean' ? ({ 1: 'true', 0: 'false' }[key] ?? key) : key;
};

/** Latencies of the most recent calls, in milliseconds. */
export interface Latencies {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** The number of calls measured. */
  readonly calls: number;
  /** Of the last 20 calls, how many took over 5 seconds: longer than most people wait. */
  readonly slowOfLast20: number;
}

/** What /ready, GET /network and the log report about a node. */
export interface NodeReport {
  readonly nodeId: string;
  readonly displayName: string;
  readonly kind: 'local' | 'remote';
  readonly state: TrackedState;
  /** ISO 8601: the start of the current state. */
  readonly since: string;
  /** How long after a failed discovery the node is tried again, in milliseconds; unset: it stays failed. */
  readonly rediscoverMs?: number;
  /** Whether a node that dials in has a tunnel; unset: it has an address. */
  readonly isConnected?: boolean;
  /** The most recent failure: the reason why the node is not ok, or a failure from long ago; safe to show. */
  readonly lastError: string | null;
  readonly lastErrorCode: ErrorCode | null;
  /** ISO 8601. */
  readonly lastErrorAt: string | null;
  /** ISO 8601: when the node last answered; null before its first answer. */
  readonly lastAnswerAt: string | null;
  /** Calls sent since the process started, and how many failed; neither includes calls blocked by an open circuit. */
  readonly requests: number;
  readonly failures: number;
  readonly latencyMs: Latencies | null;
  /** null for a local node, which has no circuit. */
  readonly circuit: 'closed' | 'open' | null;
  /** What discovery found; null for a local node and until discovery succeeds. */
  readonly discovery: { readonly inferred: boolean; readonly version: string | null } | null;
  /**
   * The form of its answers if it shows no records, and counts only as intervals: for a local node by default, for another
   * to this server; null: records.
   */
  readonly disclosure: WithheldStatement | null;
  /** The dimensions of the other server's counts in that case; null or unset: not reported. */
  readonly released?: readonly ReleasedDimension[] | null;
  /** Guessed field names and types, and similar notices. */
  readonly warnings: readonly string[];
  /** For a node that is a network: how many institutions are behind it; unset: it is not a network, or not discovered. */
  readonly institutions?: number;
}

/** A change of a node's state. */
export interface NodeChange {
  readonly nodeId: string;
  readonly kind: NodeReport['kind'];
  readonly state: TrackedState;
  readonly was: TrackedState;
  /** ISO 8601: the start of the previous state. */
  readonly wasSince: string;
  readonly since: string;
  /** Code of the failure that caused the change; null for a healthy node. */
  readonly code: ErrorCode | null;
  readonly reason: string | null;
}

/** One call that was sent to a node. */
export interface NodeCall {
  readonly nodeId: string;
  /** null on success. */
  readonly code: ErrorCode | null;
  readonly tookMs: number;
}

/** Is notified of calls to the nodes and changes of their states. */
export interface NodeObserver {
  readonly changed: (change: NodeChange) => void;
  readonly called: (call: NodeCall) => void;
}

/** A node for as long as its entry stays as it is. */
export interface NodeHandle {
  /** Resolves once the node's discovery has ended; never rejects. */
  readonly ready: Promise<void>;
  readonly view: () => NodeView;
  readonly report: () => NodeReport;
  /** The same node, whose catalogue is looked up in another way; unset: it is not a catalogue of this process. */
  readonly over?: (local: (catalogueId: string) => CatalogueState | undefined) => NodeHandle;
  readonly close: () => void;
}
