import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { TributaryError } from '../../errors/errors.ts';
import { requestText } from '../../net/request-text.ts';

/**
 * The whole request body as text, decompressed.
 * @param limitBytes of the decompressed body
 * @throws TributaryError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE for an unknown encoding, BAD_USER_INPUT for one that
 *   cannot be decompressed
 */
export const readBody = (request: IncomingMessage, limitBytes: number): Promise<string> =>
  requestText(request, limitBytes, unpacked);

const unpacked = (request: IncomingMessage): Readable => {
  const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase();
  switch (encoding) {
    case 'identity':
      return request;
    case 'gzip':
      return joined(request, createGunzip());
    case 'deflate':
      return joined(request, createInflate());
    case 'br':
      return joined(request, createBrotliDecompress());
    default:
      throw new TributaryError(
        'UNSUPPORTED_MEDIA_TYPE',
        'the content encoding of the body is not known: identity, gzip, deflate or br expected',
      );
  }
};

/** `pipe` forwards data but not errors: a client that disconnects must end the decompression too. */
const joined = <T extends Readable & NodeJS.WritableStream>(from: Readable, to: T): T => {
  from.once('error', (error) => to.destroy(error));
  return from.pipe(to);
};
