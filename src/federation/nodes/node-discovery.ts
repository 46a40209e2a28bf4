import { isDeepStrictEqual } from 'node:util';
import type { MeasureKind } from '../../engines/measure.ts';
import { asTributaryError, type ErrorCode } from '../../lib/errors/errors.ts';
import { measureRow } from '../../search/facets/measures.ts';
import type { FacetType } from '../../search/facets/row/measure-row.ts';
import type { RemoteSource } from '../config/nodes.ts';
import type { Circuit, NodeMonitor } from './node-monitor.ts';
import type { NodeDown, NodeUp } from './node-view.ts';
import { discover } from '../remote/discovery/discover.ts';
import { maxTypes } from '../remote/discovery/introspect.ts';
import { isEstablishedMeasure, establishedSearch, type SendDocument } from '../remote/established.ts';
import type { GraphqlAnswer, SendGraphql, Tunnel } from '../remote/http-executor.ts';
import { printQuery } from '../remote/print-query.ts';
import { readAnswer } from '../remote/read-answer.ts';
import { isNetwork, byDocumentId, type RemoteCatalogue } from '../remote/remote-catalogue.ts';
import type { Dialect } from '../../lib/graphql/protocol.ts';
import { aggregationName, type Field } from '../../introspection/fields/field.ts';
import type { CatalogueQuery, CatalogueResult } from '../../search/query.ts';

export interface DiscoverySettings {
  readonly source: RemoteSource;
  /** The tunnel of a node that dials in; unset or null: it has an address. */
  readonly tunnel?: Tunnel | null;
  /** The header with this server's own credential for the node; empty: none. */
  readonly credential: Readonly<Record<string, string>>;
  /** The time between two discoveries of a healthy node. */
  readonly recheckMs: number;
}

interface DiscoveredNode {
  readonly send: SendGraphql;
  readonly monitor: NodeMonitor;
  readonly circuit: Circuit;
  /** Receives what was found, at first and whenever it changed. */
  readonly join: (offer: RemoteCatalogue) => void;
}

/**
 * What is known about a remote node. If its first discovery fails, it stays failed for the life of the process, unless its
 * entry says when it is tried again. A healthy node is rediscovered periodically, and when its answers show a changed
 * schema. A node that dials in is discovered when it does, and what is known about it stays while it is away.
 */
export class NodeDiscovery {
  readonly ready: Promise<void>;
  readonly #settings: DiscoverySettings;
  readonly #node: DiscoveredNode;
  readonly #schemaWatch: SchemaWatch;
  readonly #closed = new AbortController();
  readonly #unfollow: (() => void) | undefined;
  #failure: NodeDown;
  #found: RemoteCatalogue | null = null;
  /** Whether its discovery failed without an answer, and is retried while its tunnel stays. */
  #isUnanswered = false;
  /** The discovery in progress, or the last one. */
  #discovery = new AbortController();
  #retryTimer: NodeJS.Timeout | undefined;
  #isRechecking = false;
  #recheckTimer: NodeJS.Timeout | undefined;

