import { TributaryError } from '../errors.ts';
import type { GraphqlAnswer, GraphqlExecutor, GraphqlRequest } from './transport.ts';

interface Shared {
  readonly answer: Promise<GraphqlAnswer>;
  readonly controller: AbortController;
  waiters: number;
}

/**
 * Sends requests that are equal while one of them is under way only once: same node, same body, same value of every
 * header. The request is aborted when its last waiter leaves.
 */
export const sharedInFlight = (execute: GraphqlExecutor): GraphqlExecutor => {
  const underWay = new Map<string, Shared>();
  const start = (key: string, request: GraphqlRequest): Shared => {
    const controller = new AbortController();
    const answer = execute({ ...request, signal: controller.signal });
    const shared: Shared = { answer, controller, waiters: 0 };
    const forget = (): void => {
      if (underWay.get(key) === shared) underWay.delete(key);
    };
    controller.signal.addEventListener('abort', forget, { once: true });
    answer.then(forget, forget);
    underWay.set(key, shared);
    return shared;
  };
  return async (request) => {
    const key = keyOf(request);
    const shared = underWay.get(key) ?? start(key, request);
    shared.waiters += 1;
    try {
      return await Promise.race([shared.answer, left(request.signal)]);
    } finally {
      shared.waiters -= 1;
      // a deadline that ends the last wait is a failure of the node, a caller who leaves is none
      if (shared.waiters === 0 && underWay.get(key) === shared)
        shared.controller.abort(request.signal.reason);
    }
  };
};

const keyOf = ({ body, headers }: GraphqlRequest): string =>
  JSON.stringify([Object.entries(headers).sort()]) + body;

const left = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const leave = (): void => reject(new TributaryError('NODE_TIMEOUT', 'did not answer in time'));
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
