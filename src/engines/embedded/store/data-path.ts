import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { invalidConfig, TributaryError } from '../../../lib/errors/errors.ts';
import { privateFolder } from '../../../lib/runtime/private-file.ts';
import { fileError } from './file-error.ts';

/**
 * Creates the data folder if it does not exist.
 * @throws TributaryError CONFIG_INVALID when it is a file or cannot be created, permission_denied when creating a
 *   folder there is not allowed, ENGINE_UNAVAILABLE when the disk is full
 */
export const makeDataPath = (dataPath: string): void => {
  const path = resolve(dataPath);
  // one folder at a time: a recursive mkdir never returns where the system allows none, such as under /proc
  for (const folder of missingFolders(path)) {
    try {
      mkdirSync(folder, { mode: privateFolder });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw cannotMake(path, error);
    }
  }
  rejectFile(path);
};

/** The folders to create, outermost first. */
const missingFolders = (path: string): readonly string[] => {
  const missing: string[] = [];
  for (let folder = path; !isThere(folder, path); folder = dirname(folder)) missing.unshift(folder);
  const above = dirname(missing[0] ?? path);
  if (missing.length > 0 && !statSync(above).isDirectory())
    throw invalidConfig(`the data folder ${path} cannot be created: ${above} is a file`);
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
  return invalidConfig(
    `the data folder ${path} cannot be created: ${(error as NodeJS.ErrnoException).code}; set DATA_PATH to another folder`,
    { cause: error },
  );
};

/**
 * Checks that the data folder, if it exists, is a folder.
 * @throws TributaryError CONFIG_INVALID when it is a file
 */
export const rejectFile = (dataPath: string): void => {
  if (statSync(dataPath, { throwIfNoEntry: false })?.isDirectory() === false)
    throw invalidConfig(`the data folder ${resolve(dataPath)} is a file: set DATA_PATH to a folder`);
};

/**
 * Checks that this program may write to the data folder; otherwise nothing in it can be opened.
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
    `the data folder ${path} cannot be written to: let this program's user write there, or set DATA_PATH to another folder`,
    { cause },
  );
