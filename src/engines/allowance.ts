import { badUserInput } from '../lib/errors/errors.ts';

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

/**
 * Runs a search when it is its caller's turn.
 * @param cost the estimate for it, in microseconds of CPU time
 * @param search gets the options with the wait deducted from `timeoutMs`
 * @throws TributaryError NOT_READY when too much is waiting, ENGINE_TIMEOUT when it is cancelled; errors of the search
 */
export type TakeTurn = <Options extends TurnOptions, Answer extends { readonly tookMs: number }>(
  cost: number,
  options: Options,
  search: (options: Options) => Promise<Answer>,
) => Promise<Answer>;

export interface TurnOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

/** What the searches of one request may cost, and when they run. */
export interface Allowance {
  /** Resolves when a search may run. @throws TributaryError BAD_USER_INPUT when the request is too expensive */
  admit(cost: Cost): Promise<void>;
  readonly takeTurn: TakeTurn;
  /** For paging through any number of pages: each page is judged separately. */
  readonly paged: Allowance;
}

/**
 * The allowance of a request. Searches started at the same time are judged together before any of them runs: they
 * belong to one request, and if it is rejected, the first ones would be wasted work.
 * @param maxCost the maximum cost of one request; 0 means no limit
 */
export const requestAllowance = (maxCost: number, takeTurn: TakeTurn): Allowance => {
  let admitted: Cost[] = [];
  let pending: Cost[] = [];
  let checked: Promise<void> | null = null;
  const checkTogether = (): void => {
    const now = pending;
    [pending, checked] = [[], null];
    const whole = totalCost([...admitted, ...now]);
    rejectTooExpensive(whole, maxCost);
    admitted = [whole];
  };
  const paged: Allowance = {
    admit: async (cost) => rejectTooExpensive(cost, maxCost),
    takeTurn,
    get paged() {
      return paged;
    },
  };
  return {
    admit: (cost) => {
      pending.push(cost);
      checked ??= afterMicrotasks().then(checkTogether);
      return checked;
    },
    ...{ takeTurn, paged },
  };
};

/** Searches started at the same time arrive in successive promise callbacks: resolves after all of these. */
const afterMicrotasks = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

/** @throws TributaryError BAD_USER_INPUT naming the most expensive part and how much of it would fit */
const rejectTooExpensive = (cost: Cost, maxCost: number): void => {
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
