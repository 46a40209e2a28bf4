import type { Span } from '@opentelemetry/api';
import type { Allowance } from '../engines/allowance.ts';
import type { HeldMemory } from '../lib/runtime/memory-account.ts';
import { onAbort, unlessAborted } from '../lib/concurrency/abort-listener.ts';
import { asTributaryError, TributaryError } from '../lib/errors/errors.ts';
import type { Tier } from '../introspection/fields/catalogue-config.ts';
import type { Sqon } from '../sqon/ast.ts';
import type { NodesAnswer } from './nodes-answer.ts';

/** What a caller may see and learn. */
export interface CallerAccess {
  /**
   * The server-side filter of a catalogue: null is unrestricted.
   * @throws TributaryError UNAUTHENTICATED or FORBIDDEN
   */
  readonly accessFilter: (catalogueId: string) => Sqon | null | Promise<Sqon | null>;
  /**
   * Checks that the caller may query networks; unset: anyone who may see something of their catalogues.
   * @throws TributaryError UNAUTHENTICATED or FORBIDDEN
   */
  readonly networkAccess?: (() => void | Promise<void>) | undefined;
  /** What the caller may learn of a catalogue; null: what the catalogue's own configuration says. */
  readonly tierOf: (catalogueId: string) => Tier | null | Promise<Tier | null>;
}

/** Everything, as far as the configuration of each catalogue allows. */
export const fullAccess: CallerAccess = { accessFilter: () => null, tierOf: () => null };

/** Who sends a request, and what they may learn. */
export interface Caller extends CallerAccess {
  /** The request headers, lower case; only those on an allow-list ever leave this process. */
  readonly headers: Readonly<Record<string, string>>;
  /** The issuer and subject of the verified token, as JSON; undefined without one, and before it was verified. */
  readonly subject?: () => string | undefined;
  /** An opaque name of the caller for one node of a network; unset: one of this server's own queries. */
  readonly nameFor?: (nodeId: string) => string;
}

/** This server itself, which sees everything of its own catalogues. */
export const thisServer: Caller = { headers: {}, ...fullAccess };

const maxWarnings = 100;

/** What is recorded while a request runs, for the extensions of its response, or while a network is queried. */
export class Trace {
  /** `extensions.warnings`: the first 100 different ones. */
  readonly warnings = new Set<string>();
  /** `extensions.network`: the outcome at each node, per query of a network. */
  readonly nodesAnswers: NodesAnswer[] = [];
  /** The nodes that a network queried, whether there is an answer or not. */
  queried: readonly QueriedNode[] = [];
  /** Whether some node of a network did not answer, even where the caller selects the outcomes. */
  isPartial = false;
  /** The generations of the data that searches were answered from, with the last update of each; null: not known. */
  readonly generations = new Map<string | null, string | null>();

  /** Bound, so that it can be passed to parsers by itself. @param message safe to show */
  readonly warn = (message: string): void => {
    if (this.warnings.size < maxWarnings) this.warnings.add(message);
  };
}

/** A node that a network queried. */
export interface QueriedNode {
  readonly nodeId: string;
  /** `ok`, the code of the error, or `pending` if the answer did not wait for it. */
  readonly state: string;
  readonly tookMs: number;
}

/** A question that reached a catalogue or a network, without its answer. */
export interface AuditedQuestion {
  /** null: a network, whose nodes are questions of their own where they are catalogues of this process. */
  readonly catalogueId: string | null;
  /** The network's name; null: not a network. */
  readonly network: string | null;
  /** The nodes that a network queried. */
  readonly nodes: readonly QueriedNode[];
  /** null or unset: not known, since the caller was refused, or a network. */
  readonly tier?: Tier | null;
  readonly filters: Sqon | null;
  /** Further filters, those that measures of facets count by. */
  readonly facetFilters?: readonly Sqon[];
  /** The GraphQL that a node is sent instead of a filter; unset: it is sent a filter. */
  readonly document?: string;
  /** The fields that are shown, summarized or sorted by; `*` for all. */
  readonly fields: readonly string[];
  readonly kind: 'count' | 'rows' | 'download' | 'set';
  /** `ok`, or the code of the error. */
  readonly state: string;
  readonly rows: number;
  /** The number of matches, if it was requested. */
  readonly total: number | null;
  readonly tookMs: number;
}

