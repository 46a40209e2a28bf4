import { LRUCache } from 'lru-cache';
import type { Budget } from '../../engines/allowance.ts';
import { TributaryError } from '../../errors.ts';

/** What a caller who was quiet may use up at once, in seconds of the budget. */
const savedSeconds = 5;
/** A question of so small a part of what may be saved is let through when dear ones have used all of it up. */
const smallPart = 1 / 200;
const maxCallers = 100_000;

/** What a caller has left, and when that was. */
interface Balance {
  readonly left: number;
  readonly atMs: number;
}

/**
 * How much each caller may cost the engine: so much a second, saved up for a few seconds. A question is let through when
 * all of its cost is there, or as much as can be saved, so that no question can never be asked.
 * @param perSecond 0 is no limit
 */
export const callerBudgets = (perSecond: number, nowMs: () => number = () => performance.now()): Budget => {
  const most = perSecond * savedSeconds;
  const balances = new LRUCache<string, Balance>({ max: maxCallers });
  const leftOf = (caller: string): number => {
    const known = balances.get(caller);
    if (known === undefined) return most;
    return Math.min(most, known.left + ((nowMs() - known.atMs) / 1000) * perSecond);
  };
  const use = (caller: string, cost: number): void => {
    if (perSecond > 0) balances.set(caller, { left: leftOf(caller) - cost, atMs: nowMs() });
  };
  return {
    use,
    take: (caller, cost) => {
      const isSmall = cost <= most * smallPart;
      const needed = isSmall ? cost - most * smallPart * 10 : Math.min(cost, most);
      const lacking = needed - leftOf(caller);
      if (perSecond > 0 && lacking > 0) throw usedUp(perSecond, Math.ceil(lacking / perSecond));
      use(caller, cost);
    },
  };
};

const usedUp = (perSecond: number, retryAfterSeconds: number): TributaryError =>
  new TributaryError(
    'TOO_MANY_REQUESTS',
    `your questions cost more than ${perSecond} a second: ask again in ${retryAfterSeconds} s`,
    { details: { retryAfterSeconds } },
  );
