import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { yieldToEventLoop } from '../../../lib/concurrency/yield-to-event-loop.ts';
import { badUserInput, TributaryError } from '../../../lib/errors/errors.ts';
import { JsonLevels, readJson } from '../../../lib/json/json.ts';
import { requestBytes } from '../../../lib/net/bodies.ts';
import { memoryOf, type HttpContext } from './http-context.ts';

/** Limits for the body of a request. */
export interface BodyLimits {
  /** The maximum size of the unpacked body. */
  readonly limitBytes: number;
}

/** The maximum levels of lists and objects in JSON from a client. */
const maxLevels = 100;

/** The maximum of values in JSON from a client: twice as many as the saved sets of one filter may hold. */
const maxValues = 500_000;
/** The maximum of lists, objects and keys; a filter of as many conditions as are accepted has 80 000. */
const maxParts = 100_000;

/** JSON from this length on waits for its turn to be parsed, which takes some milliseconds. */
const largeBytes = 64_000;

/** A body may unpack to this many times its size, which JSON seldom reaches, ... */
const maxRatio = 100;
/** ... and to this many bytes in any case. */
const freeBytes = 64 * 1024;

/** A byte of a body is held twice while its pieces are joined, and later as part of values. */
const heldPerByte = 2;
/** Memory for each list, object or other nested value; an empty list takes three bytes of a body. */
const heldPerValue = 32;

/** More fields than any form has: each takes time on the event loop. */
const maxFormFields = 1_000;

/**
 * Reads the JSON of a request's body; excessive nesting and too many parts are refused while it arrives.
 * @param problem the message for a body that is not JSON
 * @throws TributaryError PAYLOAD_TOO_LARGE, NOT_READY when there is no memory for it,
 *   UNSUPPORTED_MEDIA_TYPE for an unknown encoding, BAD_USER_INPUT for one that cannot be unpacked, is not JSON, is nested
 *   too deeply or has too many parts
 */
export const readJsonBody = async (
  context: HttpContext,
  limits: BodyLimits,
  problem: string,
): Promise<unknown> => {
  const levels = new JsonLevels(maxLevels);
  const bytes = await readBytes(context, limits, (chunk) => {
    const before = levels.values;
    countParts(levels, chunk);
    memoryOf(context)?.add((levels.values - before) * heldPerValue);
  });
  return parsedInTurn(bytes, problem);
};

/** What the body of a POST holds; `none`: it names no content type. */
type SentBody =
  | { readonly kind: 'form'; readonly fields: URLSearchParams }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'none' };

/**
 * Reads the JSON or the URL-encoded form of a request's body.
 * @throws TributaryError as readJsonBody; UNSUPPORTED_MEDIA_TYPE for other content
 */
export const readJsonOrForm = async (context: HttpContext, limits: BodyLimits): Promise<SentBody> => {
  const type = mediaTypeOf(context);
  switch (type) {
    case 'application/json':
    case 'application/graphql-response+json':
      return { kind: 'json', value: await readJsonBody(context, limits, 'the body is not JSON') };
    case 'application/x-www-form-urlencoded':
      return { kind: 'form', fields: await readForm(context, limits) };
    case '':
      return { kind: 'none' };
    default:
      throw new TributaryError(
        'UNSUPPORTED_MEDIA_TYPE',
        `content type ${type} is not accepted: application/json or application/x-www-form-urlencoded expected`,
      );
  }
};

/** The media type of a request's body, lowercase and without parameters; empty without one. */
const mediaTypeOf = (context: HttpContext): string =>
  context.get('content-type').split(';')[0]!.trim().toLowerCase();

/** The fields of a URL-encoded form. @throws as readJsonBody */
const readForm = async (context: HttpContext, limits: BodyLimits): Promise<URLSearchParams> => {
  let fields = 1;
  const bytes = await readBytes(context, limits, (chunk) => {
    for (let at = chunk.indexOf('&'); at >= 0; at = chunk.indexOf('&', at + 1)) fields += 1;
    if (fields > maxFormFields) throw badUserInput(`a form of at most ${maxFormFields} fields expected`);
  });
  return new URLSearchParams(bytes.toString());
};

/**
 * The value of JSON text from a client.
 * @param problem the message for any other text
 * @throws TributaryError BAD_USER_INPUT
 */
export const parseClientJson = async (text: string, problem: string): Promise<unknown> => {
  const bytes = Buffer.from(text);
  countParts(new JsonLevels(maxLevels), bytes);
  return parsedInTurn(bytes, problem);
};

const parsedInTurn = async (bytes: Buffer, problem: string): Promise<unknown> => {
  if (bytes.length < largeBytes) return parsed(bytes, problem);
  await yieldToEventLoop();
  const value = parsed(bytes, problem);
  // what is done with it takes as long
  await yieldToEventLoop();
  return value;
};

/** @throws TributaryError BAD_USER_INPUT */
const parsed = (bytes: Buffer, problem: string): unknown => {
  try {
    return readJson(bytes, { exact: 'rounded' });
  } catch (cause) {
    throw badUserInput(problem, { cause });
  }
};

/** @throws TributaryError BAD_USER_INPUT */
const countParts = (levels: JsonLevels, chunk: Buffer): void => {
  if (!levels.add(chunk)) throw badUserInput(`JSON nested at most ${maxLevels} levels deep expected`);
  if (levels.parts > maxParts)
    throw badUserInput(
      `JSON of at most ${maxParts} lists, objects and keys expected: put values in one list`,
    );
  if (levels.values > maxValues)
    throw badUserInput(`JSON of at most ${maxValues} values expected: save a long list of ids as a set`);
};

/** @param look called with each piece as it arrives; an error that it throws ends the reading */
const readBytes = async (
  context: HttpContext,
  { limitBytes }: BodyLimits,
  look: (chunk: Buffer) => void,
): Promise<Buffer> => {
  const memory = memoryOf(context);
  const { unpack, packedBytes } = unpacker(context);
  let bytes = 0;
  return requestBytes(context.req, limitBytes, unpack, (chunk) => {
    bytes += chunk.length;
    if (bytes > freeBytes + maxRatio * packedBytes())
      throw new TributaryError(
        'PAYLOAD_TOO_LARGE',
        `the body unpacks to more than ${maxRatio} times its size: send it with another content encoding or none`,
      );
    memory?.add(chunk.length * heldPerByte);
    memory?.onProgress(chunk.length);
    look(chunk);
  });
};

interface Unpacker {
  readonly unpack: (request: Readable) => Readable;
  /** How many packed bytes were read so far; without an encoding, Infinity: no limit applies. */
  readonly packedBytes: () => number;
}

/** @throws TributaryError UNSUPPORTED_MEDIA_TYPE */
const unpacker = ({ req: { headers } }: HttpContext): Unpacker => {
  switch ((headers['content-encoding'] ?? 'identity').toLowerCase()) {
    case 'identity':
      return { unpack: (request) => request, packedBytes: () => Infinity };
    case 'gzip':
      return joined(createGunzip());
    case 'deflate':
      return joined(createInflate());
    case 'br':
      return joined(createBrotliDecompress());
    default:
      throw new TributaryError(
        'UNSUPPORTED_MEDIA_TYPE',
        'the content encoding of the body is not known: identity, gzip, deflate or br expected',
      );
  }
};

/** `pipe` forwards data but not errors: a client that disconnects must end the decompression too. */
const joined = (to: Readable & NodeJS.WritableStream & { readonly bytesWritten: number }): Unpacker => ({
  unpack: (request) => {
    request.once('error', (error) => to.destroy(error));
    return request.pipe(to);
  },
  packedBytes: () => to.bytesWritten,
});
