import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { requestAllowance, type Allowance, type TurnOptions } from '../../engines/allowance.ts';
import type { Caller } from '../../concurrency/turn-queue.ts';
import { onBehalfOf, yieldToEventLoop } from '../../concurrency/yield-to-event-loop.ts';
import { timeLeftMs } from '../../federation/remote/node-statements.ts';
import type { HttpContext, Middleware } from '../koa/http-context.ts';
import type { CostSettings } from '../koa/settings.ts';
import { addressClass, callerOf } from './caller-name.ts';
import type { Gate } from './gate.ts';

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
  const caller = (context: HttpContext) => callerOf(context, trustedProxies);
  return {
    allowanceOf: (context) => {
      const dueAtMs = performance.now() + (timeLeftMs(context.headers) ?? Infinity);
      let own: Caller | undefined;
      return requestAllowance(maxQueryCost, (cost, options, search) =>
        // known once the request is authenticated, which it is when it searches
        gate.takeTurn((own ??= caller(context)), cost, dueBy(dueAtMs, options), search),
      );
    },
    takeTurns: (context, next) => {
      const own = caller(context);
      callers.seen(own.peer);
      context.res.once('finish', () => {
        if (context.status === 503) callers.refused(own.peer);
      });
      return onBehalfOf(own, async () => {
        await yieldToEventLoop();
        if (!context.res.destroyed) await next();
      });
    },
  };
};

/** The options of a search that must end when its hub stops waiting. */
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
