import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { TributaryError } from '../../errors.ts';
import { requestText } from '../../request-text.ts';

/**
 * The whole body of a request as text, unpacked.
 * @param limitBytes of the unpacked body
 * @throws TributaryError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE for an unknown encoding, BAD_USER_INPUT for one
 *   that does not unpack
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

/** `pipe` hands on data but not failure: a client that goes away must end the unpacking too. */
const joined = <T extends Readable & NodeJS.WritableStream>(from: Readable, to: T): T => {
  from.once('error', (error) => to.destroy(error));
  return from.pipe(to);
};
