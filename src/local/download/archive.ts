import { pipeline, Readable } from 'node:stream';
import { pipeline as piped } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Pack } from 'tar-stream';
import { pack } from 'tar-stream';
import type { Spool, SpoolStorage } from './spool.ts';
import { spool } from './spool.ts';

export interface ArchiveFile {
  readonly name: string;
  readonly text: AsyncIterable<string>;
}

/**
 * The files as one tar.gz, written while it is read. A tar states a file's size before its content, so files are
 * spooled one after the other; the next is not requested before the previous one has been consumed. The first is
 * spooled before this returns: if that fails, nothing has been sent yet.
 * @param signal aborts it while nobody is reading
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
  const zipped = createGzip();
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
