import { TributaryError } from '../errors.ts';
import type { SearchOptions } from './engine.ts';
import { FairQueue } from './fair-queue.ts';

/** Limits the number of expensive searches running at once, so that threads are left for others; callers take turns. */
export class ExpensiveSearches {
  readonly #waiting = new FairQueue<() => void>();
  readonly #atOnce: number;
  readonly #expensiveCost: number;
  #running = 0;

  /** @param expensiveCost the cost from which a search is expensive */
  constructor(atOnce: number, expensiveCost: number) {
    this.#atOnce = atOnce;
    this.#expensiveCost = expensiveCost;
  }

  /** The number of searches waiting for their turn. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Runs a search when it is its turn.
   * @throws TributaryError ENGINE_TIMEOUT when it is abandoned while waiting; errors of the search
   */
  async run<Answer>(
    { priority, signal }: Pick<SearchOptions, 'priority' | 'signal'>,
    search: () => Promise<Answer>,
  ): Promise<Answer> {
    if (priority === undefined || priority.cost < this.#expensiveCost) return search();
    await new Promise<void>((resolve, reject) => {
      const begin = (): void => {
        signal?.removeEventListener('abort', leave);
        this.#running++;
        resolve();
      };
      const leave = (): void => {
        this.#waiting.delete(begin);
        reject(cancelled(signal?.reason));
      };
      if (signal?.aborted === true) return leave();
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.add(begin, priority);
      this.#beginNext();
    });
    try {
      return await search();
    } finally {
      this.#running--;
      this.#beginNext();
    }
  }

  #beginNext(): void {
    if (this.#running < this.#atOnce) this.#waiting.take()?.();
  }
}

const cancelled = (reason: unknown): TributaryError =>
  new TributaryError('ENGINE_TIMEOUT', 'the request was cancelled', { cause: reason });
