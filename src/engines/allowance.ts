import { TributaryError } from '../errors.ts';
import { totalCost, type Cost, type CostPart } from './cost-breakdown.ts';

/** What the searches of one request may cost. */
export interface Allowance {
  /** Who asks: callers take turns in the engine. */
  readonly caller: string;
  /**
   * Resolves when a search may run.
   * @throws TributaryError BAD_USER_INPUT for a question that is too dear, TOO_MANY_REQUESTS for one too many
   */
  admit(cost: Cost): Promise<void>;
  /** For going through page after page, however many there are: each is judged alone. */
  readonly paged: Allowance;
}

export interface AllowanceLimits {
  /** What one request may cost; 0 is no limit. */
  readonly maxCost: number;
  /** Who asks, once it is known. */
  readonly caller: () => string;
  readonly budget: Budget;
}

/** What a caller may use up, in costs. */
export interface Budget {
  /** @throws TributaryError TOO_MANY_REQUESTS when it is used up */
  take(caller: string, cost: number): void;
  /** The same for what goes on: it only stands in the way of what comes next. */
  use(caller: string, cost: number): void;
}

/**
 * The allowance of a request. Searches that a request asks at once are judged together, before any of them runs: one
 * question is asked in several, and the first of them would be work for nothing.
 */
export const requestAllowance = (limits: AllowanceLimits): Allowance => {
  let admitted: Cost[] = [];
  let asked: Cost[] = [];
  let checked: Promise<void> | null = null;
  const checkTogether = (): void => {
    const now = asked;
    [asked, checked] = [[], null];
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
      asked.push(cost);
      checked ??= allAsked().then(checkTogether);
      return checked;
    },
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
    get paged() {
      return paged;
    },
  };
  return paged;
};

/** Searches asked at once come one promise after the other: behind all of these. */
const allAsked = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

/** @throws TributaryError BAD_USER_INPUT that says what costs most and how much of it would fit */
const rejectTooExpensive = (cost: Cost, { maxCost: mostCost }: AllowanceLimits): void => {
  if (mostCost === 0 || cost.total <= mostCost) return;
  const mostExpensive = cost.parts.reduce((most, part) => (part.cost > most.cost ? part : most));
  // as if the rest became less in the same measure: more buckets have more top hits
  const fits = Math.floor((mostExpensive.count * mostCost) / cost.total);
  const total = Math.ceil(cost.total);
  throw new TributaryError(
    'BAD_USER_INPUT',
    `the query costs ${total}, more than the ${mostCost} allowed, most of it for ${named(mostExpensive)}: ${advice(fits, mostExpensive)}`,
    {
      details: {
        cost: total,
        mostCost,
        dearest: { what: mostExpensive.what, count: mostExpensive.count, fits },
      },
    },
  );
};

const named = ({ what, count, cost }: CostPart): string => `${count} ${what} (${Math.ceil(cost)})`;

const advice = (fits: number, { what }: CostPart): string =>
  fits >= 1 ? `about ${fits} would fit` : `no ${what} fit here, ask for something else`;
