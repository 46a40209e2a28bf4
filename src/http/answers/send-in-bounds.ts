import { isJsonObject } from '../../json/json.ts';
import type { Middleware } from '../koa/http-context.ts';
import type { SendJson } from './send-json.ts';

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