  constructor(settings: DiscoverySettings, node: DiscoveredNode) {
    const { source, tunnel = null, recheckMs } = settings;
    this.#settings = settings;
    this.#node = node;
    this.#schemaWatch = new SchemaWatch({
      recheck: () => this.#recheck(),
      minIntervalMs: Math.min(recheckMs, minRecheckMs),
      mayHaveGrown: () => this.#found !== null && isNetwork(this.#found),
    });
    const absent = absenceOf(source, tunnel);
    this.#failure = absent?.status ?? discovering;
    this.ready = absent === null ? this.#open() : Promise.resolve();
    this.#unfollow = tunnel?.onChange((isConnected) => this.#onTunnel(isConnected));
  }

  /** What was found last; null: nothing yet. */
  get found(): RemoteCatalogue | null {
    return this.#found;
  }

  /** Why nothing was found. */
  get failure(): NodeDown {
    return this.#failure;
  }

  /** Rechecks the node if an answer shows a changed schema. */
  onAnswer(answer: GraphqlAnswer): void {
    this.#schemaWatch.onAnswer(answer);
  }

  close(): void {
    this.#closed.abort();
    this.#unfollow?.();
    clearInterval(this.#recheckTimer);
    clearTimeout(this.#retryTimer);
  }

  async #open(): Promise<void> {
    const { monitor } = this.#node;
    const { signal } = (this.#discovery = new AbortController());
    try {
      this.#join(await this.#discover(null, signal));
      // a tunnel that was lost meanwhile reveals nothing about the node behind it
      if (signal.aborted) return;
      monitor.transitionTo('ok', null);
      if (this.#closed.signal.aborted) return;
      // so that nodes that started together are not rechecked together
      const periodMs = this.#settings.recheckMs * (0.9 + 0.2 * Math.random());
      clearInterval(this.#recheckTimer);
      this.#recheckTimer = setInterval(() => void this.#recheck(), periodMs).unref();
    } catch (error) {
      if (!signal.aborted) this.#onUndiscovered(error);
    }
  }

  #onUndiscovered(error: unknown): void {
    const { source } = this.#settings;
    const { monitor } = this.#node;
    const { code, message: reason, details, cause } = asTributaryError(error);
    const hint = details?.['hint'];
    this.#failure = { kind: 'down', code, reason, ...(typeof hint === 'string' && { hint }) };
    // a server that is shutting down reports nothing about its nodes
    if (!this.#closed.signal.aborted) monitor.transitionTo('discoveryFailed', this.#failure);
    this.#isUnanswered = source.dialsIn !== undefined && isWithoutAnswer.has(asTributaryError(cause).code);
    // the answer of a node that dials in decides, however late: many may have dialled in at once
    const pauseMs = this.#isUnanswered ? source.discoveryTimeoutMs * Math.random() : source.rediscoverMs;
    if (pauseMs === undefined || this.#closed.signal.aborted) return;
    this.#retryTimer = setTimeout(() => void this.#open(), pauseMs).unref();
  }

  #onTunnel(isConnected: boolean): void {
    const { source, tunnel = null } = this.#settings;
    const { monitor, circuit } = this.#node;
    const isFinal = !this.#isUnanswered && source.rediscoverMs === undefined;
    // discovery failed for good: reconnecting does not change that
    if (monitor.state === 'discoveryFailed' && isFinal) return;
    this.#discovery.abort();
    clearTimeout(this.#retryTimer);
    // earlier failures belong to another connection
    circuit.close();
    const absent = absenceOf(source, tunnel);
    if (!isConnected && absent !== null) {
      this.#failure = absent.status;
      monitor.transitionTo(absent.state, absent.status);
    } else if (this.#found !== null) {
      monitor.transitionTo('ok', null);
      void this.#recheck();
    } else {
      this.#failure = discovering;
      monitor.transitionTo('discovering', null);
      void this.#open();
    }
  }

  /** @returns false if the node cannot be discovered now: what is known about it is kept */
  async #recheck(): Promise<boolean> {
    if (this.#isRechecking) return false;
    this.#isRechecking = true;
    const known = this.#found;
    try {
      const offer = await this.#discover(known, new AbortController().signal);
      if (known !== null && !hasSameOffer(offer, known)) this.#join(offer);
      return true;
    } catch {
      return false;
    } finally {
      this.#isRechecking = false;
    }
  }

  #discover(known: RemoteCatalogue | null, signal: AbortSignal): Promise<RemoteCatalogue> {
    const { source, credential } = this.#settings;
    const ended = AbortSignal.any([this.#closed.signal, signal]);
    return discover(source, this.#node.send, credential, ended, known);
  }

  #join(offer: RemoteCatalogue): void {
    this.#found = offer;
    this.#node.join(offer);
  }
}

/** Why a node that dials in is not connected; null: it is, or it has an address. */
export const absenceOf = (
  source: RemoteSource,
  tunnel: Tunnel | null,
): { readonly state: 'invited' | 'disconnected'; readonly status: NodeDown } | null => {
  if (source.dialsIn?.key === null)
    return {
      state: 'invited',
      status: { kind: 'down', code: 'NODE_INVITED', reason: 'has not been accepted yet' },
    };
  if (tunnel === null || tunnel.isConnected()) return null;
  return {
    state: 'disconnected',
    status: { kind: 'down', code: 'NODE_DISCONNECTED', reason: tunnel.absence() },
  };
};

/** Failures of a discovery that reveal nothing about the node behind a tunnel. */
const isWithoutAnswer: ReadonlySet<ErrorCode> = new Set([
  'NODE_TIMEOUT',
  'NODE_UNREACHABLE',
  'NODE_DISCONNECTED',
  'TOO_MANY_REQUESTS',
  'NOT_READY',
]);

const discovering: NodeDown = { kind: 'down', code: 'NODE_DISCOVERING', reason: 'is still being discovered' };

/** The minimum time between two rechecks caused by answers. */
const minRecheckMs = 60_000;

/** What can be queried at a node, according to its discovery. */
export const offeredBy = (remote: RemoteCatalogue): Omit<NodeUp, 'kind' | 'search' | 'institutions'> => ({
  fields: remote.fields,
  extended: remote.facts.extended ?? [],
  aggregates: (path, measure) => {
    const field = remote.fields.get(path);
    const type = remote.aggregations.get(aggregationName(path));
    if (field === undefined || type === undefined) return false;
    return givesMeasure(remote.dialect, measure, type, field);
  },
  dialectOf: () => remote.dialect,
  isWhole: remote.dialect === 'tributary',
  ...(isNetwork(remote) && { isNetwork: true as const }),
  ...(remote.disclosure && { withheld: remote.disclosure.withheld }),
});

/** What each dialect gives is fixed: all measures by the protocol, or the list of the established server. */
const givesMeasure = (dialect: Dialect, measure: MeasureKind, type: FacetType, field: Field): boolean => {
  const isOfNumbers = field.kind === 'number' || field.kind === 'date';
  // sets are counted whatever the type of the facet
  if (measure === 'groups') return field.kind !== 'date' && (isOfNumbers || isOfNames(field));
  // text is listed there like keyword, but refused when queried
  if (field.kind === 'text' || type !== (isOfNumbers ? 'numbers' : 'values')) return false;
  if (dialect === 'established') return isEstablishedMeasure(measure, type, field);
  const { fields, remoteField } = measureRow(measure);
  return fields[type]?.[remoteField] !== undefined;
};

const isOfNames = ({ kind }: Field): boolean => kind === 'keyword' || kind === 'boolean';

/** Notices about the result of discovery, for operators. */
export const discoveryWarnings = ({ facts, schema }: RemoteCatalogue): readonly string[] => [
  ...(facts.extended === null
    ? [
        'its fields are inferred from GraphQL names because it does not answer configs { extended }; filters may miss some records',
      ]
    : []),
  ...(schema.cutFrom === null
    ? []
    : [
        `its schema has ${schema.cutFrom} types, more than ${maxTypes}: it has no root field of its own here`,
      ]),
  ...(schema.isValid ? [] : ['its schema is not valid GraphQL: it has no root field of its own here']),
];

/** Whether a node offers the same as before: the same schema, under the same names. */
const hasSameOffer = (before: RemoteCatalogue, now: RemoteCatalogue): boolean =>
  before.schema.fingerprint === now.schema.fingerprint &&
  isDeepStrictEqual(
    [before.dialect, before.facts, before.disclosure, before.fields],
    [now.dialect, now.facts, now.disclosure, now.fields],
  );

export interface SchemaWatchSettings {
  /** Rediscovers the node; false: it did not answer. */
  readonly recheck: () => Promise<boolean>;
  /** The minimum time between two rechecks, in milliseconds: servers behind one address may differ. */
  readonly minIntervalMs: number;
  /**
   * Whether the node may have offered less at its discovery than at its first answer: a network that started at the same
   * time as this one did not know all of its nodes.
   */
  readonly mayHaveGrown: () => boolean;
}

/**
 * Rechecks a node whose answers show a changed offer: nodes of this software report the fingerprint of what can be
 * queried, and any node refuses what it no longer has.
 */
export class SchemaWatch {
  readonly #settings: SchemaWatchSettings;
  #known: string | null = null;
  #notBeforeMs = 0;

  constructor(settings: SchemaWatchSettings) {
    this.#settings = settings;
  }

  /** Reads an answer of the node; a recheck runs in the background. */
  onAnswer(answer: GraphqlAnswer): void {
    const { schema = this.#known } = answer;
    const isFirst = this.#known === null;
    const isChanged = isFirst ? schema !== null && this.#settings.mayHaveGrown() : schema !== this.#known;
    if (isFirst) this.#known = schema;
    if ((!isChanged && !isInvalid(answer)) || performance.now() < this.#notBeforeMs) return;
    this.#notBeforeMs = performance.now() + this.#settings.minIntervalMs;
    void this.#settings.recheck().then((isDiscovered) => {
      if (isDiscovered) this.#known = schema;
    });
  }
}

/** The query was made for another schema, or is too large for this one. */
const isInvalid = ({ errors = [] }: GraphqlAnswer): boolean =>
  errors.some(({ extensions }) => extensions?.['code'] === 'GRAPHQL_VALIDATION_FAILED');

/** Answers a query by the documents that it sends. */
export type SearchNode = (query: CatalogueQuery, send: SendDocument) => Promise<CatalogueResult>;

/**
 * The search of a node: one document for each query to a node of this software; an established one is sent what puts
 * together the measures that it lacks.
 */
export const searchNode = (remote: RemoteCatalogue, source: RemoteSource): SearchNode => {
  const searchPlainly: SearchNode = async (query, send) => {
    const printed = printQuery(query, remote, source);
    return readAnswer(await send(printed.query, printed.variables), remote, source, query, printed);
  };
  const search = remote.dialect === 'established' ? establishedSearch(remote, source) : null;
  return (asked, send) => {
    const query = byDocumentId(asked, remote.fields);
    if (search === null) return searchPlainly(query, send);
    return search(query, (part) => searchPlainly(part, send), send);
  };
};
