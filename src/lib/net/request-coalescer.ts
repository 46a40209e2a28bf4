import { onAbort } from '../concurrency/abort-listener.ts';

/**
 * A call that is shared.
 * @param signal aborted when no caller waits any longer
 * @param answered to be called once with the answer, before the promise resolves
 * @returns a promise whose rejection is passed to all waiting callers
 */
export type SharedCall<Answer> = (
  signal: AbortSignal,
  answered: (answer: Answer) => void,
) => Promise<unknown>;

/** Merges equal concurrent calls into one. */
export class RequestCoalescer<Answer> {
  readonly #underWay = new Map<string, UnderWay<Answer>>();

  /**
   * The result for one caller, taken from the equal call in progress, or else from `call`.
   * @param key the same for equal calls
   * @param signal the signal of this caller, who leaves when it is aborted; the call is aborted when its last caller
   *   leaves, with that caller's reason
   * @param left the error for a caller who leaves
   * @param take reads the answer as it arrives, for this caller only; what it throws is rethrown to this caller
   */
  share<Taken>(
    key: string,
    signal: AbortSignal | undefined,
    call: SharedCall<Answer>,
    left: (reason: unknown) => Error,
    take: (answer: Answer) => Taken,
  ): Promise<Taken> {
    const underWay = this.#underWay.get(key);
    const shared = underWay ?? this.#open(key);
    const taken = new Promise<Taken>((resolve, reject) => {
      const waiter: Waiter<Answer> = {
        answered: (answer) => {
          remove?.();
          try {
            resolve(take(answer));
          } catch (error) {
            // the error unchanged
            reject(error as Error);
          }
        },
        failed: (error) => {
          remove?.();
          reject(error);
        },
      };
      shared.add(waiter);
      const remove =
        signal &&
        onAbort(signal, () => {
          reject(left(signal.reason));
          shared.leave(waiter, signal.reason);
        });
    });
    // after the first waiter is registered
    if (underWay === undefined) shared.begin(call);
    return taken;
  }

  /** Prevents later callers from sharing calls in progress. */
  forget(): void {
    this.#underWay.clear();
  }

  #open(key: string): UnderWay<Answer> {
    const shared = new UnderWay<Answer>(() => {
      if (this.#underWay.get(key) === shared) this.#underWay.delete(key);
    });
    this.#underWay.set(key, shared);
    return shared;
  }
}

/** A caller waiting for a call; settled once. */
interface Waiter<Answer> {
  readonly answered: (answer: Answer) => void;
  readonly failed: (error: Error) => void;
}

/** One call, and the callers waiting for it. */
class UnderWay<Answer> {
  readonly #controller = new AbortController();
  readonly #ended: () => void;
  #waiters: Waiter<Answer>[] = [];

  /** @param ended called once it is settled or all callers have left */
  constructor(ended: () => void) {
    this.#ended = ended;
  }

  begin(call: SharedCall<Answer>): void {
    const answered = (answer: Answer): void => {
      for (const waiter of this.#end()) waiter.answered(answer);
    };
    call(this.#controller.signal, answered).catch((error: unknown) => {
      // the error unchanged
      for (const waiter of this.#end()) waiter.failed(error as Error);
    });
  }

  add(waiter: Waiter<Answer>): void {
    this.#waiters.push(waiter);
  }

  /** A deadline that ends the last wait is a failure of the callee; a caller who leaves is not. */
  leave(waiter: Waiter<Answer>, reason: unknown): void {
    this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
    if (this.#waiters.length > 0) return;
    // later callers start another call
    this.#ended();
    this.#controller.abort(reason);
  }

  #end(): readonly Waiter<Answer>[] {
    const waiters = this.#waiters;
    this.#waiters = [];
    this.#ended();
    return waiters;
  }
}
