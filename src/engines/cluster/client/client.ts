import { setTimeout as sleep } from 'node:timers/promises';
import { TributaryError } from '../../../errors.ts';
import { isJsonObject } from '../../../json.ts';
import type { SearchOptions } from '../../engine.ts';
import { isOverload, noAnswerError, serverFailure } from './failure.ts';
import { NoAnswer, type ClusterAnswer, type ClusterRequest, type Transport } from './transport.ts';

export interface RetryPolicy {
  /** Tries in all. */
  readonly tries: number;
  /** The longest wait before the second try; it doubles with each further one. */
  readonly backoffMs: number;
  /** The deadline of a request that brings none. */
  readonly timeoutMs: number;
}

export const defaultRetryPolicy: RetryPolicy = { tries: 4, backoffMs: 200, timeoutMs: 60_000 };

/** What a request may be: sent again after a failure, and within what time all of it must be done. */
export interface SendOptions extends SearchOptions {
  /** Sending it twice does no more than sending it once. */
  readonly repeatable: boolean;
  /** What is asked, for messages: `search of files`. */
  readonly what: string;
}

/** Sends requests until a deadline. Busy servers and lost connections are tried again, after a random wait that grows. */
export interface ClusterClient {
  /**
   * @returns the answer of the last try, whatever its status
   * @throws TributaryError ENGINE_TIMEOUT past the deadline or when cancelled, ENGINE_UNAVAILABLE, ENGINE_ERROR
   */
  send(request: ClusterRequest, options: SendOptions): Promise<ClusterAnswer>;
  close(): Promise<void>;
}

export const clusterClient = (
  transport: Transport,
  policy: RetryPolicy = defaultRetryPolicy,
): ClusterClient => ({
  send: async (request, options) => {
    const { timeoutMs = policy.timeoutMs } = options;
    const deadline = performance.now() + timeoutMs;
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
    for (let tried = 1; ; tried += 1) {
      const outcome = await attempt(transport, request, signal, Math.max(1, deadline - performance.now()));
      if (options.signal?.aborted === true)
        throw new TributaryError('ENGINE_TIMEOUT', 'the request was cancelled', {
          cause: options.signal.reason,
        });
      const waitMs = Math.random() * policy.backoffMs * 2 ** (tried - 1);
      const again = options.repeatable && tried < policy.tries && performance.now() + waitMs < deadline;
      if (!again || !isPassing(outcome)) return given(outcome, options.what, timeout.aborted);
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  },
  close: () => transport.close(),
});

type Outcome = ClusterAnswer | NoAnswer;

const attempt = async (
  transport: Transport,
  request: ClusterRequest,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<Outcome> => {
  try {
    return await transport.send(request, { timeoutMs, signal });
  } catch (error) {
    if (error instanceof NoAnswer) return error;
    throw error;
  }
};

/** Whether it may go better the next time. A search among several in one request may alone have been too much. */
const isPassing = (outcome: Outcome): boolean => {
  if (outcome instanceof NoAnswer) return outcome.reason === 'connection' || outcome.reason === 'unreadable';
  const { status, body } = outcome;
  if (!isJsonObject(body)) return isOverload(status, serverFailure(undefined));
  if (status >= 400) return isOverload(status, serverFailure(body['error']));
  const responses = body['responses'];
  return (
    Array.isArray(responses) &&
    responses.some(
      (response: unknown) =>
        isJsonObject(response) && isOverload(Number(response['status']), serverFailure(response['error'])),
    )
  );
};

const given = (outcome: Outcome, what: string, late: boolean): ClusterAnswer => {
  if (!(outcome instanceof NoAnswer)) return outcome;
  throw noAnswerError(late ? new NoAnswer('timeout', outcome.cause) : outcome, what);
};
