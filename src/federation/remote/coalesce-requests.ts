import { print } from 'graphql';
import { TributaryError } from '../../errors/errors.ts';
import { RequestCoalescer, type SharedCall } from '../../net/request-coalescer.ts';
import { deadlineHeader } from './passed-on.ts';
import type { DocumentExecutor } from './document-executor.ts';
import type { GraphqlAnswer, GraphqlExecutor, GraphqlRequest } from './transport.ts';

/**
 * Coalesces concurrent identical requests into one: same node, same body, same value of every header. The request is
 * aborted when its last waiter gives up.
 */
export const coalesceRequests = (execute: GraphqlExecutor): GraphqlExecutor => {
  const calls = new RequestCoalescer<GraphqlAnswer>();
  return (request, take) => {
    const call: SharedCall<GraphqlAnswer> = (signal, answered) => execute({ ...request, signal }, answered);
    return calls.share(nameOf(request.headers) + request.body, request.signal, call, tooLate, take);
  };
};

/** The same for documents: same text and variables, same value of every header. */
export const sharedDocuments = (execute: DocumentExecutor): DocumentExecutor => {
  const calls = new RequestCoalescer<GraphqlAnswer>();
  return (request) => {
    const { document, variables = {}, headers } = request;
    const name = nameOf(headers) + print(document) + JSON.stringify(variables);
    const call: SharedCall<GraphqlAnswer> = (signal, answered) =>
      execute({ ...request, signal }).then(answered);
    return calls.share(name, request.signal, call, tooLate, (answer) => answer);
  };
};

/** Askers of one moment have much the same time left. */
const nameOf = (headers: GraphqlRequest['headers']): string => {
  const named = Object.entries(headers).filter(([name]) => name !== deadlineHeader);
  // without any, the text as it is: a thousand nodes may be sent the same, which is hashed once
  return named.length === 0 ? '' : JSON.stringify([named.sort()]);
};

/** @param reason of a deadline: what it was */
const tooLate = (reason: unknown): TributaryError =>
  reason instanceof TributaryError
    ? reason
    : new TributaryError('NODE_TIMEOUT', 'did not answer in time', { cause: reason });
