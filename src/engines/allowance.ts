import { badUserInput } from '../errors/errors.ts';

/** The cost of a search, broken down into parts. */
export interface Cost {
  readonly total: number;
  readonly parts: readonly CostPart[];
}

/** All items of one kind in a search. */
export interface CostPart {
  /** The plural noun of the items, as in `12 <what>`. */
  readonly what: string;
  readonly count: number;
  readonly cost: number;
}

/** Sums up the parts of a search by kind. */
export class CostBreakdown {
  readonly #parts = new Map<string, { count: number; cost: number }>();

  /** @param what the kind of item, in the plural */
  add(what: string, count: number, cost: number): void {
    const part = this.#parts.get(what) ?? { count: 0, cost: 0 };
    part.count += count;
    part.cost += cost;
    this.#parts.set(what, part);
  }

  cost(): Cost {
    const parts = Array.from(this.#parts, ([what, part]) => ({ what, ...part }));
    return { total: parts.reduce((sum, { cost }) => sum + cost, 0), parts };
  }
}

/** The total cost of several searches. */
const totalCost = (costs: readonly Cost[]): Cost => {
  const bill = new CostBreakdown();
  for (const { parts } of costs) for (const { what, count, cost } of parts) bill.add(what, count, cost);
  return bill.cost();
};

/** The cost limits for the searches of one request. */
export interface Allowance {
  /** The caller: the engine schedules callers fairly. */
  readonly caller: string;
  /**
   * Resolves when a search may run.
   * @throws TributaryError BAD_USER_INPUT when the request is too expensive, TOO_MANY_REQUESTS when the caller's budget
   *   is used up
   */
  admit(cost: Cost): Promise<void>;
  /** Charges the caller for work whose cost is known only afterwards: its next requests wait for it. */
  owe(cost: number): void;
  /** For paging through any number of pages: each page is judged separately. */
  readonly paged: Allowance;
}

export interface AllowanceLimits {
  /** The maximum cost of one request; 0 means no limit. */
  readonly maxCost: number;
  /** The caller, once known. */
  readonly caller: () => string;
  readonly budget: Budget;
}

/** A caller's budget, in search costs. */
export interface Budget {
  /** @throws TributaryError TOO_MANY_REQUESTS when the budget is used up */
  take(caller: string, cost: number): void;
  /** Charges work already in progress: never throws, but uses up what is left for other requests. */
  use(caller: string, cost: number): void;
  /** Charges even more than is left, leaving at most the maximum budget as a debt. */
  owe(caller: string, cost: number): void;
}

/**
 * The allowance of a request. Searches started at the same time are judged together before any of them runs: they
 * belong to one request, and if it is rejected, the first ones would be wasted work.
 */
export const requestAllowance = (limits: AllowanceLimits): Allowance => {
  let admitted: Cost[] = [];
  let pending: Cost[] = [];
  let checked: Promise<void> | null = null;
  const checkTogether = (): void => {
    const now = pending;
    [pending, checked] = [[], null];
    const whole = totalCost([...admitted, ...now]);
    rejectTooExpensive(whole, limits);
    limits.budget.take(limits.caller(), totalCost(now).total);
    admitted = [whole];
  };
  return {
    get caller() {
      return limits.caller();
    },
    admit: (cost) => {
      pending.push(cost);
      checked ??= afterMicrotasks().then(checkTogether);
      return checked;
    },
    owe: (cost) => limits.budget.owe(limits.caller(), cost),
    paged: pagedAllowance(limits),
  };
};

const pagedAllowance = (limits: AllowanceLimits): Allowance => {
  let isFirst = true;
  const paged: Allowance = {
    get caller() {
      return limits.caller();
    },
    admit: async (cost) => {
      await Promise.resolve();
      rejectTooExpensive(cost, limits);
      limits.budget[isFirst ? 'take' : 'use'](limits.caller(), cost.total);
      isFirst = false;
    },
    owe: (cost) => limits.budget.use(limits.caller(), cost),
    get paged() {
      return paged;
    },
  };
  return paged;
};

/** Searches started at the same time arrive in successive promise callbacks: resolves after all of these. */
const afterMicrotasks = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

/** @throws TributaryError BAD_USER_INPUT naming the most expensive part and how much of it would fit */
const rejectTooExpensive = (cost: Cost, { maxCost }: AllowanceLimits): void => {
  if (maxCost === 0 || cost.total <= maxCost) return;
  const mostExpensive = cost.parts.reduce((most, part) => (part.cost > most.cost ? part : most));
  // assumes the rest shrinks in proportion: fewer buckets have fewer top hits
  const fits = Math.floor((mostExpensive.count * maxCost) / cost.total);
  const total = Math.ceil(cost.total);
  throw badUserInput(
    `the query costs ${total}, more than the ${maxCost} allowed, most of it for ${named(mostExpensive)}: ${advice(fits, mostExpensive)}`,
    {
      details: {
        cost: total,
        maxCost,
        dearest: { what: mostExpensive.what, count: mostExpensive.count, fits },
      },
    },
  );
};

const named = ({ what, count, cost }: CostPart): string => `${count} ${what} (${Math.ceil(cost)})`;

const advice = (fits: number, { what }: CostPart): string =>
  fits >= 1 ? `about ${fits} would fit` : `no ${what} fit here, request something else`;
