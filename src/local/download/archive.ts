import { pipeline, Readable } from 'node:stream';
import { pipeline as piped } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack, type Pack } from 'tar-stream';
import { spool } from './spool.ts';

export interface ArchiveFile {
  readonly name: string;
  readonly text: AsyncIterable<string>;
}

/**
 * The files as one tar.gz, written while it is read. A tar says the size of a file before its content, so one file
 * after the other is spooled; what follows it is not asked for before it has been taken.
 */
export const archive = (files: readonly ArchiveFile[]): Readable => {
  const tar = pack();
  const zipped = createGzip();
  // whoever reads `zipped` sees every failure, also one from before it was read
  zipped.on('error', () => {});
  pipeline(Readable.from(tar), zipped, () => {});
  fill(tar, files).then(
    () => tar.finalize(),
    (error: unknown) => zipped.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return zipped;
};

const fill = async (tar: Pack, files: readonly ArchiveFile[]): Promise<void> => {
  for (const { name, text } of files) {
    const content = await spool(text);
    try {
      await piped(content.read(), tar.entry({ name, size: content.sizeBytes, mode: 0o644 }));
    } finally {
      await content.discard();
    }
  }
};
