import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Writes a file that only its owner reads. Under its name it is complete, whatever happens meanwhile. */
export const writeDurably = (folder: string, name: string, text: string): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, name);
  const draft = `${path}.${process.pid}.draft`;
  const bytes = Buffer.from(text);
  const file = openSync(draft, 'w', 0o600);
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
    fsyncSync(file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};
