import { TributaryError } from '../../errors.ts';

/**
 * The text of a UTF-8 byte stream, without a byte order mark.
 * @throws TributaryError INPUT_INVALID bytes that are not UTF-8, with their place
 */
export const decodeText = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let read = 0;
  const decode = (chunk?: Buffer): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (cause) {
      const where = `between byte ${String(read)} and ${String(read + (chunk?.length ?? 0))}`;
      throw new TributaryError('INPUT_INVALID', `the text is not UTF-8 (${where}): save it as UTF-8`, {
        cause,
      });
    }
  };
  for await (const chunk of chunks) {
    yield decode(chunk);
    read += chunk.length;
  }
  yield decode();
};
