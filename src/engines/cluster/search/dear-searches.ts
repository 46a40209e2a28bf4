import { TributaryError } from '../../../errors.ts';
import type { SearchOptions } from '../../engine.ts';
import { FairQueue } from '../../fair-queue.ts';

/** A search that costs more than half a second of a processor is dear: a server has few threads for searches. */
const dearCost = 500_000;
const dearAtOnce = 2;

/** Sends a server few dear searches at once, so that it has threads left for the others; callers take turns. */
export class DearSearches {
  readonly #waiting = new FairQueue<() => void>();
  #running = 0;

  /**
   * Runs a search when it is its turn.
   * @throws TributaryError ENGINE_TIMEOUT when it is given up before, and what the search throws
   */
  async run<Answer>(
    { priority, signal }: Pick<SearchOptions, 'priority' | 'signal'>,
    search: () => Promise<Answer>,
  ): Promise<Answer> {
    if (priority === undefined || priority.cost < dearCost) return search();
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
    if (this.#running < dearAtOnce) this.#waiting.take()?.();
  }
}

const cancelled = (reason: unknown): TributaryError =>
  new TributaryError('ENGINE_TIMEOUT', 'the request was cancelled', { cause: reason });
