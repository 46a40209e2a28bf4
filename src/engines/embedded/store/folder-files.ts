import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Aliases } from './aliases.ts';
import { rememberedAliases } from './store-file.ts';
import { TributaryError } from '../../../errors/errors.ts';

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

/** Long enough for any real name, short enough for every file system once encoded. */
const maxNameBytes = 200;

/**
 * The name of an index as a file name: lower-case letters, digits, `_`, `-` and inner dots stay, every other byte
 * becomes %XX. Different names give different files, even on case-insensitive file systems, and none escapes its
 * folder.
 * @throws TributaryError BAD_USER_INPUT for an empty or overlong name
 */
export const fileNameOf = (index: string): string => {
  const encoded = Array.from(Buffer.from(index), (byte, position) => {
    const character = String.fromCharCode(byte);
    const plain = /[a-z0-9_-]/.test(character) || (character === '.' && position > 0);
    return plain ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
  if (encoded === '' || encoded.length > maxNameBytes) {
    throw new TributaryError(
      'BAD_USER_INPUT',
      `index name must have 1 to ${maxNameBytes} characters, not ${index.length}`,
    );
  }
  return encoded;
};

/** The index whose file has that name (without extension). */
export const indexOfFileName = (fileName: string): string =>
  Buffer.from(
    fileName.replace(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString();
