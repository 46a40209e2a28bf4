import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from './config.ts';

/**
 * A text that changes whenever a file of the catalogues or nodes.json is edited, replaced, added or removed. Times and
 * sizes are compared instead of waiting for the system's notices, which network file systems and mounted configuration
 * maps do not send. Never throws: a file that cannot be read is part of the text.
 */
export const configStamp = ({ configsPath, nodes }: Pick<Config, 'configsPath' | 'nodes'>): string => {
  const folders = [configsPath, ...entriesOf(configsPath).map((name) => join(configsPath, name))];
  const files = folders.flatMap((folder) =>
    entriesOf(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(folder, name)),
  );
  return [...files, ...(nodes === null ? [] : [resolve(nodes.file)])]
    .map((file) => `${file} ${stampOf(file)}`)
    .join('\n');
};

const entriesOf = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
};

const stampOf = (file: string): string => {
  try {
    const { mtimeNs, size, ino } = statSync(file, { bigint: true });
    return `${mtimeNs} ${size} ${ino}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unreadable';
  }
};
