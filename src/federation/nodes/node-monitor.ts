import { asTributaryError, errorCodes, TributaryError, type ErrorCode } from '../../lib/errors/errors.ts';
import { isInvalidQuery } from '../remote/answer-errors.ts';
import { secondsToWait } from '../../lib/net/retry.ts';
import { callerLeft, endedEarly } from '../../search/request-context.ts';
import type { Failure, NodeObserver, NodeReport, Latencies } from './node-view.ts';
import type { TrackedState, NodeState } from '../../search/node-states.ts';

export interface MonitorSettings {
  readonly nodeId: string;
  readonly kind: NodeReport['kind'];
  readonly observer: NodeObserver;
  /** Whether a remote node's circuit is open; null for a local node, which has none. */
  readonly isOpen: (() => boolean) | null;
  readonly first: TrackedState;
  /** How long a failed node must keep answering before it counts as ok again, so that the log stays readable. */
  readonly quietMs?: number;
  readonly nowMs?: () => number;
}

/** Tracks one node: its state and since when, its calls, its last failure. */
export class NodeMonitor {
  readonly latencies = new LatencyWindow();
  readonly #settings: Required<MonitorSettings>;
  #current: { readonly state: TrackedState; readonly sinceMs: number };
  #lastFailure: (Failure & { readonly atMs: number }) | null = null;
  #quietTimer: NodeJS.Timeout | undefined;
  #lastAnswerMs: number | null = null;
  #requests = 0;
  #failures = 0;

  constructor(settings: MonitorSettings) {
    this.#settings = { quietMs: 10_000, nowMs: Date.now, ...settings };
    this.#current = { state: settings.first, sinceMs: this.#settings.nowMs() };
  }

  get state(): TrackedState {
    return this.#current.state;
  }