/** How long a search took in the engine, and how long it waited before that. */
export interface SearchTimes {
  readonly engineMs: number;
  readonly queueMs: number;
}

/** Records a question. @throws TributaryError NOT_READY when that is required, and not possible */
export type AuditFn = (question: AuditedQuestion) => void;

/** What the edge of the server knows and records about a request. */
export interface RequestObserver {
  /** Whether the client has disconnected, perhaps after the signal was aborted for another reason. */
  readonly hasLeft: () => boolean;
  readonly onQuestion: AuditFn;
  /** Called with the times of each search that an engine answered. */
  readonly onSearched: (times: SearchTimes) => void;
}

/** For this server's own queries: no client waits for them, and nothing is recorded. */
const unobserved: RequestObserver = {
  hasLeft: () => false,
  onQuestion: () => undefined,
  onSearched: () => undefined,
};

interface RequestParts {
  readonly requestId: string;
  readonly caller: Caller;
  readonly trace: Trace;
  /** Aborted when the client disconnects, and with one of our errors when its time is up or memory is full. */
  readonly signal?: AbortSignal | undefined;
  /** When the answer is due, on the clock of performance.now(); unset: there is no such time. */
  readonly dueAtMs?: number | undefined;
  /** Counts the data received for this request, in estimated bytes of memory; unset: unlimited. */
  readonly memory?: Pick<HeldMemory, 'add' | 'use' | 'part'> | undefined;
  /** The cost limit for everything this request queries; unset: unlimited. */
  readonly allowance?: Allowance | undefined;
  /** The keys of the networks that the query came through, outermost first; unset: it comes from a client. */
  readonly through?: readonly string[] | undefined;
  /** Whether the code that runs the query retries it: the layers below must not retry too. */
  readonly isRetried?: boolean | undefined;
  /** Unset: one of this server's own queries. */
  readonly observer?: RequestObserver;
  /** The span of the request; unset: its parts are not recorded. */
  readonly span?: Span | undefined;
}

/** What a query runs under: passed from the edge through all layers, and narrowed by the `with...` methods only. */
export class RequestContext implements RequestParts {
  readonly requestId: string;
  readonly caller: Caller;
  readonly trace: Trace;
  readonly signal: AbortSignal | undefined;
  readonly dueAtMs: number | undefined;
  readonly memory: RequestParts['memory'];
  readonly allowance: Allowance | undefined;
  readonly through: readonly string[] | undefined;
  readonly isRetried: boolean;
  readonly observer: RequestObserver;
  readonly span: Span | undefined;

  constructor(parts: RequestParts) {
    this.requestId = parts.requestId;
    this.caller = parts.caller;
    this.trace = parts.trace;
    this.signal = parts.signal;
    this.dueAtMs = parts.dueAtMs;
    this.memory = parts.memory;
    this.allowance = parts.allowance;
    this.through = parts.through;
    this.isRetried = parts.isRetried ?? false;
    this.observer = parts.observer ?? unobserved;
    this.span = parts.span;
  }

  /** Whether no client waits for the answer: when time is up, the results found by then are still sent. */
  isUnwanted(): boolean {
    if (this.observer.hasLeft()) return true;
    const reason: unknown = this.signal?.reason;
    const isLate = reason instanceof TributaryError && reason.code === 'ENGINE_TIMEOUT';
    return this.signal?.aborted === true && !isLate;
  }

  withSignal(signal: AbortSignal): RequestContext {
    return this.#with({ signal });
  }

  /** @param dueAtMs on the clock of performance.now(), when the signal is aborted */
  withDeadline(signal: AbortSignal, dueAtMs: number): RequestContext {
    return this.#with({ signal, dueAtMs });
  }

  /** For work that must end earlier. @param dueAtMs on the clock of performance.now() */
  withDueTime(dueAtMs: number): RequestContext {
    return this.#with({ dueAtMs: Math.min(dueAtMs, this.dueAtMs ?? Infinity) });
  }

  /** @param through the keys of networks, outermost first; @param dueAtMs unset: unchanged */
  withPath(through: readonly string[], dueAtMs = this.dueAtMs): RequestContext {
    return this.#with({ through, dueAtMs });
  }

