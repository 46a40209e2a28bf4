import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A stream of bytes that can be read a second time once the first reading has ended. */
export interface TwiceReadable {
  readonly chunks: AsyncIterable<Buffer>;
  reread(): AsyncIterable<Buffer>;
  /** Removes what was kept for the second reading. */
  release(): Promise<void>;
}

/** Bytes kept in memory before a temporary file is used. */
const memoryBytes = 32 * 1024 * 1024;

/** Keeps a stream that can be read only once, such as standard input: in memory while it is small, else in a file. */
export const keptForReread = (chunks: AsyncIterable<Buffer>): TwiceReadable => {
  let held: Buffer[] = [];
  let bytes = 0;
  let folder: string | null = null;
  let file: FileHandle | null = null;
  let broken: unknown = null;
  const keep = async (chunk: Buffer): Promise<void> => {
    bytes += chunk.length;
    if (file !== null) return void (await file.write(chunk));
    held.push(Buffer.from(chunk));
    if (bytes <= memoryBytes) return;
    folder = await mkdtemp(join(tmpdir(), 'tributary-load-'));
    file = await open(join(folder, 'input'), 'wx', 0o600);
    await file.write(Buffer.concat(held));
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
      if (folder === null) yield* held;
      else for await (const chunk of createReadStream(join(folder, 'input'))) yield chunk as Buffer;
      if (broken !== null) throw broken as Error;
    },
    release: async () => {
      held = [];
      await file?.close();
      if (folder !== null) await rm(folder, { recursive: true, force: true });
    },
  };
};
