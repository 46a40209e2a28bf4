import { createWriteStream, type WriteStream } from 'node:fs';
import { access, constants, rm, stat } from 'node:fs/promises';
import { once } from 'node:events';
import path from 'node:path';
import { invalidInput } from '../../lib/errors/errors.ts';
import { fileReason } from '../../lib/runtime/file-failure.ts';

/** One line of a rejects file. */
export interface Reject {
  /** The file name, if several files are loaded. */
  readonly file?: string | undefined;
  readonly line: number;
  readonly reason: string;
  readonly id?: string;
  /** The beginning of the original text. */
  readonly text?: string;
}

/** The file for rejected records, created with the first one. */
export interface RejectsFile {
  readonly path: string;
  readonly count: () => number;
  add(reject: Reject): Promise<void>;
  /** Deletes all rejects, when a load starts over. */
  clear(): Promise<void>;
  /**
   * May be called again.
   * @throws TributaryError INPUT_INVALID a reject could not be written, unless `add` has already thrown it
   */
  close(): Promise<void>;
}

/**
 * `FILE.rejected.ndjson` beside the file, or in the current folder for standard input, other streams and read-only
 * folders; `load.rejected.ndjson` for several files. The file of a previous run is removed, so that an existing one always
 * belongs to the last run.
 */
export const openRejectsFile = async (file: string | null): Promise<RejectsFile> => {
  const target = await rejectsPath(file);
  await rm(target, { force: true });
  let stream: WriteStream | null = null;
  let count = 0;
  let failed: Error | null = null;
  let isThrown = false;
  const throwFailure = (): void => {
    if (failed === null) return;
    isThrown = true;
    throw invalidInput(
      `the rejected records cannot be written to ${target}: ${fileReason(failed) ?? failed.message}`,
      { cause: failed },
    );
  };
  const close = async (): Promise<void> => {
    // a stream that has failed is closed already
    if (stream?.closed === false) {
      stream.end();
      if (!stream.destroyed) await once(stream, 'close').catch(() => undefined); // thrown below
    }
    if (!isThrown) throwFailure();
  };
  return {
    path: target,
    count: () => count,
    add: async (reject) => {
      stream ??= createWriteStream(target, { mode: 0o600 }).on('error', (error) => (failed = error));
      count += 1;
      const hasRoom = stream.write(`${JSON.stringify(reject)}\n`);
      if (!hasRoom && failed === null) await once(stream, 'drain').catch(() => undefined); // thrown below
      throwFailure();
    },
    clear: async () => {
      await close();
      await rm(target, { force: true });
      [stream, count] = [null, 0];
    },
    close,
  };
};

const rejectsPath = async (file: string | null): Promise<string> => {
  if (file === null) return 'load.rejected.ndjson';
  if (file === '-') return 'stdin.rejected.ndjson';
  try {
    await access(path.dirname(file), constants.W_OK);
    const found = await stat(file).catch(() => null);
    if (found?.isFile() !== false) return `${file}.rejected.ndjson`;
  } catch {
    // the folder is read-only
  }
  return `${path.basename(file)}.rejected.ndjson`;
};