  /** For a query that is retried by its caller. */
  withoutRetries(): RequestContext {
    return this.#with({ isRetried: true });
  }

  /** For the pages of one download, which are charged as one. */
  withPagedAllowance(): RequestContext {
    return this.#with({ allowance: this.allowance?.paged });
  }

  /**
   * For one page of a download.
   * @param isFirst whether it may be refused for lack of memory
   * @returns also frees the memory of the page
   */
  withPageMemory(isFirst: boolean): { readonly context: RequestContext; readonly end: () => void } {
    const page = this.memory?.part();
    if (page === undefined) return { context: this, end: () => undefined };
    const memory = isFirst ? page : { ...page, add: page.use };
    return { context: this.#with({ memory }), end: page.end };
  }

  withTrace(trace: Trace): RequestContext {
    return this.#with({ trace });
  }

  withAccessFilter(accessFilter: Caller['accessFilter']): RequestContext {
    return this.#with({ caller: { ...this.caller, accessFilter } });
  }

  /** For the steps of one question, which are recorded together. @param onQuestion receives each of them */
  withSteps(onQuestion: AuditFn): RequestContext {
    const { hasLeft, onSearched } = this.observer;
    return this.#with({ observer: { hasLeft, onQuestion, onSearched } });
  }

  /** For this server's own queries: no access filter, no cost limit. */
  unrestricted(): RequestContext {
    return this.#with({ caller: { ...this.caller, accessFilter: () => null }, allowance: undefined });
  }

  #with(changes: Partial<RequestParts>): RequestContext {
    return new RequestContext({ ...this, ...changes });
  }
}

/**
 * Runs a call to one node until its deadline passes or its caller disconnects. A call that ignores its signal is
 * abandoned: it must not delay the other nodes' answers.
 * @param run receives the context with a signal that the deadline aborts, too
 * @param isOfCaller missing the deadline is not a failure of the node, as its caller had little time
 * @throws TributaryError NODE_TIMEOUT, and whatever `run` throws
 */
export const withDeadline = async <T>(
  timeoutMs: number,
  context: RequestContext,
  run: (context: RequestContext) => Promise<T>,
  isOfCaller = false,
): Promise<T> => {
  const controller = new AbortController();
  const onTimeout = (): void => controller.abort(timedOut(timeoutMs, isOfCaller ? ofCaller : undefined));
  const timer = setTimeout(onTimeout, timeoutMs);
  const removeListener =
    context.signal && onAbort(context.signal, () => controller.abort(context.signal?.reason));
  try {
    // a caller's earlier deadline stays the one that nodes are told
    const dueAtMs = Math.min(context.dueAtMs ?? Infinity, performance.now() + timeoutMs);
    const limited = context.withDeadline(controller.signal, dueAtMs);
    return await untilAborted(run(limited), controller.signal, timeoutMs);
  } finally {
    clearTimeout(timer);
    removeListener?.();
  }
};

/** The cause of a timeout that is not the node's failure. */
const ofCaller = new Error('the caller has less time than the node may take');

/** Whether a signal was aborted by a caller who disconnected or had little time: not a failure of the node. */
export const callerLeft = (signal: AbortSignal | undefined): boolean =>
  signal?.aborted === true && !(signal.reason instanceof TributaryError && signal.reason.cause !== ofCaller);

/** Whether a signal was aborted by anything but the node's own deadline, such as this server's limit for a request. */
export const endedEarly = (signal: AbortSignal | undefined): boolean =>
  callerLeft(signal) || (signal?.aborted === true && asTributaryError(signal.reason).code !== 'NODE_TIMEOUT');

/**
 * An answer, unless its signal is aborted first.
 * @throws TributaryError the signal's own reason, or NODE_TIMEOUT
 */
export const untilAborted = <T>(
  answer: Promise<T>,
  signal: AbortSignal | undefined,
  timeoutMs?: number,
): Promise<T> =>
  signal
    ? unlessAborted(answer, signal, (reason) =>
        reason instanceof TributaryError ? reason : timedOut(timeoutMs),
      )
    : answer;

const timedOut = (timeoutMs: number | undefined, cause?: Error): TributaryError =>
  new TributaryError(
    'NODE_TIMEOUT',
    timeoutMs === undefined ? 'timed out' : `did not answer within ${timeoutMs} ms`,
    { cause },
  );
