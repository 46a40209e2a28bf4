import { onAbort } from './on-abort.ts';

interface UnderWay<Answer> {
  readonly answer: Promise<Answer>;
  readonly controller: AbortController;
  waiters: number;
  isSettled: boolean;
}

/** Merges equal concurrent calls into one. */
export class RequestCoalescer<Answer> {
  readonly #underWay = new Map<string, UnderWay<Answer>>();

  /**
   * The result of the equal call in progress, or else of `call`.
   * @param key the same for equal calls
   * @param signal of this caller, who leaves when it is aborted; the call is aborted when its last caller leaves, with
   *   that one's reason
   * @param left the error for a caller who leaves
   */
  async share(
    key: string,
    signal: AbortSignal | undefined,
    call: (signal: AbortSignal) => Promise<Answer>,
    left: (reason: unknown) => Error,
  ): Promise<Answer> {
    const shared = this.#underWay.get(key) ?? this.#start(key, call);
    shared.waiters += 1;
    const { promise: leaving, reject } = Promise.withResolvers<never>();
    const end = signal && onAbort(signal, () => reject(left(signal.reason)));
    try {
      return await (signal === undefined ? shared.answer : Promise.race([shared.answer, leaving]));
    } finally {
      end?.();
      shared.waiters -= 1;
      // a deadline that ends the last wait is a failure of the callee; a caller who leaves is not
      if (shared.waiters === 0 && !shared.isSettled) shared.controller.abort(signal?.reason);
    }
  }

  /** Calls in progress are not shared with later ones. */
  forget(): void {
    this.#underWay.clear();
  }

  #start(key: string, call: (signal: AbortSignal) => Promise<Answer>): UnderWay<Answer> {
    const controller = new AbortController();
    const shared: UnderWay<Answer> = {
      answer: call(controller.signal),
      controller,
      waiters: 0,
      isSettled: false,
    };
    const forget = (): void => {
      shared.isSettled = true;
      // a connection keeps its last request with its signal, and by this listener it would keep the answer too
      controller.signal.removeEventListener('abort', forget);
      if (this.#underWay.get(key) === shared) this.#underWay.delete(key);
    };
    controller.signal.addEventListener('abort', forget, { once: true });
    shared.answer.then(forget, forget);
    this.#underWay.set(key, shared);
    return shared;
  }
}
