import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { TributaryError } from '../../../errors.ts';
import { fileError } from './file-error.ts';

/**
 * Makes the data folder when it is not there.
 * @throws TributaryError CONFIG_INVALID it is a file or cannot be made, permission_denied no folder may be made there,
 *   ENGINE_UNAVAILABLE there is no room to make it
 */
export const makeDataPath = (dataPath: string): void => {
  const path = resolve(dataPath);
  // one folder after the other: all at once never ends where the system makes none, as below /proc
  for (const folder of missingFolders(path)) {
    try {
      mkdirSync(folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw cannotMake(path, error);
    }
  }
  rejectFile(path);
};

/** The folders to make, outermost first. */
const missingFolders = (path: string): readonly string[] => {
  const missing: string[] = [];
  for (let folder = path; !isThere(folder, path); folder = dirname(folder)) missing.unshift(folder);
  const above = dirname(missing[0] ?? path);
  if (missing.length > 0 && !statSync(above).isDirectory())
    throw invalid(`the data folder ${path} cannot be created: ${above} is a file`);
  return missing;
};

const isThere = (folder: string, path: string): boolean => {
  try {
    return statSync(folder, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw cannotMake(path, error);
  }
};

const cannotMake = (path: string, error: unknown): TributaryError => {
  const reason = fileError(error, `the data folder ${path}`);
  if (reason?.code === 'ENGINE_UNAVAILABLE') return reason;
  if (reason?.code === 'permission_denied') return unwritable(path, error);
  return invalid(
    `the data folder ${path} cannot be created: ${(error as NodeJS.ErrnoException).code}; set DATA_PATH to another one`,
    error,
  );
};

/**
 * Sees that the data folder, if it is there, is a folder.
 * @throws TributaryError CONFIG_INVALID it is a file
 */
export const rejectFile = (dataPath: string): void => {
  if (statSync(dataPath, { throwIfNoEntry: false })?.isDirectory() === false)
    throw invalid(`the data folder ${resolve(dataPath)} is a file: set DATA_PATH to a folder`);
};

/**
 * Sees that this program may write to the data folder, without which nothing in it can be opened.
 * @throws TributaryError permission_denied
 */
export const rejectUnwritable = (dataPath: string): void => {
  try {
    accessSync(dataPath, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unwritable(resolve(dataPath), error);
  }
};

const unwritable = (path: string, cause: unknown): TributaryError =>
  new TributaryError(
    'permission_denied',
    `the data folder ${path} cannot be written to: let this program's user write there, or set DATA_PATH to another one`,
    { cause },
  );

const invalid = (message: string, cause?: unknown): TributaryError =>
  new TributaryError('CONFIG_INVALID', message, { cause });
