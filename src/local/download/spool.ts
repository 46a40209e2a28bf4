import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { TributaryError } from '../../lib/errors/errors.ts';
import { Readable, pipeline } from 'node:stream';
import { pipeline as piped } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack, type Pack } from 'tar-stream';

export interface ArchiveFile {
  readonly name: string;
  readonly text: AsyncIterable<string>;
}

/**
 * The files as one tar.gz, written while it is read. A tar states a file's size before its content, so files are
 * spooled one after the other; the next is not requested before the previous one has been consumed. The first is
 * spooled before this returns: if that fails, nothing has been sent yet.
 * @param signal aborts it while no client is reading
 * @throws TributaryError NOT_READY when there is no room for the first file; whatever its text throws
 */
export const archive = async (
  files: readonly ArchiveFile[],
  room: SpoolStorage,
  signal?: AbortSignal,
): Promise<Readable> => {
  const [first, ...others] = files;
  const firstContent = first && (await spool(first.text, room, signal));
  const left = new AbortController();
  const tar = pack();
  // several observers listen for its end: more than Node.js expects, but no leak
  const zipped = createGzip().setMaxListeners(32);
  // the reader of `zipped` sees every failure, even one from before it started reading
  zipped.on('error', () => {});
  zipped.once('close', () => left.abort());
  pipeline(Readable.from(tar), zipped, () => {});
  const fill = async (): Promise<void> => {
    if (first && firstContent) await add(tar, first.name, firstContent);
    for (const { name, text } of others) await add(tar, name, await spool(text, room, left.signal));
  };
  fill().then(
    () => tar.finalize(),
    (error: unknown) => zipped.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return zipped;
};

const add = async (tar: Pack, name: string, content: Spool): Promise<void> => {
  try {
    await piped(content.read(), tar.entry({ name, size: content.sizeBytes, mode: 0o644 }));
  } finally {
    await content.discard();
  }
};

/** Storage for download files until they are sent, with a limit on their total size. */
export interface SpoolStorage {
  /**
   * Reserves that many bytes, which `giveBack` frees.
   * @throws TributaryError NOT_READY when there is not enough room
   */
  readonly take: (bytes: number) => void;
  readonly giveBack: (bytes: number) => void;
  /** @throws TributaryError NOT_READY when no file can be created there */
  readonly openFile: () => Promise<SpoolFile>;
  /** Removes the files of a process that was killed: they are of no use to another one. */
  readonly removeLeftovers: () => Promise<void>;
}

export interface SpoolFile {
  readonly handle: FileHandle;
  /** @throws TributaryError NOT_READY when writing fails, as on a full disk */
  readonly append: (bytes: Buffer) => Promise<void>;
  /** Closes it if necessary. */
  readonly remove: () => Promise<void>;
}

const ending = '.rows';

/** So that downloads leave the disk of a small machine to the indexes: several archives of a million records each. */
const spoolMaxBytes = 1024 ** 3;

/**
 * @param folder created on first use; readable by this user only
 * @param maxBytes of all files together
 */
export const openSpoolStorage = (folder: string, maxBytes = spoolMaxBytes): SpoolStorage => {
  let takenBytes = 0;
  return {
    take: (bytes) => {
      if (takenBytes + bytes > maxBytes) throw full(maxBytes);
      takenBytes += bytes;
    },
    giveBack: (bytes) => {
      takenBytes -= bytes;
    },
    openFile: async () => {
      const path = join(folder, `${randomUUID()}${ending}`);
      const handle = await written(async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        // read through the same handle, so that another server starting up cannot remove the file
        return open(path, 'wx+', 0o600);
      });
      return {
        handle,
        append: (bytes) => written(() => handle.appendFile(bytes)),
        remove: async () => {
          await handle.close();
          await rm(path, { force: true });
        },
      };
    },
    removeLeftovers: async () => {
      for (const name of await namesIn(folder))
        if (name.endsWith(ending)) await rm(join(folder, name), { force: true });
    },
  };
};

const namesIn = async (folder: string): Promise<readonly string[]> => {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
};

const written = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw new TributaryError(
      'NOT_READY',
      'the files of this download cannot be kept until they are sent; download one file at a time',
      { cause: error },
    );
  }
};

const full = (maxBytes: number): TributaryError =>
  new TributaryError(
    'NOT_READY',
    `the files of all downloads in progress take more than the ${maxBytes} bytes kept for them; ` +
      'try again soon, or download one file at a time',
  );

/** A text written to its end, so that its size is known. */
export interface Spool {
  readonly sizeBytes: number;
  /** The whole text, readable once. */
  readonly read: () => Readable;
  /** Frees what it reserved. */
  readonly discard: () => Promise<void>;
}

const inMemoryBytes = 1024 * 1024;

/**
 * Stores a text: a short one in memory, a longer one in a file readable by this user only.
 * @param signal aborts it when the text is no longer wanted
 * @throws TributaryError NOT_READY when there is no room for it
 */
export const spool = async (
  text: AsyncIterable<string>,
  room: SpoolStorage,
  signal?: AbortSignal,
): Promise<Spool> => {
  let file: SpoolFile | null = null;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let sizeBytes = 0;
  const discard = async (): Promise<void> => {
    room.giveBack(sizeBytes);
    sizeBytes = 0;
    await file?.remove();
  };
  try {
    for await (const part of text) {
      signal?.throwIfAborted();
      const bytes = Buffer.from(part);
      room.take(bytes.length);
      waiting.push(bytes);
      waitingBytes += bytes.length;
      sizeBytes += bytes.length;
      if (waitingBytes <= inMemoryBytes) continue;
      file ??= await room.openFile();
      await file.append(Buffer.concat(waiting));
      waiting = [];
      waitingBytes = 0;
    }
    await file?.append(Buffer.concat(waiting));
  } catch (error) {
    await discard();
    throw error;
  }
  return { sizeBytes, read: () => textOf(file, waiting), discard };
};

/** A file stays open until `discard` closes it. */
const textOf = (file: SpoolFile | null, waiting: readonly Buffer[]): Readable =>
  file === null ? Readable.from(waiting) : file.handle.createReadStream({ start: 0, autoClose: false });
