import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Aliases } from './aliases.ts';
import { fileNameOf, indexOfFileName, maxNameBytes } from './file-names.ts';
import { rememberedAliases } from './store-file.ts';

const ending = '.sqlite';

/** The file of an index. @throws TributaryError BAD_USER_INPUT for a name that none can have */
export const storePath = (folder: string, index: string): string => join(folder, fileNameOf(index) + ending);

/** The file of its columns. @throws TributaryError as `storePath` */
export const snapshotPath = (folder: string, index: string): string =>
  join(folder, `${fileNameOf(index)}.snapshot`);

/** The indexes whose files are in a data folder, in order; other files are ignored. */
export const indexNames = (folder: string): readonly string[] =>
  storeFiles(folder)
    .filter((file) => isOurs(file))
    .map(indexOfFileName)
    .sort();

/** Files that look like an index but match no index name, such as copies made by hand. */
export const unknownFiles = (folder: string): readonly string[] =>
  storeFiles(folder)
    .filter((file) => !isOurs(file))
    .map((file) => file + ending)
    .sort();

/** The alias table, created if missing. Throws SQLite's own errors. */
export const openAliases = (folder: string): Aliases =>
  new Aliases(join(folder, `@aliases${ending}`), () =>
    indexNames(folder).map((name) => [name, rememberedAliases(storePath(folder, name))]),
  );

const storeFiles = (folder: string): readonly string[] => {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith(ending) && !name.startsWith('@'));
  return files.map((name) => name.slice(0, -ending.length));
};

const isOurs = (file: string): boolean => {
  const name = indexOfFileName(file);
  return name !== '' && file.length <= maxNameBytes && fileNameOf(name) === file;
};
