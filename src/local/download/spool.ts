import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

/** A text that has been written to its end, so that its size is known. */
export interface Spool {
  readonly sizeBytes: number;
  /** The whole text, once. */
  readonly read: () => Readable;
  /** Gives back what it took. */
  readonly discard: () => Promise<void>;
}

const inMemoryBytes = 1024 * 1024;

/** Keeps a text: a short one in memory, a longer one in a temporary file that only this user may read. */
export const spool = async (text: AsyncIterable<string>): Promise<Spool> => {
  let file: TemporaryFile | null = null;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let sizeBytes = 0;
  try {
    for await (const part of text) {
      const bytes = Buffer.from(part);
      waiting.push(bytes);
      waitingBytes += bytes.length;
      sizeBytes += bytes.length;
      if (waitingBytes <= inMemoryBytes) continue;
      file ??= await temporaryFile();
      await file.handle.appendFile(Buffer.concat(waiting));
      waiting = [];
      waitingBytes = 0;
    }
    await file?.handle.appendFile(Buffer.concat(waiting));
    await file?.handle.close();
  } catch (error) {
    await file?.remove();
    throw error;
  }
  if (file === null) return { sizeBytes, read: () => Readable.from(waiting), discard: async () => {} };
  const { path, remove } = file;
  return { sizeBytes, read: () => createReadStream(path), discard: remove };
};

interface TemporaryFile {
  readonly path: string;
  readonly handle: FileHandle;
  /** Closes it if need be. */
  readonly remove: () => Promise<void>;
}

const temporaryFile = async (): Promise<TemporaryFile> => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-download-'));
  const path = join(folder, 'rows');
  const handle = await open(path, 'wx', 0o600);
  const remove = async (): Promise<void> => {
    await handle.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { path, handle, remove };
};
