import { TributaryError } from '../../../lib/errors/errors.ts';
import { isJsonObject, roomBeside } from '../../../lib/json/json.ts';
import { maxAnswerBytes } from '../../../lib/net/bodies.ts';
import { memoryOf, type HttpContext, type Middleware } from '../koa/http-context.ts';
import { Readable } from 'node:stream';
import { forCurrentWork, sliceMs, yieldToEventLoop } from '../../../lib/concurrency/yield-to-event-loop.ts';

/**
 * Responds to a request with a value as JSON.
 * @throws TributaryError RESPONSE_TOO_LARGE; NOT_READY when there is no memory for the response
 */
export type SendJson = (context: HttpContext, body: unknown) => Promise<void>;

/** Responses up to this size are serialized at once, which is fastest. */
const smallCharacters = 1024 * 1024;
/** Part of a response that is not accounted for: about what the kernel buffers per connection anyway. */
const uncountedBytes = 64 * 1024;

/** @param maxBytes the limit for one response */
export const jsonSender =
  (maxBytes = maxAnswerBytes): SendJson =>
  async (context, body) => {
    const { res } = context;
    const isLeft = (): boolean => res.closed || res.destroyed;
    // the client has left: further work would be wasted
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

/** Excludes class instances, which are streams and buffers. */
const isPlain = (body: unknown): boolean =>
  Array.isArray(body) || (isJsonObject(body) && Object.getPrototypeOf(body) === Object.prototype);

/** How much serialized text is buffered ahead of a slow client. */
const aheadBytes = 64 * 1024;

/** A value as a stream of its JSON text, serialized as it is read. */
export const jsonStream = (value: unknown): Readable => {
  const parts = jsonParts(value);
  const run = forCurrentWork();
  return new Readable({
    highWaterMark: aheadBytes,
    read() {
      void run(yieldToEventLoop).then(() => {
        for (;;) {
          if (this.destroyed) return;
          const next = parts.next();
          if (next.done === true) return void this.push(null);
          if (!this.push(next.value.text)) return;
        }
      });
    },
  });
};

/** The size of a response, or the path of keys that holds most of one that exceeds the limit. */
export type ResponseSize =
  | { readonly kind: 'fits'; readonly bytes: number }
  | { readonly kind: 'unwanted' }
  | { readonly kind: 'tooLarge'; readonly largestPath: readonly string[] };

/**
 * Computes the JSON size of a response in slices, without holding its text, and stops at the limit.
 * @param isUnwanted whether no client waits for the response any more, which ends the work
 */
export const responseSize = async (
  body: unknown,
  maxBytes: number,
  isUnwanted: () => boolean = () => false,
): Promise<ResponseSize> => {
  const byPath = new Map<string, { readonly path: readonly string[]; bytes: number }>();
  let bytes = 0;
  let until = performance.now() + sliceMs;
  if (isUnwanted()) return { kind: 'unwanted' };
  for (const { text, path } of jsonParts(body)) {
    const size = Buffer.byteLength(text);
    bytes += size;
    const key = path.join('.');
    const sum = byPath.get(key) ?? { path, bytes: 0 };
    sum.bytes += size;
    byPath.set(key, sum);
    if (bytes > maxBytes) {
      const [largest] = [...byPath.values()].sort((one, other) => other.bytes - one.bytes);
      return { kind: 'tooLarge', largestPath: largest!.path };
    }
    if (performance.now() < until) continue;
    await yieldToEventLoop();
    if (isUnwanted()) return { kind: 'unwanted' };
    until = performance.now() + sliceMs;
  }
  return { kind: 'fits', bytes };
};

/** A piece of a JSON text, and the keys of the list or object that it belongs to. */
interface JsonPart {
  readonly text: string;
  readonly path: readonly string[];
}

/** Approximate upper bound of a part; the largest part is the longest text made up of escapes only. */
const partCharacters = 16 * 1024;

/** Yields the JSON text of a value in parts, each generated on demand. */
function* jsonParts(value: unknown, path: readonly string[] = []): Generator<JsonPart, void> {
  const json = jsonValue(value);
  if (typeof json === 'string' && json.length > partCharacters) yield* stringParts(json, path);
  else if (typeof json !== 'object' || json === null || roomBeside(json, partCharacters) >= 0)
    yield { text: JSON.stringify(json), path };
  else if (Array.isArray(json)) yield* listParts(json, path);
  else yield* objectParts(json, path);
}

function* stringParts(long: string, path: readonly string[]): Generator<JsonPart, void> {
  yield { text: '"', path };
  for (let from = 0; from < long.length;) {
    let to = Math.min(long.length, from + partCharacters);
    // do not split a surrogate pair
    if (to < long.length && isFirstHalf(long.charCodeAt(to - 1))) to--;
    yield { text: JSON.stringify(long.slice(from, to)).slice(1, -1), path };
    from = to;
  }
  yield { text: '"', path };
}

const isFirstHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

function* listParts(list: readonly unknown[], path: readonly string[]): Generator<JsonPart, void> {
  yield { text: '[', path };
  for (let from = 0; from < list.length;) {
    if (from > 0) yield { text: ',', path };
    const to = from + fittingItems(list, from);
    if (to > from) yield { text: JSON.stringify(list.slice(from, to)).slice(1, -1), path };
    else yield* jsonParts(list[from], path);
    from = Math.max(to, from + 1);
  }
  yield { text: ']', path };
}

/** How many of the next items fit into one part; 0 if the first is too large. */
const fittingItems = (list: readonly unknown[], from: number): number => {
  let room = partCharacters;
  let to = from;
  while (to < list.length) {
    room = roomBeside(list[to], room);
    if (room < 0) break;
    to++;
  }
  return to - from;
};

function* objectParts(object: object, path: readonly string[]): Generator<JsonPart, void> {
  yield { text: '{', path };
  let before = '';
  for (const key of Object.keys(object)) {
    const value = jsonValue((object as Readonly<Record<string, unknown>>)[key]);
    if (isUnserializable(value)) continue;
    yield { text: `${before}${JSON.stringify(key)}:`, path };
    yield* jsonParts(value, [...path, key]);
    before = ',';
  }
  yield { text: '}', path };
}

/** The value that is serialized: the result of its `toJSON` if it has one, as in JSON.stringify. */
const jsonValue = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  const { toJSON } = value as { toJSON?: unknown };
  return typeof toJSON === 'function' ? (toJSON.call(value, '') as unknown) : value;
};

/** Whether JSON cannot represent a value: objects omit it, lists hold null instead. */
const isUnserializable = (value: unknown): boolean =>
  value === undefined || typeof value === 'function' || typeof value === 'symbol';
