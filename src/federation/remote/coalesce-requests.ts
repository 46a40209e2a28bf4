import { print } from 'graphql';
import { TributaryError } from '../../errors/errors.ts';
import { RequestCoalescer } from '../../net/request-coalescer.ts';
import type { DocumentRequest } from './document-executor.ts';
import type { GraphqlAnswer, GraphqlRequest } from './graphql-over-http.ts';
import { deadlineHeader } from './passed-on.ts';

type Request = Pick<GraphqlRequest, 'headers' | 'signal'>;

/**
 * Coalesces concurrent equal requests to one node into one: the same content, and the same headers but for those that
 * only name the request or limit its time. The request is aborted when its last waiter leaves.
 * @param contentOf what a request sends besides its headers
 */
export const coalesced = <Sent extends Request>(
  send: (request: Sent) => Promise<GraphqlAnswer>,
  contentOf: (request: Sent) => string,
): ((request: Sent) => Promise<GraphqlAnswer>) => {
  const calls = new RequestCoalescer<GraphqlAnswer>();
  return (request) =>
    calls.share(
      decidingHeaders(request.headers) + contentOf(request),
      request.signal,
      (signal, answered) => send({ ...request, signal }).then(answered),
      tooLate,
      (answer) => answer,
    );
};

export const bodyOf = ({ body }: GraphqlRequest): string => body;

export const documentTextOf = ({ document, variables = {} }: DocumentRequest): string =>
  print(document) + JSON.stringify(variables);

/** They name or trace a request, or limit its time; every other header may carry rights, and so decides the answer. */
const namingHeaders = new Set(['x-request-id', 'traceparent', 'tracestate', deadlineHeader]);

const decidingHeaders = (headers: Request['headers']): string => {
  const deciding = Object.entries(headers).filter(([name]) => !namingHeaders.has(name.toLowerCase()));
  return JSON.stringify(deciding.sort());
};

/** @param reason of a deadline: what it was */
const tooLate = (reason: unknown): TributaryError =>
  reason instanceof TributaryError
    ? reason
    : new TributaryError('NODE_TIMEOUT', 'did not answer in time', { cause: reason });
