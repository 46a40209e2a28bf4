import { createWriteStream } from 'node:fs';
import { access, constants, rm } from 'node:fs/promises';
import { once } from 'node:events';
import path from 'node:path';
import type { WriteStream } from 'node:fs';

/** One line of a rejects file. */
export interface Reject {
  readonly line: number;
  readonly reason: string;
  readonly id?: string;
  /** The beginning of the original text. */
  readonly text?: string;
}

/** Where rejected lines are written, created on the first one. */
export interface RejectsFile {
  readonly path: string;
  readonly count: () => number;
  add(reject: Reject): Promise<void>;
  /** May be called again. */
  close(): Promise<void>;
}

/**
 * `FILE.rejected.ndjson` beside the file, or in the current folder for standard input and read-only folders. The file
 * of a previous run is removed, so that an existing one always belongs to the last run.
 */
export const openRejectsFile = async (file: string): Promise<RejectsFile> => {
  const target = await rejectsPath(file);
  await rm(target, { force: true });
  let stream: WriteStream | null = null;
  let count = 0;
  return {
    path: target,
    count: () => count,
    add: async (reject) => {
      stream ??= createWriteStream(target);
      count += 1;
      if (!stream.write(`${JSON.stringify(reject)}\n`)) await once(stream, 'drain');
    },
    close: async () => {
      if (stream === null || stream.closed) return;
      stream.end();
      await once(stream, 'close');
    },
  };
};

const rejectsPath = async (file: string): Promise<string> => {
  if (file === '-') return 'stdin.rejected.ndjson';
  try {
    await access(path.dirname(file), constants.W_OK);
    return `${file}.rejected.ndjson`;
  } catch {
    return `${path.basename(file)}.rejected.ndjson`;
  }
};
