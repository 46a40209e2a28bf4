import { isJsonObject } from '../../json.ts';
import type { Middleware } from '../koa/request-context.ts';
import type { SendJson } from './send-json.ts';

/** Sends what a route gives as an object, which Koa would make one text of whatever its size. */
export const sendInBounds =
  (sendJson: SendJson): Middleware =>
  async (context, next) => {
    await next();
    const body: unknown = context.body;
    if (isPlain(body)) await sendJson(context, body);
  };

/** Objects of classes are streams and buffers. */
const isPlain = (body: unknown): boolean =>
  Array.isArray(body) || (isJsonObject(body) && Object.getPrototypeOf(body) === Object.prototype);
