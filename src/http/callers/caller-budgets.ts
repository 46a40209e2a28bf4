import { LRUCache } from 'lru-cache';
import type { Budget } from '../../engines/allowance.ts';
import { TributaryError } from '../../errors/errors.ts';

/** How much an idle caller can save up, in seconds of the budget. */
const savedSeconds = 5;
/** A query that costs at most this part of the maximum balance passes even when expensive ones have used it up. */
const smallPart = 1 / 200;
const maxCallers = 100_000;

/** A caller's remaining budget, and when it was last computed. */
interface Balance {
  readonly left: number;
  readonly atMs: number;
}

/**
 * Limits what each caller may cost the engine per second; unused budget is saved for a few seconds. A query passes when
 * the balance covers its cost or is at its maximum, so that every query can run eventually.
 * @param perSecond 0 is no limit
 */
export const callerBudgets = (perSecond: number, nowMs: () => number = () => performance.now()): Budget => {
  const max = perSecond * savedSeconds;
  const balances = new LRUCache<string, Balance>({ max: maxCallers });
  const leftOf = (caller: string): number => {
    const known = balances.get(caller);
    if (known === undefined) return max;
    return Math.min(max, known.left + ((nowMs() - known.atMs) / 1000) * perSecond);
  };
  const use = (caller: string, cost: number): void => {
    if (perSecond > 0) balances.set(caller, { left: leftOf(caller) - cost, atMs: nowMs() });
  };
  return {
    use,
    take: (caller, cost) => {
      const isSmall = cost <= max * smallPart;
      const needed = isSmall ? cost - max * smallPart * 10 : Math.min(cost, max);
      const lacking = needed - leftOf(caller);
      if (perSecond > 0 && lacking > 0) throw usedUp(perSecond, Math.ceil(lacking / perSecond));
      use(caller, cost);
    },
  };
};

const usedUp = (perSecond: number, retryAfterSeconds: number): TributaryError =>
  new TributaryError(
    'TOO_MANY_REQUESTS',
    `your requests cost more than ${perSecond} per second: try again in ${retryAfterSeconds} s`,
    { details: { retryAfterSeconds } },
  );
