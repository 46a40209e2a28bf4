import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';

/** The files of a tar.gz: name and text of each, in order. */
export const tarEntries = async (zipped: Readable): Promise<readonly [string, string][]> => {
  const tar = extract();
  const entries: [string, string][] = [];
  const read = async (): Promise<void> => {
    for await (const entry of tar) {
      let content = '';
      for await (const bytes of entry) content += String(bytes);
      entries.push([entry.header.name, content]);
    }
  };
  await Promise.all([pipeline(zipped, createGunzip(), tar as unknown as NodeJS.WritableStream), read()]);
  return entries;
};
