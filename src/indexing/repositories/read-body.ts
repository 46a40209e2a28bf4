/** The largest answer that is read, in bytes after decompression: 64 MiB. */
export const maxBodyBytes = 64 * 1024 * 1024;

export type Body =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tooLarge' }
  | { readonly kind: 'notUtf8' };

/**
 * A body as text, as long as it is within the limit; no more than the limit is ever held.
 * @throws what the stream throws
 */
export const readBody = async (stream: AsyncIterable<Uint8Array> | null): Promise<Body> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream ?? []) {
    size += chunk.byteLength;
    // leaving the loop cancels the stream
    if (size > maxBodyBytes) return { kind: 'tooLarge' };
    chunks.push(chunk);
  }
  try {
    return {
      kind: 'text',
      text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks, size)),
    };
  } catch {
    return { kind: 'notUtf8' };
  }
};
