import { parentPort } from 'node:worker_threads';
import type { ReplyMessage, RequestMessage } from '../../../../../src/engines/embedded/threads/messages.ts';

// In place of the engine's thread: answers with the requested index, takes its time on `slow`, and dies of `crash` and
// `exit` as a defect or a lack of memory would kill it.

/** Longer than any test asks for. */
const slowMs = 1_000;

parentPort!.on('message', ({ id, request }: RequestMessage) => {
  const index = 'index' in request ? request.index : request.kind;
  if (index === 'crash') throw new Error('a defect');
  if (index === 'exit') process.exit(3);
  const answer = (): void => {
    parentPort!.postMessage({ id, ok: true, value: index } satisfies ReplyMessage);
    if (request.kind === 'close') parentPort!.close();
  };
  setTimeout(answer, index === 'slow' ? slowMs : 0);
});
