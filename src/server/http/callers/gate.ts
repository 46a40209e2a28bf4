import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { nameOf, TurnQueue, type Caller, type Usage } from '../../../lib/concurrency/turn-queue.ts';
import { onBehalfOf, yieldToEventLoop } from '../../../lib/concurrency/yield-to-event-loop.ts';
import { requestAllowance, type TurnOptions, type Allowance } from '../../../engines/allowance.ts';
import { cancelled, type Capacity } from '../../../engines/engine.ts';
import { TributaryError } from '../../../lib/errors/errors.ts';
import { addressClass, callerOf } from './caller-name.ts';
import { dueAtMsOf, type HttpContext, type Middleware } from '../koa/http-context.ts';
import type { CostSettings } from '../koa/settings.ts';

/** How many searches may wait at the gate, twice as many at most: who has less than an equal share of them is let in. */
export interface GateLimits {
  readonly ofCaller: number;
  readonly ofAll: number;
}

const usualLimits: GateLimits = { ofCaller: 1_000, ofAll: 5_000 };

/** A search that waits for its turn. */
interface Waiting {
  /** Its estimated cost, in microseconds. */
  readonly cost: number;
  readonly begin: () => void;
}

/** A kind of searches, and how many of them run at once. */
interface Lane {
  readonly places: number;
  running: number;
  readonly runningOf: Map<string, number>;
  readonly waiting: TurnQueue<Waiting>;
}

/**
 * Where requests wait for the processors: at most so many searches run at once, and the next is that of the caller who has
 * used least of them lately, as measured, with what it is estimated to take. Honest callers are never refused: the queue is
 * bounded only so that it cannot fill the memory. A place is held while a search runs, never while other nodes are waited
 * for: two servers that query each other must not wait for each other.
 *
 * Long searches, by their estimated cost, have places of their own, so that a short one finds a thread that it may
 * interrupt.
 */
export class Gate {
  readonly #usage: Usage;
  readonly #limits: GateLimits;
  readonly #longCost: number;
  readonly #short: Lane;
  readonly #long: Lane;
  #waitedMs = 0;
  #refusals = 0;
  /** Told whose search was refused. */
  onRefused: (caller: Caller) => void = () => undefined;

  constructor({ short, long, longCost }: Capacity, usage: Usage, limits = usualLimits) {
    const laneOf = (places: number): Lane => ({
      ...{ places, running: 0, runningOf: new Map<string, number>() },
      waiting: new TurnQueue(usage, { costOf: ({ cost }) => cost / 1_000 }),
    });
    this.#usage = usage;
    this.#limits = limits;
    this.#longCost = longCost;
    [this.#short, this.#long] = [laneOf(short), laneOf(long)];
  }

  /** For metrics: how many searches wait, how long they have waited in all, and how many requests were refused. */
  get state() {
    const waiting = this.#short.waiting.size + this.#long.waiting.size;
    return { waiting, waitedMs: this.#waitedMs, refusals: this.#refusals };
  }

  /**
   * Runs a search in its caller's turn.
   * @throws TributaryError NOT_READY when too much waits already, or when its time is over and it has waited for much
   *   of it; ENGINE_TIMEOUT when it is cancelled; errors of the search
   */
  async takeTurn<Options extends TurnOptions, Answer extends { readonly tookMs: number }>(
    caller: Caller,
    cost: number,
    options: Options,
    search: (options: Options) => Promise<Answer>,
  ): Promise<Answer> {
    const lane = cost >= this.#longCost ? this.#long : this.#short;
    const queuedMs = performance.now();
    await this.#enter(lane, caller, cost, options);
    const waitedMs = performance.now() - queuedMs;
    this.#waitedMs += waitedMs;
    try {
      const left = dueBy(queuedMs + (options.timeoutMs ?? Infinity), options);
      const answer = await this.#run(lane, caller, () => search(left));
      // what is made of the answers that arrive in one iteration of the event loop must not run back to back
      await yieldToEventLoop();
      if (options.signal?.aborted === true) throw cancelled(options.signal.reason);
      return answer;
    } catch (error) {
      const hasWaited = waitedMs >= (performance.now() - queuedMs) * muchOfTime;
      const isTimeOver = isLate(options.signal?.aborted === true ? options.signal.reason : error);
      throw hasWaited && isTimeOver ? this.#refused(caller, busyForLong) : error;
    }
  }

  async #run<Answer extends { readonly tookMs: number }>(
    lane: Lane,
    caller: Caller,
    search: () => Promise<Answer>,
  ): Promise<Answer> {
    const startedMs = performance.now();
    let usedMs: number | null = null;
    try {
      const answer = await search();
      usedMs = answer.tookMs;
      return answer;
    } finally {
      this.#usage.charge(caller, usedMs ?? performance.now() - startedMs);
      this.#count(lane, caller, -1);
      this.#beginNext(lane);
    }
  }

  #enter(lane: Lane, caller: Caller, cost: number, { signal, timeoutMs }: TurnOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      const search: Waiting = {
        cost,
        begin: () => {
          settle();
          this.#count(lane, caller, 1);
          resolve();
        },
      };
      const leave = (error: TributaryError): void => {
        settle();
        lane.waiting.delete(caller, search);
        reject(error);
      };
      const abort = (): void =>
        leave(isLate(signal?.reason) ? this.#refused(caller, busyForLong) : cancelled(signal?.reason));
      const timer =
        timeoutMs && setTimeout(() => leave(this.#refused(caller, busyForLong)), timeoutMs * waitingShare);
      const settle = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      if (signal?.aborted === true) return abort();
      if (this.#isFull(caller)) return leave(this.#refused(caller, tooManyWaiting));
      signal?.addEventListener('abort', abort, { once: true });
      lane.waiting.add(caller, search);
      this.#beginNext(lane);
    });
  }

  #isFull(caller: Caller): boolean {
    const lanes = [this.#short, this.#long].map(({ waiting }) => waiting.sizes(caller));
    const sum = (of: keyof (typeof lanes)[number]) => lanes.reduce((total, sizes) => total + sizes[of], 0);
    const { ofCaller, ofAll } = this.#limits;
    return (
      isOver(this.state.waiting, ofAll, sum('ofPeer'), sum('peers')) ||
      isOver(sum('ofPeer'), ofCaller, sum('ofMember'), sum('members'))
    );
  }

  /**
   * One caller never takes all places, if there are several: the search of another one would wait for theirs to end. For
   * short ones there are more places than threads, so that this slows nobody on an idle machine. Those of a hub may take
   * all places together.
   */
  #beginNext({ places, running, runningOf, waiting }: Lane): void {
    if (running >= places) return;
    waiting.take((caller) => (runningOf.get(nameOf(caller)) ?? 0) < Math.max(1, places - 1))?.begin();
  }

