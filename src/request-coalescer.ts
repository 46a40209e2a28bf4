import { unlessAborted } from './on-abort.ts';

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
    try {
      return await (signal === undefined ? shared.answer : unlessAborted(shared.answer, signal, left));
    } finally {
      shared.waiters -= 1;
      if (shared.waiters === 0 && !shared.isSettled) {
        // whoever asks from now on starts another one
        this.#end(key, shared);
        // a deadline that ends the last wait is a failure of the callee; a caller who leaves is not
        shared.controller.abort(signal?.reason);
      }
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
    const end = (): void => this.#end(key, shared);
    shared.answer.then(end, end);
    this.#underWay.set(key, shared);
    return shared;
  }

  #end(key: string, shared: UnderWay<Answer>): void {
    shared.isSettled = true;
    if (this.#underWay.get(key) === shared) this.#underWay.delete(key);
  }
}
