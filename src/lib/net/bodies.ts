import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { expectLongWork, yieldToEventLoop } from '../concurrency/yield-to-event-loop.ts';
import { badUserInput, TributaryError } from '../errors/errors.ts';

/** The pieces of larger bodies are processed one after another. */
const smallBytes = 16 * 1024;

/**
 * The body of a request, never holding more in memory than allowed.
 * @param limitBytes the limit for the bytes read
 * @param unpack returns the stream to read; called only if the request is worth reading
 * @param look called with each piece as it is read; a TributaryError that it throws ends the reading
 * @throws TributaryError PAYLOAD_TOO_LARGE, BAD_USER_INPUT for a body that is truncated or cannot be decompressed
 */
export const requestBytes = async (
  request: IncomingMessage,
  limitBytes: number,
  unpack: (request: IncomingMessage) => Readable = (packed) => packed,
  look: (chunk: Buffer) => void = () => undefined,
): Promise<Buffer> => {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
  const chunks: Buffer[] = [];
  let bytes = 0;
  const body = unpack(request);
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: body !== request })) {
      bytes += (chunk as Buffer).length;
      if (bytes > limitBytes) throw tooLarge(limitBytes);
      if (bytes > smallBytes) {
        expectLongWork();
        await yieldToEventLoop();
      }
      look(chunk as Buffer);
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    // the rest is discarded, as Node.js does with an unread body, so that the answer and the connection's next request get through
    request.unpipe().resume();
    if (error instanceof TributaryError) throw error;
    throw badUserInput('the request body cannot be read to its end', {
      cause: error,
    });
  }
  return Buffer.concat(chunks);
};

/** All bytes of a stream; null if there are more than allowed, in which case they are not held. */
export const collectBytes = async (
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Buffer | null> => {
  const taken: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    // leaving the loop cancels the stream
    if (bytes > maxBytes) return null;
    taken.push(chunk);
  }
  return Buffer.concat(taken, bytes);
};

const tooLarge = (limitBytes: number): TributaryError =>
  new TributaryError('PAYLOAD_TOO_LARGE', `the body is larger than the ${limitBytes} bytes allowed`);

/**
 * The maximum bytes of one decompressed response: nodes accept this from each other, so no node may be set to send more.
 */
export const maxAnswerBytes = 64 * 1024 * 1024;
