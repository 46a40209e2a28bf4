import { pipeline, Readable } from 'node:stream';
import { pipeline as piped } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack, type Pack } from 'tar-stream';
import { spool, type Spool } from './spool.ts';
import type { SpoolStorage } from './spool-storage.ts';

export interface ArchiveFile {
  readonly name: string;
  readonly text: AsyncIterable<string>;
}

/**
 * The files as one tar.gz, written while it is read. A tar says the size of a file before its content, so one file
 * after the other is spooled; what follows it is not asked for before it has been taken. The first is spooled before
 * this returns: when that fails, nothing has been sent yet.
 * @param signal ends it as long as nobody reads
 * @throws TributaryError NOT_READY there is no room for the first file; what its text throws
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
  const zipped = createGzip();
  // whoever reads `zipped` sees every failure, also one from before it was read
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
