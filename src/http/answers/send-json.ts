import { TributaryError } from '../../errors/errors.ts';
import { isJsonObject, roomBeside } from '../../json/json.ts';
import type { HttpContext, Middleware } from '../koa/http-context.ts';
import type { ResponseSize } from './json-text.ts';
import { jsonStream, responseSize } from './json-text.ts';

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
  const memory = responseMemory(Math.max(maxBytes, smallCharacters) * largestAtOnce);
  return async (context, body) => {
    const { res } = context;
    const isLeft = (): boolean => res.closed || res.destroyed;
    // what follows would be done for nobody
    if (isLeft()) return;
    const reserve = (bytes: number): PendingResponse => {
      const pending = memory.take(bytes, () => res.destroy());
      res.once('close', pending.end);
      return pending;
    };
    if (roomBeside(body, smallCharacters) >= 0) {
      const text = JSON.stringify(body);
      const bytes = Buffer.byteLength(text);
      if (bytes > maxBytes) throw tooLarge(maxBytes, await responseSize(body, maxBytes));
      if (bytes > uncountedBytes) reserve(bytes);
      context.body = text;
      return;
    }
    const size = await responseSize(body, maxBytes, isLeft);
    if (size.kind === 'tooLarge') throw tooLarge(maxBytes, size);
    if (size.kind === 'unwanted' || isLeft()) return;
    context.body = jsonStream(body, reserve(size.bytes).onRead);
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

/** Sends object bodies of routes; Koa would serialize them into one string of any size. */
export const sendInBounds =
  (sendJson: SendJson): Middleware =>
  async (context, next) => {
    await next();
    const body: unknown = context.body;
    if (isPlain(body)) await sendJson(context, body);
  };

/** Class instances are streams and buffers. */
const isPlain = (body: unknown): boolean =>
  Array.isArray(body) || (isJsonObject(body) && Object.getPrototypeOf(body) === Object.prototype);

/** A response held in memory until its client has read it. */
export interface PendingResponse {
  /** To be called when the client reads some of it. */
  readonly onRead: () => void;
  /** To be called when it has been sent or abandoned. */
  readonly end: () => void;
}

export interface ResponseMemory {
  /**
   * Reserves memory for a response of that many bytes.
   * @param abort aborts the response if its client reads nothing and the memory is needed for others
   * @throws TributaryError NOT_READY
   */
  readonly take: (bytes: number, abort: () => void) => PendingResponse;
}

/** A client that has read nothing for this long may be dropped to make room for another. */
const stalledMs = 2_000;

/** Bounds the memory of all large responses together; a limit per response does not bound their number. */
export const responseMemory = (maxBytes: number): ResponseMemory => {
  // ordered by how long the client has read nothing, longest first
  const pending = new Set<{ readonly bytes: number; readonly abort: () => void; readMs: number }>();
  let used = 0;
  return {
    take: (bytes, abort) => {
      const response = { bytes, abort, readMs: performance.now() };
      for (const stalled of pending) {
        if (used + bytes <= maxBytes || stalled.readMs > response.readMs - stalledMs) break;
        pending.delete(stalled);
        used -= stalled.bytes;
        stalled.abort();
      }
      if (used + bytes > maxBytes)
        throw new TributaryError('NOT_READY', 'too many large responses are in progress; try again soon');
      pending.add(response);
      used += bytes;
      return {
        onRead: () => {
          response.readMs = performance.now();
          if (pending.delete(response)) pending.add(response);
        },
        end: () => {
          if (pending.delete(response)) used -= bytes;
        },
      };
    },
  };
};
