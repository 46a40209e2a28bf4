import { print } from 'graphql';
import { TributaryError } from '../../errors.ts';
import { RequestCoalescer } from '../../request-coalescer.ts';
import { deadlineHeader } from './passed-on.ts';
import type { DocumentExecutor } from './document-executor.ts';
import type { GraphqlAnswer, GraphqlExecutor } from './transport.ts';

/**
 * Coalesces concurrent identical requests into one: same node, same body, same value of every header. The request is
 * aborted when its last waiter gives up.
 */
export const coalesceRequests = (execute: GraphqlExecutor): GraphqlExecutor =>
  sharing(execute, ({ body }) => body);

/** The same for documents: same text and variables, same value of every header. */
export const sharedDocuments = (execute: DocumentExecutor): DocumentExecutor =>
  sharing(execute, ({ document, variables = {} }) => print(document) + JSON.stringify(variables));

interface Sendable {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const sharing = <Request extends Sendable>(
  execute: (request: Request) => Promise<GraphqlAnswer>,
  contentOf: (request: Request) => string,
): ((request: Request) => Promise<GraphqlAnswer>) => {
  const calls = new RequestCoalescer<GraphqlAnswer>();
  return (request) => {
    // askers of one moment have much the same time left
    const headers = Object.entries(request.headers).filter(([name]) => name !== deadlineHeader);
    // without any, the text as it is: a thousand nodes may be sent the same, which is hashed once
    const named = headers.length === 0 ? '' : JSON.stringify([headers.sort()]);
    const key = named + contentOf(request);
    return calls.share(key, request.signal, (signal) => execute({ ...request, signal }), tooLate);
  };
};

const tooLate = (): TributaryError => new TributaryError('NODE_TIMEOUT', 'did not answer in time');
