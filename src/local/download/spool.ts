import { Readable } from 'node:stream';
import type { SpoolFile, SpoolStorage } from './spool-storage.ts';

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
