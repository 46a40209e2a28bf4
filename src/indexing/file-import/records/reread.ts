import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A stream of bytes that can be read again after the first reading has ended. */
export interface TwiceReadable {
  readonly chunks: AsyncIterable<Buffer>;
  reread(): AsyncIterable<Buffer>;
  /** Removes the bytes kept for the second reading. */
  release(): Promise<void>;
}

/** Bytes kept in memory before a temporary file is used. */
const memoryBytes = 32 * 1024 * 1024;

/**
 * Keeps a stream that can only be read once, such as standard input: in memory while it is small, else in an unlinked
 * file, which disappears when this process ends, even if it is killed.
 */
export const keptForReread = (chunks: AsyncIterable<Buffer>): TwiceReadable => {
  let held: Buffer[] = [];
  let bytes = 0;
  let file: FileHandle | null = null;
  let broken: unknown = null;
  const keep = async (chunk: Buffer): Promise<void> => {
    bytes += chunk.length;
    if (file !== null) return file.appendFile(chunk);
    held.push(Buffer.from(chunk));
    if (bytes <= memoryBytes) return;
    file = await unnamedFile();
    await file.appendFile(Buffer.concat(held));
    held = [];
  };
  return {
    chunks: (async function* () {
      try {
        for await (const chunk of chunks) {
          await keep(chunk);
          yield chunk;
        }
      } catch (error) {
        broken = error;
        throw error;
      }
    })(),
    reread: async function* () {
      if (file === null) yield* held;
      else
        for await (const chunk of file.createReadStream({ start: 0, autoClose: false }))
          yield chunk as Buffer;
      if (broken !== null) throw broken as Error;
    },
    release: async () => {
      held = [];
      await file?.close();
    },
  };
};

const unnamedFile = async (): Promise<FileHandle> => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-load-'));
  try {
    return await open(join(folder, 'input'), 'wx+', 0o600);
  } finally {
    await rm(folder, { recursive: true });
  }
};
