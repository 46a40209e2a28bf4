import { parentPort, workerData } from 'node:worker_threads';
import { SearchStopped, type Checkpoint } from './checkpoint.ts';
import { errorMessage } from './error-message.ts';
import type { ReplyMessage, RequestMessage, ThreadData } from './messages.ts';
import { countStopped, isStopped } from './thread-board.ts';

/** How a thread answers. */
export interface Answers<Request> {
  /** The value of the reply. A search may end at its checkpoints. */
  readonly answer: (request: Request, checkpoint: Checkpoint) => unknown;
  /** What the request is about, for errors that do not know it. */
  readonly subjectOf: (request: Request) => string;
  /** What is done once a reply is out. */
  readonly replied?: () => void;
}

/** The port of this thread, and what it was started with. */
export const port = parentPort!;
export const threadData = workerData as ThreadData;

/** Answers one request after the other; one of kind `close` is the last. */
export const answerRequests = <Request extends { readonly kind: string }>(
  answers: Answers<Request>,
): void => {
  port.on('message', (message: RequestMessage<Request>) => {
    port.postMessage(reply(message, answers));
    answers.replied?.();
    if (message.request.kind === 'close') port.close();
  });
};

const reply = <Request>(
  { id, slot, request }: RequestMessage<Request>,
  { answer, subjectOf }: Answers<Request>,
): ReplyMessage => {
  const { board } = threadData;
  const checkpoint = (): void => {
    if (isStopped(board, slot)) throw new SearchStopped();
  };
  try {
    checkpoint();
    return { id, ok: true, value: answer(request, checkpoint) };
  } catch (error) {
    if (error instanceof SearchStopped) countStopped(board);
    return { id, ok: false, error: errorMessage(error, subjectOf(request)) };
  }
};