  /**
   * Runs one call to the node. A call blocked by its circuit does not count; a client error counts as an answer.
   * @param signal the call's own signal: a caller who disconnects is not a failure of the node
   * @throws what `call` throws
   */
  async run<T>(call: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const startedMs = performance.now();
    try {
      const answer = await call();
      this.#onEnd(startedMs, null);
      this.#onAnswer();
      return answer;
    } catch (error) {
      const { code, message } = asTributaryError(error);
      const isAboutCaller =
        code === 'NOT_DISCLOSED' || (this.#settings.kind === 'local' && aboutCaller.has(code));
      if (isInvalidQuery(error) || isAboutCaller) {
        this.#onEnd(startedMs, null);
        this.#onAnswer();
      } else if (!isKnownAbsence.has(code) && !callerLeft(signal)) {
        this.#onEnd(startedMs, code);
        this.#onFailure({ code, reason: errorCodes[code].safe ? message : 'internal error' });
      }
      throw error;
    }
  }

  /** Moves the node to a state, with the failure that caused it, and notifies the observer of a change. */
  transitionTo(state: TrackedState, failure: Failure | null): void {
    const { nodeId, kind, observer, nowMs } = this.#settings;
    if (failure) this.#lastFailure = { ...failure, atMs: nowMs() };
    clearTimeout(this.#quietTimer);
    this.#quietTimer = undefined;
    const before = this.#current;
    if (state === before.state) return;
    this.#current = { state, sinceMs: nowMs() };
    const { code = null, reason = null } = failure ?? {};
    const times = { wasSince: isoTime(before.sinceMs), since: isoTime(this.#current.sinceMs) };
    observer.changed({ nodeId, kind, state, was: before.state, ...times, code, reason });
  }

  /** While a node is away, its state stays, and so does the reason why calls fail. */
  onCircuitOpened(failure: Failure): void {
    if (!this.#isAway) this.transitionTo('circuitOpen', failure);
  }

  /** Whether it cannot be called, whatever the outcome of calls: its state changes when its tunnel does. */
  get #isAway(): boolean {
    return this.state === 'unavailable' || this.state === 'disconnected';
  }

  report(): Omit<NodeReport, 'displayName' | 'discovery' | 'disclosure' | 'warnings'> {
    const { nodeId, kind, isOpen } = this.#settings;
    const last = this.#lastFailure;
    return {
      nodeId,
      kind,
      state: this.state,
      since: isoTime(this.#current.sinceMs),
      lastError: last?.reason ?? null,
      lastErrorCode: last?.code ?? null,
      lastErrorAt: last && isoTime(last.atMs),
      lastAnswerAt: this.#lastAnswerMs === null ? null : isoTime(this.#lastAnswerMs),
      requests: this.#requests,
      failures: this.#failures,
      latencyMs: this.latencies.percentiles(),
      circuit: isOpen && (isOpen() ? 'open' : 'closed'),
    };
  }

  close(): void {
    clearTimeout(this.#quietTimer);
    this.#quietTimer = undefined;
  }

  #onEnd(startedMs: number, code: ErrorCode | null): void {
    const tookMs = performance.now() - startedMs;
    this.#requests += 1;
    this.latencies.add(tookMs);
    this.#settings.observer.called({ nodeId: this.#settings.nodeId, code, tookMs });
  }

  #onAnswer(): void {
    this.#lastAnswerMs = this.#settings.nowMs();
    if (this.state === 'circuitOpen') this.transitionTo('ok', null);
    if (this.state === 'failing')
      this.#quietTimer ??= setTimeout(() => this.transitionTo('ok', null), this.#settings.quietMs).unref();
  }

  #onFailure(failure: Failure): void {
    this.#failures += 1;
    if (this.#isAway) this.#lastFailure = { ...failure, atMs: this.#settings.nowMs() };
    else if (this.#settings.isOpen?.()) this.transitionTo('circuitOpen', failure);
    else if (isFaultOfNode(failure.code)) this.transitionTo('failing', failure);
    else {
      this.#lastFailure = { ...failure, atMs: this.#settings.nowMs() };
      this.#onAnswer();
    }
  }
}

/**
 * Refusals that are not the fault of a catalogue of this process; from another node they mean that it refuses this server.
 * Withholding what is not disclosed is not a fault.
 */
const aboutCaller: ReadonlySet<ErrorCode> = new Set(['UNAUTHENTICATED', 'FORBIDDEN']);

/** The node was not called: its state is tracked elsewhere. */
const isKnownAbsence: ReadonlySet<ErrorCode> = new Set([
  'NODE_CIRCUIT_OPEN',
  'NODE_DISCONNECTED',
  'NODE_INVITED',
]);

/** A refusal concerns the caller or the query; the node itself is healthy. */
const isFaultOfNode = (code: ErrorCode): boolean => !isRefusal.has(code) && errorCodes[code].status >= 500;

const isRefusal: ReadonlySet<ErrorCode> = new Set(['NODE_REFUSED', 'NOT_READY', 'TOO_MANY_REQUESTS']);

/** Milliseconds since 1970 as ISO 8601. */
const isoTime = (ms: number): string => new Date(ms).toISOString();

const slowMs = 5_000;

/** The durations of the most recent calls, in milliseconds. */
export class LatencyWindow {
  readonly #kept: Float64Array;
  #added = 0;

  /** @param size how many calls are kept: older ones are dropped */
  constructor(size = 512) {
    this.#kept = new Float64Array(size);
  }

  add(tookMs: number): void {
    this.#kept[this.#added % this.#kept.length] = tookMs;
    this.#added += 1;
  }

  /** Nearest-rank percentiles, rounded to tenths; null before the first call. */
  percentiles(): Latencies | null {
    if (this.#added === 0) return null;
    const sorted = this.#kept.slice(0, Math.min(this.#added, this.#kept.length)).sort();
    const rounded = (share: number): number => Math.round(percentile(sorted, share) * 10) / 10;
    const slowOfLast20 = this.#last(20).filter((tookMs) => tookMs > slowMs).length;
    return { p50: rounded(0.5), p95: rounded(0.95), p99: rounded(0.99), calls: sorted.length, slowOfLast20 };
  }

  /** The durations of the most recent calls, the last one first. */
  #last(count: number): readonly number[] {
    const { length } = this.#kept;
    return Array.from(
      { length: Math.min(count, this.#added, length) },
      (_, before) => this.#kept[(this.#added - 1 - before) % length]!,
    );
  }
}

const percentile = (sorted: Float64Array, share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;

const states: Readonly<Partial<Record<ErrorCode, NodeState>>> = {
  NODE_TIMEOUT: 'timeout',
  ENGINE_TIMEOUT: 'timeout',
  NODE_UNREACHABLE: 'unreachable',
  ENGINE_UNAVAILABLE: 'unreachable',
  NOT_READY: 'unreachable',
  index_not_found: 'unreachable',
  permission_denied: 'unreachable',
  connection_error: 'unreachable',
  mapping_fetch_error: 'unreachable',
  schema_build_error: 'unreachable',
  nesting_prefix_not_found: 'unreachable',
  unknown_error: 'unreachable',
  NOT_FOUND: 'unreachable',
  NODE_REFUSED: 'refused',
  NETWORK_LOOP: 'refused',
  BAD_USER_INPUT: 'refused',
  TOO_MANY_REQUESTS: 'busy',
  UNAUTHENTICATED: 'refused',
  FORBIDDEN: 'refused',
  NOT_DISCLOSED: 'refused',
  NODE_DISCOVERING: 'discovering',
  NODE_DISCOVERY_FAILED: 'discoveryFailed',
  NODE_CIRCUIT_OPEN: 'circuitOpen',
  NODE_DISCONNECTED: 'disconnected',
  NODE_INVITED: 'invited',
};

/** The state of a node that failed to answer with this code; unlisted failures are bad responses. */
export const answerStateOf = (code: ErrorCode): NodeState => states[code] ?? 'badResponse';

const failuresToOpen = 3;
const firstPauseMs = 5_000;
const maxPauseMs = 60_000;

/**
 * Stops calling a node for a while after three consecutive failures to reach it; after a pause one call is let through as
 * a probe, and the pause doubles while probes fail. Any answer from the node, whatever its content, closes the circuit. A
 * call that fails while others are answered does not count: the node is slow or busy, not away.
 */
export class Circuit {
  readonly #nowMs: () => number;
  readonly #onOpen: (failure: Failure) => void;
  #failures = 0;
  #answers = 0;
  #opened: { reason: string; sinceMs: number; untilMs: number; pauseMs: number } | null = null;
  #isProbing = false;

  /**
   * @param nowMs the clock, in milliseconds
   * @param onOpen called once when it opens, not for failed probes
   */
  constructor(nowMs: () => number = Date.now, onOpen: (failure: Failure) => void = () => undefined) {
    this.#nowMs = nowMs;
    this.#onOpen = onOpen;
  }

  /** Why and since when it is open; null while closed. */
  get opened(): { readonly reason: string; readonly sinceMs: number } | null {
    return this.#opened;
  }

  /**
   * Runs one call to the node unless the circuit is open.
   * @param signal the call's own signal; a caller who disconnects is not a failure of the node
   * @throws TributaryError NODE_CIRCUIT_OPEN, and whatever the call throws
   */
  async run<T>(call: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const opened = this.#opened;
    if (opened && (this.#isProbing || this.#nowMs() < opened.untilMs)) throw circuitOpen(opened.reason);
    const isProbe = opened !== null;
    this.#isProbing ||= isProbe;
    const answers = this.#answers;
    try {
      const answer = await call();
      this.close();
      return answer;
    } catch (error) {
      if (!endedEarly(signal)) this.#onFailure(error, { isProbe, hasAnswered: this.#answers > answers });
      throw error;
    } finally {
      if (isProbe) this.#isProbing = false;
    }
  }

  /** Lets calls through again. */
  close(): void {
    this.#answers += 1;
    this.#failures = 0;
    this.#opened = null;
  }

  #onFailure(
    error: unknown,
    { isProbe, hasAnswered }: { readonly isProbe: boolean; readonly hasAnswered: boolean },
  ): void {
    const { code, message: reason } = asTributaryError(error);
    // a node that names a wait is busy, not away
    const isAway = code === 'NODE_TIMEOUT' || (code === 'NODE_UNREACHABLE' && secondsToWait(error) === null);
    if (!isAway) return this.close();
    if (hasAnswered) return;
    this.#failures += 1;
    const before = this.#opened;
    // calls that were in flight when it opened add no information
    if (this.#failures < failuresToOpen || (before && !isProbe)) return;
    const pauseMs = before ? Math.min(before.pauseMs * 2, maxPauseMs) : firstPauseMs;
    const nowMs = this.#nowMs();
    this.#opened = { reason, sinceMs: before?.sinceMs ?? nowMs, untilMs: nowMs + pauseMs, pauseMs };
    if (!before) this.#onOpen({ code, reason });
  }
}

const circuitOpen = (reason: string): TributaryError =>
  new TributaryError('NODE_CIRCUIT_OPEN', `is not queried for now after repeated failures: ${reason}`);
