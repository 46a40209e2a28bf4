import type { Readable } from 'node:stream';

/**
 * A body, whole. Listening costs less than iterating, and bodies are what most of a request's time goes into.
 * @param maxBytes past these it is left, for the reason that `tooLarge` gives
 * @throws what the stream fails with
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
