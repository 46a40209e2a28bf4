import { TributaryError } from '../../errors.ts';
import type { RequestContext } from '../koa/request-context.ts';
import { answerRoom } from './answer-room.ts';
import { answerSize, type AnswerSize } from './answer-size.ts';
import { jsonStream } from './json-stream.ts';
import { roomBeside } from '../../large-json/json-weight.ts';

/**
 * Makes a value the answer to a request, as JSON.
 * @throws TributaryError RESPONSE_TOO_LARGE, NOT_READY while too many large answers are on their way
 */
export type SendJson = (context: RequestContext, body: unknown) => Promise<void>;

/** Up to here an answer is written at once, which is fastest. */
const smallCharacters = 1024 * 1024;
/** What an answer may take that is not counted with the others: about what the kernel holds for a connection anyway. */
const uncountedBytes = 64 * 1024;
/** How many of the largest answers there is room for at a time. */
const largestAtOnce = 2;

/** @param mostBytes of one answer */
export const jsonSender = (mostBytes: number): SendJson => {
  const room = answerRoom(Math.max(mostBytes, smallCharacters) * largestAtOnce);
  return async (context, body) => {
    const { res } = context;
    const waits = (bytes: number) => {
      const waiting = room.take(bytes, () => res.destroy());
      res.once('close', waiting.end);
      return waiting;
    };
    if (roomBeside(body, smallCharacters) >= 0) {
      const text = JSON.stringify(body);
      const bytes = Buffer.byteLength(text);
      if (bytes > mostBytes) throw tooLarge(mostBytes, await answerSize(body, mostBytes));
      if (bytes > uncountedBytes) waits(bytes);
      context.body = text;
      return;
    }
    const size = await answerSize(body, mostBytes);
    if (size.kind === 'tooLarge') throw tooLarge(mostBytes, size);
    // who has left meanwhile is not written to
    if (res.closed) return;
    context.body = jsonStream(body, waits(size.bytes).taken);
    context.length = size.bytes;
  };
};

const tooLarge = (mostBytes: number, size: AnswerSize): TributaryError => {
  const path = size.kind === 'tooLarge' ? size.mostlyIn.filter((key) => key !== 'data').join('.') : '';
  const where = path === '' ? '' : `, most of it in ${path}`;
  return new TributaryError(
    'RESPONSE_TOO_LARGE',
    `the answer is larger than the ${mostBytes} bytes allowed${where}: ${advice(path)}`,
    { details: { mostBytes, ...(path === '' ? {} : { path }) } },
  );
};

const advice = (path: string): string => {
  if (/(^|\.)edges$/.test(path)) return 'ask for fewer fields or hits (first), and go on with searchAfter';
  if (/(^|\.)buckets$/.test(path)) return 'ask for fewer buckets, or less in each';
  return 'ask for less, or in several requests';
};
