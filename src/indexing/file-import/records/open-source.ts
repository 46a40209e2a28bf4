import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { addAbortSignal, pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { invalidInput, TributaryError } from '../../../lib/errors/errors.ts';
import { fileReason } from '../../../lib/runtime/file-failure.ts';

/** An opened import file: its uncompressed bytes and the reading progress. */
export interface ImportSource {
  /** The first uncompressed bytes (at most 64 KiB), also part of `chunks`. */
  readonly head: Buffer;
  readonly chunks: AsyncIterable<Buffer>;
  /** Opens the file again; undefined for standard input and other streams. */
  readonly reread: (() => AsyncIterable<Buffer>) | undefined;
  /** The number of bytes read from the stored file. */
  readonly bytesRead: () => number;
  /** Its stored size; null if unknown (a stream). */
  readonly size: number | null;
}

/** How to open a file. */
export interface OpenOptions {
  /** The encoding of its text; undefined: UTF-8, or UTF-16 if its mark says so. */
  readonly encoding?: string | undefined;
  /** Aborts reading with its reason. */
  readonly signal?: AbortSignal | undefined;
}

const chunkBytes = 256 * 1024;
const headBytes = 64 * 1024;

/**
 * Opens a file, or standard input (`-`). Gzip is detected by content, not by name.
 * @throws TributaryError INPUT_INVALID a file that cannot be read, or damaged compressed data (also while reading)
 */
export const openSource = async (
  file: string,
  stdin: Readable,
  options: OpenOptions = {},
): Promise<ImportSource> => {
  const source = await openOnce(file, stdin, options);
  let { bytesRead } = source;
  const reread = async function* (): AsyncGenerator<Buffer> {
    const again = await openOnce(file, stdin, options);
    ({ bytesRead } = again);
    yield* again.chunks;
  };
  return { ...source, bytesRead: () => bytesRead(), reread: source.size === null ? undefined : reread };
};

const openOnce = async (
  file: string,
  stdin: Readable,
  { encoding, signal }: OpenOptions,
): Promise<Omit<ImportSource, 'reread'>> => {
  const size = file === '-' ? null : await fileSize(file);
  const stored = file === '-' ? stdin : createReadStream(file, { highWaterMark: chunkBytes });
  let bytesRead = 0;
  if (signal !== undefined) addAbortSignal(signal, stored);
  const counted = counting(stored, file, signal, (bytes) => {
    bytesRead += bytes;
  });
  const start = await takeHead(counted);
  const plain = isGzip(start.head) ? await takeHead(gunzip(start.chunks, file)) : start;
  const isText = !isBinary(plain.head);
  if (['fffe0000', '0000feff'].includes(plain.head.toString('hex', 0, 4)))
    throw unreadable(file, 'it is UTF-32: save it as UTF-8');
  const used = isText ? (encoding ?? markedEncoding(plain.head)) : undefined;
  if (isText && used === undefined) rejectUnmarked(plain.head, file);
  const utf8 =
    used === undefined || used === 'utf-8' ? plain : await takeHead(transcoded(plain.chunks, used));
  return { ...utf8, size, bytesRead: () => bytesRead };
};

/** null for sources that can only be read once, such as a named pipe. */
const fileSize = async (file: string): Promise<number | null> => {
  try {
    const found = await stat(file);
    if (found.isDirectory()) throw unreadable(file, 'it is a folder');
    return found.isFile() ? found.size : null;
  } catch (cause) {
    throw cause instanceof TributaryError ? cause : unreadable(file, reasonOf(cause), cause);
  }
};

const counting = async function* (
  stored: Readable,
  file: string,
  signal: AbortSignal | undefined,
  count: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of stored) {
      const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      count(bytes.length);
      yield bytes;
    }
  } catch (cause) {
    signal?.throwIfAborted();
    throw unreadable(file, reasonOf(cause), cause);
  }
};

const isGzip = (head: Buffer): boolean => head[0] === 0x1f && head[1] === 0x8b;

const gunzip = async function* (chunks: AsyncIterable<Buffer>, file: string): AsyncGenerator<Buffer> {
  const plain = createGunzip({ chunkSize: chunkBytes });
  // pipeline destroys `plain` with the error, which ends the loop below; the callback need not handle it.
  pipeline(chunks, plain, () => undefined);
  try {
    for await (const chunk of plain) yield chunk as Buffer;
  } catch (cause) {
    if (cause instanceof TributaryError) throw cause;
    throw unreadable(file, 'its compressed data are damaged or cut off', cause);
  }
};

/** Workbooks and Parquet files have no encoding. */
const isBinary = (head: Buffer): boolean =>
  ['PK\u0003\u0004', 'PAR1'].includes(head.toString('latin1', 0, 4));

/** Spreadsheets save "Unicode text" as UTF-16 with a byte order mark. */
const markedEncoding = (head: Buffer): 'utf-16le' | 'utf-16be' | undefined => {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : undefined;
};

/** @throws TributaryError INPUT_INVALID a text in UTF-16 without a byte order mark: every other byte is zero */
const rejectUnmarked = (head: Buffer, file: string): void => {
  const zeros = [0, 0];
  const sampled = Math.min(head.length, 2_000);
  for (let at = 0; at < sampled; at += 1) if (head[at] === 0) zeros[at % 2]! += 1;
  const [even = 0, odd = 0] = zeros;
  const isLittle = odd > sampled * 0.3 && even === 0;
  if (!isLittle && !(even > sampled * 0.3 && odd === 0)) return;
  const option = `--encoding ${isLittle ? 'utf-16le' : 'utf-16be'}`;
  throw invalidInput(`${file} seems to be UTF-16 without a byte order mark: load with ${option}`, {
    details: { settledBy: option },
  });
};

/** The text converted to UTF-8. */
const transcoded = async function* (chunks: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decode = (chunk?: Buffer): Buffer => {
    try {
      return Buffer.from(decoder.decode(chunk, { stream: chunk !== undefined }));
    } catch (cause) {
      throw invalidInput(
        `the text is not ${encoding}: name its encoding with --encoding, or save it as UTF-8`,
        { cause },
      );
    }
  };
  for await (const chunk of chunks) yield decode(chunk);
  yield decode();
};

/** Reads until the head is full or the stream ends, and prepends it to the rest. */
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
  invalidInput(`cannot read ${file === '-' ? 'standard input' : file}: ${why}`, {
    cause,
  });

const reasonOf = (cause: unknown): string =>
  fileReason(cause) ?? (cause instanceof Error ? cause.message : String(cause));
