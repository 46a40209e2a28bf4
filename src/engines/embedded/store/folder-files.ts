import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, basename, dirname } from 'node:path';
import { Aliases } from './aliases.ts';
import { rememberedAliases } from './store-file.ts';
import { badUserInput } from '../../../lib/errors/errors.ts';
import { randomUUID } from 'node:crypto';

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
    throw badUserInput(
      `index name must have 1 to ${maxNameBytes} characters in the name of its file, not ${encoded.length}: small letters of English, digits, dots, _ and - count once, others three times for each byte of UTF-8`,
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

/** A file not written to for this long is considered abandoned, in milliseconds. */
const abandonedMs = 600_000;

/** A name next to `path` for its replacement, short enough with the longest; it contains the id of the writing process. */
export const temporaryPath = (path: string): string =>
  `${path}.${process.pid}.${randomUUID().slice(0, 8)}.tmp`;

/** Removes what killed writers of `path` left behind; a file still being written stays. */
export const removeTemporaryFiles = (path: string): void => {
  const prefix = basename(path);
  for (const name of readdirSync(dirname(path))) {
    const writer = name.startsWith(prefix) ? temporaryEnding.exec(name.slice(prefix.length))?.[1] : undefined;
    if (writer === undefined) continue;
    const file = join(dirname(path), name);
    if (!isRunning(Number(writer)) || isAbandoned(file)) rmSync(file, { force: true });
  }
};

const temporaryEnding = /^\.(\d+)\.[0-9a-f]{8}\.tmp$/;

const isAbandoned = (file: string): boolean =>
  Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > abandonedMs;

/** Whether a process with this id runs on this machine, under any user. */
const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};
