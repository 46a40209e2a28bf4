import { TributaryError } from '../../errors/errors.ts';
import type { HttpContext } from '../koa/http-context.ts';
import { responseMemory } from './response-memory.ts';
import { responseSize, type ResponseSize } from './response-size.ts';
import { jsonStream } from './json-stream.ts';
import { roomBeside } from '../../json/large/json-weight.ts';

/**
 * Responds to a request with a value as JSON.
 * @throws TributaryError RESPONSE_TOO_LARGE, NOT_READY while too many large responses are being sent
 */
export type SendJson = (context: HttpContext, body: unknown) => Promise<void>;

/** Up to this size a response is serialized at once, which is fastest. */
const smallCharacters = 1024 * 1024;
/** Part of a response that is not accounted for: about what the kernel buffers for a connection anyway. */
const uncountedBytes = 64 * 1024;
/** How many responses of the maximum size fit in memory at a time. */
const largestAtOnce = 2;

/** @param maxBytes of one response */
export const jsonSender = (maxBytes: number): SendJson => {
  const room = responseMemory(Math.max(maxBytes, smallCharacters) * largestAtOnce);
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
      if (bytes > maxBytes) throw tooLarge(maxBytes, await responseSize(body, maxBytes));
      if (bytes > uncountedBytes) waits(bytes);
      context.body = text;
      return;
    }
    const size = await responseSize(body, maxBytes);
    if (size.kind === 'tooLarge') throw tooLarge(maxBytes, size);
    // the client may have disconnected in the meantime
    if (res.closed) return;
    context.body = jsonStream(body, waits(size.bytes).taken);
    context.length = size.bytes;
  };
};

const tooLarge = (maxBytes: number, size: ResponseSize): TributaryError => {
  const path = size.kind === 'tooLarge' ? size.largestPath.filter((key) => key !== 'data').join('.') : '';
  const where = path === '' ? '' : `, most of it in ${path}`;
  return new TributaryError(
    'RESPONSE_TOO_LARGE',
    `the answer is larger than the ${maxBytes} bytes allowed${where}: ${advice(path)}`,
    { details: { maxBytes, ...(path === '' ? {} : { path }) } },
  );
};

const advice = (path: string): string => {
  if (/(^|\.)edges$/.test(path)) return 'request fewer fields or hits (first), and continue with searchAfter';
  if (/(^|\.)buckets$/.test(path)) return 'request fewer buckets, or less in each';
  return 'request less, or use several requests';
};
