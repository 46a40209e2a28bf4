import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { NotNow, SearchStopped } from '../columns/checkpoint.ts';
import { errorMessage } from './error-message.ts';
import type { ReplyMessage, RequestMessage, ThreadData } from './messages.ts';
import type { SearchRun } from '../query/search-run.ts';
import { countInterruption, countStopped, isStopped, takeAttention } from './thread-board.ts';

/** How a thread answers. */
export interface Answers<Request> {
  /**
   * The value of the reply. A search may end at its checkpoints.
   * @throws NotNow when it is inside another search and would change what that one looks at
   */
  readonly answer: (request: Request, running: SearchRun) => unknown;
  /** What the request is about, for errors that do not know it. */
  readonly subjectOf: (request: Request) => string;
  /** What is done once a reply is out. */
  readonly replied?: () => void;
}

/** The port of this thread, and what it was started with. */
export const port = parentPort!;
export const threadData = workerData as ThreadData;

/**
 * Answers one request after the other; one of kind `close` is the last. Urgent ones are answered at the next checkpoint
 * of the search that is under way, before it goes on.
 */
export const answerRequests = <Request extends { readonly kind: string }>(
  answers: Answers<Request>,
): void => {
  giveWay();
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
      return { id, ok: true, value: answers.answer(request, { checkpoint, isInside: depth > 1 }) };
    } catch (error) {
      if (error instanceof NotNow) return null;
      if (error instanceof SearchStopped) countStopped(board);
      return { id, ok: false, error: errorMessage(error, answers.subjectOf(request)) };
    }
  };

  const interrupt = (): void => {
    for (let next = receiveMessageOnPort(urgent); next !== undefined; next = receiveMessageOnPort(urgent)) {
      handle(next.message as RequestMessage<Request>);
      countInterruption(board);
    }
  };

  const begin = (message: RequestMessage<Request>): void => {
    handle(message);
    for (let next = postponed.shift(); next !== undefined; next = postponed.shift()) handle(next);
    answers.replied?.();
    if (message.request.kind === 'close') {
      urgent.close();
      port.close();
    }
  };
  port.on('message', begin);
  urgent.on('message', begin);
};

/** A third of what other threads get, where they want all of a processor. */
const niceness = 5;

/**
 * Lets the thread of the event loop go first where all processors are busy: it has little to do, for many. Linux knows
 * priorities of single threads; elsewhere all are alike.
 */
const giveWay = (): void => {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), niceness);
  } catch {
    // a container may forbid it, or hide /proc: then the threads are alike
  }
};
