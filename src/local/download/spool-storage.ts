import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { TributaryError } from '../../errors/errors.ts';

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

/**
 * @param folder created on first use; readable by this user only
 * @param maxBytes of all files together
 */
export const openSpoolStorage = (folder: string, maxBytes: number): SpoolStorage => {
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
    `the files of all downloads under way take more than the ${maxBytes} bytes kept for them; ` +
      'try again soon, or download one file at a time',
  );
