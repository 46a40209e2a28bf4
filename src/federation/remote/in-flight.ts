import { TributaryError } from '../../errors.ts';
import { SharedCalls } from '../../shared-calls.ts';
import type { GraphqlAnswer, GraphqlExecutor, GraphqlRequest } from './transport.ts';

/**
 * Sends requests that are equal while one of them is under way only once: same node, same body, same value of every
 * header. The request is aborted when its last waiter leaves.
 */
export const sharedInFlight = (execute: GraphqlExecutor): GraphqlExecutor => {
  const calls = new SharedCalls<GraphqlAnswer>();
  return (request) =>
    calls.share(keyOf(request), request.signal, (signal) => execute({ ...request, signal }), tooLate);
};

const keyOf = ({ body, headers }: GraphqlRequest): string =>
  JSON.stringify([Object.entries(headers).sort()]) + body;

const tooLate = (): TributaryError => new TributaryError('NODE_TIMEOUT', 'did not answer in time');
