import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { NotNow, SearchStopped, type SearchRun } from '../columns/search-run.ts';
import type {
  ErrorMessage,
  ReaderRequest,
  ReplyMessage,
  RequestMessage,
  ThreadData,
  WriterRequest,
} from './messages.ts';
import { isStopped, takeAttention } from './messages.ts';
import { TributaryError } from '../../../lib/errors/errors.ts';
import { fileError } from '../store/file-error.ts';

/** This thread's port and start data. */
export const port = parentPort!;
/** What the thread was started with. */
export const threadData = workerData as ThreadData;

/**
 * Answers requests one at a time until one of kind `close`. Urgent ones are answered at the next checkpoint of the
 * running search, before it continues.
 * @param answer returns the value of the reply; a search may be stopped at its checkpoints; throws NotNow when it
 *   interrupts another search and would change what that one reads
 * @param replied called after each reply
 */
export const answerRequests = <Request extends WriterRequest | ReaderRequest>(
  answer: (request: Request, running: SearchRun) => unknown,
  replied: () => void = () => undefined,
): void => {
  const { board, urgent } = threadData;
  const postponed: RequestMessage<Request>[] = [];
  let depth = 0;

  const handle = (message: RequestMessage<Request>): void => {
    depth++;
    const reply = replyTo(message);
    depth--;
    if (reply === null) postponed.push(message);
    else port.postMessage(reply);
  };

  const replyTo = ({ id, slot, request }: RequestMessage<Request>): ReplyMessage | null => {
    const checkpoint = (): void => {
      if (isStopped(board, slot)) throw new SearchStopped();
      if (takeAttention(board)) interrupt();
    };
    try {
      checkpoint();
      return { id, ok: true, value: answer(request, { checkpoint, isInside: depth > 1 }) };
    } catch (error) {
      if (error instanceof NotNow) return null;
      return { id, ok: false, error: errorMessage(error, subjectOf(request)) };
    }
  };

  const interrupt = (): void => {
    for (let next = receiveMessageOnPort(urgent); next !== undefined; next = receiveMessageOnPort(urgent))
      handle(next.message as RequestMessage<Request>);
  };

  const begin = (message: RequestMessage<Request>): void => {
    handle(message);
    for (let next = postponed.shift(); next !== undefined; next = postponed.shift()) handle(next);
    replied();
    if (message.request.kind === 'close') {
      urgent.close();
      port.close();
    }
  };
  port.on('message', begin);
  urgent.on('message', begin);
};

/** What a request is about, for errors that do not say. */
const subjectOf = (request: WriterRequest | ReaderRequest): string => {
  const about = request.kind === 'manage' ? request.action : request;
  if ('index' in about) return `index ${about.index}`;
  return 'alias' in about ? `alias ${about.alias}` : 'the data folder';
};

/** Encodes an error for the main thread. @param subject what the request is about, for errors that do not say */
const errorMessage = (error: unknown, subject: string): ErrorMessage => {
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (error instanceof SearchStopped) return { code: 'ENGINE_TIMEOUT', message: error.message };
  const known = error instanceof TributaryError ? error : fileError(error, subject);
  if (known === null) return { code: 'ENGINE_ERROR', message: 'the embedded engine failed', cause };
  const { code, message, details } = known;
  return {
    code,
    message,
    ...(details !== undefined && { details }),
    ...(known !== error && { cause }),
    ...(known === error && known.cause instanceof Error && { cause: known.cause.stack ?? '' }),
  };
};
