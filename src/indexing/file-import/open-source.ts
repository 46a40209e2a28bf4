import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { TributaryError } from '../../errors.ts';

/** An opened import file: uncompressed bytes, and how far its own bytes are read. */
export interface ImportSource {
  /** The first uncompressed bytes (at most 64 KiB), which `chunks` also gives. */
  readonly head: Buffer;
  readonly chunks: AsyncIterable<Buffer>;
  /** Bytes read of the file as it is stored. */
  readonly bytesRead: () => number;
  /** Its size as it is stored; null when it is not known (standard input). */
  readonly size: number | null;
}

const chunkBytes = 256 * 1024;
const headBytes = 64 * 1024;

/**
 * Opens a file, or standard input (`-`). Gzip is told by content, not by name.
 * @throws TributaryError INPUT_INVALID a file that cannot be read, or damaged compressed data (also while reading)
 */
export const openSource = async (file: string, stdin: Readable): Promise<ImportSource> => {
  const size = file === '-' ? null : await fileSize(file);
  const stored = file === '-' ? stdin : createReadStream(file, { highWaterMark: chunkBytes });
  let bytesRead = 0;
  const counted = counting(stored, file, (bytes) => {
    bytesRead += bytes;
  });
  const start = await takeHead(counted);
  const plain = isGzip(start.head) ? await takeHead(gunzip(start.chunks, file)) : start;
  return { ...plain, size, bytesRead: () => bytesRead };
};

const fileSize = async (file: string): Promise<number> => {
  try {
    const found = await stat(file);
    if (found.isDirectory()) throw unreadable(file, 'it is a folder');
    return found.size;
  } catch (cause) {
    throw cause instanceof TributaryError ? cause : unreadable(file, reasonOf(cause), cause);
  }
};

const counting = async function* (
  stored: Readable,
  file: string,
  count: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of stored) {
      const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      count(bytes.length);
      yield bytes;
    }
  } catch (cause) {
    throw unreadable(file, reasonOf(cause), cause);
  }
};

const isGzip = (head: Buffer): boolean => head[0] === 0x1f && head[1] === 0x8b;

const gunzip = async function* (chunks: AsyncIterable<Buffer>, file: string): AsyncGenerator<Buffer> {
  const plain = createGunzip({ chunkSize: chunkBytes });
  // pipeline destroys `plain` with the error, which ends the loop below; its callback has nothing to add.
  pipeline(chunks, plain, () => undefined);
  try {
    for await (const chunk of plain) yield chunk as Buffer;
  } catch (cause) {
    if (cause instanceof TributaryError) throw cause;
    throw unreadable(file, `its compressed data are damaged or cut off (${reasonOf(cause)})`, cause);
  }
};

/** Reads until the head is full or the stream ends, and gives it back in front of the rest. */
const takeHead = async (
  chunks: AsyncGenerator<Buffer>,
): Promise<{ head: Buffer; chunks: AsyncIterable<Buffer> }> => {
  const taken: Buffer[] = [];
  let bytes = 0;
  while (bytes < headBytes) {
    const next = await chunks.next();
    if (next.done === true) break;
    taken.push(next.value);
    bytes += next.value.length;
  }
  const replay = async function* (): AsyncGenerator<Buffer> {
    yield* taken.splice(0);
    yield* chunks;
  };
  return { head: Buffer.concat(taken).subarray(0, headBytes), chunks: replay() };
};

const unreadable = (file: string, why: string, cause?: unknown): TributaryError =>
  new TributaryError('INPUT_INVALID', `cannot read ${file === '-' ? 'standard input' : file}: ${why}`, {
    cause,
  });

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
