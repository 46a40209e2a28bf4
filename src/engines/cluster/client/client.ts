import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts';
import { retryAfterMs, openRetryBudget, retrying } from '../../../lib/net/retry.ts';
import type { SearchOptions } from '../../engine.ts';
import { cancelled } from '../../engine.ts';
import { isOverload, noAnswerError, serverFailure, succeeded } from './failure.ts';
import type { ClusterRequest } from './nodes.ts';
import { NoAnswer, type ClusterAnswer, type Transport, type TransportOptions } from './transport.ts';

export interface RetryPolicy {
  /** The total number of attempts. */
  readonly tries: number;
  /** The maximum wait before the second attempt; it doubles with each further one. */
  readonly backoffMs: number;
  /** The deadline of a request without one of its own. */
  readonly timeoutMs: number;
}

/** Four attempts within a minute. */
export const defaultRetryPolicy: RetryPolicy = { tries: 4, backoffMs: 200, timeoutMs: 60_000 };

/** Whether a request may be retried after a failure, and the time limit for all attempts together. */
export interface SendOptions extends SearchOptions {
  /** Whether sending it twice has the same effect as sending it once. */
  readonly repeatable: boolean;
  /** What is requested, for messages: `search of files`. */
  readonly what: string;
}

/**
 * Sends requests until a deadline. Busy servers are asked again as `retrying` does; over lost connections the libraries
 * below send again, within the same number of attempts.
 */
export interface ClusterClient {
  /**
   * @returns the response of the last attempt, whatever its status
   * @throws TributaryError ENGINE_TIMEOUT past the deadline or when cancelled, ENGINE_UNAVAILABLE, ENGINE_ERROR
   */
  send(request: ClusterRequest, options: SendOptions): Promise<ClusterAnswer>;
  close(): Promise<void>;
}

/** A client over a transport; all requests share a budget of retries. */
export const clusterClient = (
  transport: Transport,
  policy: RetryPolicy = defaultRetryPolicy,
): ClusterClient => {
  const budget = openRetryBudget();
  return {
    send: async (request, options) => {
      const { timeoutMs = policy.timeoutMs } = options;
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
      const mayRepeat = options.repeatable && options.once !== true;
      const work = (attempt: number): Promise<Outcome> => {
        const retries = mayRepeat ? policy.tries - attempt : 0;
        return outcomeOf(transport, request, { signal, retries, backoffMs: policy.backoffMs });
      };
      const { outcome } = await retrying(work, {
        attempts: policy.tries,
        delays: { firstMs: policy.backoffMs, maxMs: Infinity },
        isIdempotent: options.repeatable,
        isTransient: options.once === true ? isUnreadable : isTransient,
        retryAfterMs: (failed) => (failed instanceof NoAnswer ? null : retryAfterMs(failed.retryAfter)),
        ...{ deadlineMs: performance.now() + timeoutMs, signal, budget },
      });
      if (options.signal?.aborted === true) throw cancelled(options.signal.reason);
      return answerOf(outcome, options.what, timeout.aborted);
    },
    close: () => transport.close(),
  };
};

/** The body of a successful response. @throws TributaryError as `send` does, and for a response that reports a failure */
export const answerBody = async (
  client: ClusterClient,
  request: ClusterRequest,
  options: SendOptions,
): Promise<JsonObject> => succeeded(await client.send(request, options), options.what);

type Outcome = ClusterAnswer | NoAnswer;

const outcomeOf = async (
  transport: Transport,
  request: ClusterRequest,
  options: TransportOptions,
): Promise<Outcome> => {
  try {
    return await transport.send(request, options);
  } catch (error) {
    if (error instanceof NoAnswer) return error;
    throw error;
  }
};

/** A caller that retries by itself cannot distinguish this from a lasting failure. */
const isUnreadable = (outcome: Outcome): boolean =>
  outcome instanceof NoAnswer && outcome.reason === 'unreadable';

/** Whether a retry may succeed. In a multi-search, a single search may be the one that was rejected. */
const isTransient = (outcome: Outcome): boolean => {
  if (outcome instanceof NoAnswer) return isUnreadable(outcome);
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

const answerOf = (outcome: Outcome, what: string, late: boolean): ClusterAnswer => {
  if (!(outcome instanceof NoAnswer)) return outcome;
  throw noAnswerError(late ? new NoAnswer('timeout', outcome.cause) : outcome, what);
};