  #count(lane: Lane, caller: Caller, change: 1 | -1): void {
    lane.running += change;
    const name = nameOf(caller);
    const running = (lane.runningOf.get(name) ?? 0) + change;
    if (running === 0) lane.runningOf.delete(name);
    else lane.runningOf.set(name, running);
  }

  #refused(caller: Caller, message: string): TributaryError {
    this.#refusals += 1;
    this.onRefused(caller);
    return new TributaryError('NOT_READY', message, { details: { retryAfterSeconds } });
  }
}

/**
 * Whether one that shares a limit with others may not wait: where as many wait as may, those who have their share, and
 * where twice as many do, everybody.
 */
const isOver = (waiting: number, limit: number, own: number, sharers: number): boolean =>
  waiting >= 2 * limit || (waiting >= limit && own >= limit / Math.max(1, sharers));

/** The share of a search's time that it may wait: the refusal, too, must arrive before a hub stops waiting for it. */
const waitingShare = 0.9;

/** The share of its time from which waiting, not the search, is why a search did not end in time. */
const muchOfTime = 0.25;

const retryAfterSeconds = 2;
const tooManyWaiting = 'too many requests are waiting already: try again soon';
const busyForLong =
  'the server was busy with other requests for much of the time that this one had: try again soon';

/** Whether a request was aborted since its time is up, not by its client nor as one node of several. */
const isLate = (reason: unknown): boolean =>
  reason instanceof TributaryError && reason.code === 'ENGINE_TIMEOUT';

/** What the searches of a request may cost, and when they run. */
export type AllowanceOf = (context: HttpContext) => Allowance;

/** How requests pass the gate. */
export interface Admission {
  readonly allowanceOf: AllowanceOf;
  /** Requests begin in turn, so that a hundred arriving at once do not run back to back. */
  readonly takeTurns: Middleware;
}

/** Admits requests on behalf of their callers. @param log told about the first refusal of each caller */
export const admission = (
  gate: Gate,
  { maxQueryCost, trustedProxies }: CostSettings,
  log: Pick<Logger, 'warn'>,
): Admission => {
  const callers = noticedCallers(log, trustedProxies);
  gate.onRefused = ({ peer }) => callers.refused(peer);
  const caller = (context: HttpContext) => callerOf(context, trustedProxies);
  return {
    allowanceOf: (context) => {
      const dueAtMs = dueAtMsOf(context) ?? Infinity;
      let own: Caller | undefined;
      return requestAllowance(maxQueryCost, (cost, options, search) =>
        // known once the request is authenticated, which it is when it searches
        gate.takeTurn((own ??= caller(context)), cost, dueBy(dueAtMs, options), search),
      );
    },
    takeTurns: (context, next) => {
      const own = caller(context);
      callers.seen(own.peer);
      return onBehalfOf(own, async () => {
        await yieldToEventLoop();
        if (!context.res.destroyed) await next();
      });
    },
  };
};

/** The options of a search that must end at a time, on the clock of performance.now(). */
const dueBy = <Options extends TurnOptions>(dueAtMs: number, options: Options): Options => {
  const leftMs = Math.ceil(dueAtMs - performance.now());
  return leftMs < (options.timeoutMs ?? Infinity) ? { ...options, timeoutMs: Math.max(1, leftMs) } : options;
};

const maxNoticed = 1_000;

/** Whether a caller is an address of this network, and so perhaps a proxy. */
const isNear = (peer: string): boolean =>
  peer.startsWith('address ') && addressClass(peer.slice('address '.length)) !== 'public';

/** Logs the first refusal of each caller. */
const noticedCallers = (log: Pick<Logger, 'warn'>, trustedProxies: number) => {
  const refused = new LRUCache<string, true>({ max: maxNoticed });
  let first: string | null = null;
  let isOnly = true;
  return {
    seen: (peer: string): void => {
      first ??= peer;
      isOnly &&= peer === first;
    },
    refused: (peer: string): void => {
      if (refused.has(peer)) return;
      refused.set(peer, true);
      const isProxy = isOnly && trustedProxies === 0 && isNear(peer);
      const hint = isProxy ? ': all come from one private address, so if it is a proxy, set TRUST_PROXY' : '';
      log.warn(`a caller's requests were refused, since too many of them are waiting${hint}`);
    },
  };
};
