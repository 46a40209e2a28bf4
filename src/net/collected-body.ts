import type { Readable } from 'node:stream';

/**
 * The complete body. Event listeners are cheaper than iteration, and reading bodies takes most of a request's time.
 * @param maxBytes beyond this the stream is abandoned, with the error from `tooLarge`
 * @throws the error of the stream
 */
export const collectedBody = (
  body: Readable,
  maxBytes = Infinity,
  tooLarge: () => Error = () => new RangeError(`the body is larger than ${maxBytes} bytes`),
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    body.on('data', (chunk: Buffer) => {
      bytes += chunk.byteLength;
      chunks.push(chunk);
      if (bytes > maxBytes) body.destroy(tooLarge());
    });
    body.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes)));
    body.on('error', reject);
  });
