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
export const totalCost = (costs: readonly Cost[]): Cost => {
  const bill = new CostBreakdown();
  for (const { parts } of costs) for (const { what, count, cost } of parts) bill.add(what, count, cost);
  return bill.cost();
};
