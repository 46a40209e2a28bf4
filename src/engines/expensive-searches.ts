import { TributaryError } from '../errors/errors.ts';
import type { Priority, SearchOptions } from './engine.ts';
import { FairQueue } from './fair-queue.ts';

/** Limits the number of expensive searches running at once, so that threads are left for others; callers are served fairly. */
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

  /** The number of searches in the queue. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Runs a search once a slot is free.
   * @param search gets the options, with the wait deducted from `timeoutMs`
   * @throws TributaryError ENGINE_TIMEOUT when it is abandoned while waiting, or when that takes all of its time; errors
   *   of the search
   */
  async run<Answer>(
    options: SearchOptions,
    search: (options: SearchOptions) => Promise<Answer>,
  ): Promise<Answer> {
    const { priority, timeoutMs } = options;
    if (priority === undefined || priority.cost < this.#expensiveCost) return search(options);
    const queuedMs = performance.now();
    await this.#acquire(priority, options);
    const leftMs = timeoutMs && Math.max(1, Math.ceil(timeoutMs - (performance.now() - queuedMs)));
    try {
      return await search(leftMs === undefined ? options : { ...options, timeoutMs: leftMs });
    } finally {
      this.#running--;
      this.#beginNext();
    }
  }

  #acquire(priority: Priority, { signal, timeoutMs }: SearchOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        settle();
        this.#running++;
        resolve();
      };
      const leave = (error: TributaryError): void => {
        settle();
        this.#waiting.delete(begin);
        reject(error);
      };
      const cancel = (): void => leave(cancelled(signal?.reason));
      const timer = timeoutMs && setTimeout(() => leave(timedOut(timeoutMs)), timeoutMs);
      const settle = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', cancel);
      };
      if (signal?.aborted === true) return cancel();
      signal?.addEventListener('abort', cancel, { once: true });
      this.#waiting.add(begin, priority);
      this.#beginNext();
    });
  }

  #beginNext(): void {
    if (this.#running < this.#atOnce) this.#waiting.take()?.();
  }
}

const cancelled = (reason: unknown): TributaryError =>
  new TributaryError('ENGINE_TIMEOUT', 'the request was cancelled', { cause: reason });

const timedOut = (timeoutMs: number): TributaryError =>
  new TributaryError(
    'ENGINE_TIMEOUT',
    `no answer within ${timeoutMs} ms: other expensive searches took all of it; request less, or try again later`,
  );
