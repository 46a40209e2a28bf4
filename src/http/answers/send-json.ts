import { TributaryError } from '../../errors/errors.ts';
import { isJsonObject, roomBeside } from '../../json/json.ts';
import type { HttpContext, Middleware } from '../koa/http-context.ts';
import { memoryOf } from '../koa/http-context.ts';
import type { ResponseSize } from './json-text.ts';
import { jsonStream, responseSize } from './json-text.ts';

/**
 * Responds to a request with a value as JSON.
 * @throws TributaryError RESPONSE_TOO_LARGE, NOT_READY when there is no memory for it
 */
export type SendJson = (context: HttpContext, body: unknown) => Promise<void>;

/** Up to this size a response is serialized at once, which is fastest. */
const smallCharacters = 1024 * 1024;
/** Part of a response that is not accounted for: about what the kernel buffers for a connection anyway. */
const uncountedBytes = 64 * 1024;

/** @param maxBytes of one response */
export const jsonSender =
  (maxBytes: number): SendJson =>
  async (context, body) => {
    const { res } = context;
    const isLeft = (): boolean => res.closed || res.destroyed;
    // what follows would be done for nobody
    if (isLeft()) return;
    if (roomBeside(body, smallCharacters) >= 0) {
      const text = JSON.stringify(body);
      const bytes = Buffer.byteLength(text);
      if (bytes > maxBytes) throw tooLarge(maxBytes, await responseSize(body, maxBytes));
      if (bytes > uncountedBytes) memoryOf(context)?.raiseTo(bytes);
      context.body = text;
      return;
    }
    const size = await responseSize(body, maxBytes, isLeft);
    if (size.kind === 'tooLarge') throw tooLarge(maxBytes, size);
    if (size.kind === 'unwanted' || isLeft()) return;
    memoryOf(context)?.raiseTo(size.bytes);
    context.body = jsonStream(body);
    context.length = size.bytes;
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
