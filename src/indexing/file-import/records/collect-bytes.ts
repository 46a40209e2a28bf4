import { TributaryError } from '../../../errors/errors.ts';

/**
 * All bytes of a file whose format can only be read as a whole.
 * @throws TributaryError INPUT_INVALID more than `maxBytes`
 */
export const collectBytes = async (
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
  instead: string,
): Promise<Buffer> => {
  const taken: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new TributaryError('INPUT_INVALID', `the file has more than ${mebibytes(maxBytes)}, and must be read in one piece: ${instead}`); // prettier-ignore
    taken.push(chunk);
  }
  return Buffer.concat(taken);
};

/** Bytes as whole MiB. */
export const mebibytes = (bytes: number): string => `${String(Math.ceil(bytes / 1024 / 1024))} MiB`;
