import { asTributaryError, type ErrorCode } from '../../errors/errors.ts';
import type { RemoteSource } from '../config/nodes.ts';
import { discover } from '../remote/discovery/discover.ts';
import type { GraphqlAnswer, SendGraphql, Tunnel } from '../remote/http-executor.ts';
import { isNetwork, type RemoteCatalogue } from '../remote/remote-catalogue.ts';
import type { Circuit, NodeMonitor } from './node-monitor.ts';
import type { NodeDown } from './node-view.ts';
import { hasSameOffer, SchemaWatch } from './remote-offer.ts';

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
  readonly join: (found: RemoteCatalogue) => void;
}

/**
 * What is known about a remote node. If its first discovery fails, it stays failed for the life of the process, unless its
 * entry says when it is tried again. A healthy node is rediscovered periodically, and when its answers show a changed schema; one that dials in is discovered when it
 * does, and while it is away, what is known about it is kept.
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
      const found = await this.#discover(known, new AbortController().signal);
      if (known !== null && !hasSameOffer(found, known)) this.#join(found);
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

  #join(found: RemoteCatalogue): void {
    this.#found = found;
    this.#node.join(found);
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
