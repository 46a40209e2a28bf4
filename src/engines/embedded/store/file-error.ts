import { closeSync, openSync } from 'node:fs';
import { TributaryError, type ErrorCode } from '../../../lib/errors/errors.ts';

/** The primary SQLite result codes that describe trouble with a file. */
const sqliteCodes: Readonly<Record<number, Trouble>> = {
  3: 'forbidden',
  5: 'busy',
  6: 'busy',
  8: 'forbidden',
  10: 'unreliable',
  11: 'damaged',
  13: 'full',
  14: 'forbidden',
  26: 'damaged',
};

const systemCodes: Readonly<Record<string, Trouble>> = {
  EACCES: 'forbidden',
  EPERM: 'forbidden',
  EROFS: 'forbidden',
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  EMFILE: 'exhausted',
  ENFILE: 'exhausted',
  EIO: 'unreliable',
};

type Trouble = 'busy' | 'damaged' | 'exhausted' | 'forbidden' | 'full' | 'unreliable';

/**
 * Translates an SQLite or file system failure for an admin; null for any other error.
 * @param subject what was being accessed, such as `index films`
 */
export const fileError = (error: unknown, subject: string): TributaryError | null => {
  const trouble = troubleOf(error);
  if (trouble === undefined) return null;
  const [code, message] = troubles[trouble];
  return new TributaryError(code, message(subject), { cause: error });
};

/** SQLITE_CANTOPEN */
const sqliteCannotOpen = 14;

/** SQLITE_FULL */
export const sqliteFull = 13;

/** Whether an error means that the disk is full. */
export const isLackOfRoom = (error: unknown): boolean => troubleOf(error) === 'full';

const troubleOf = (error: unknown): Trouble | undefined => {
  const { errcode, code } = error as { errcode?: unknown; code?: unknown };
  // SQLite's extended codes keep the primary code in the low byte
  const primary = typeof errcode === 'number' ? errcode & 0xff : undefined;
  if (primary === sqliteCannotOpen && isExhausted()) return 'exhausted';
  if (primary !== undefined) return sqliteCodes[primary];
  return systemCodes[typeof code === 'string' ? code : ''];
};

/** Whether this process can open no file at all, which SQLite does not distinguish from one that it may not open. */
const isExhausted = (): boolean => {
  try {
    closeSync(openSync(process.execPath, 'r'));
    return false;
  } catch (error) {
    return systemCodes[String((error as NodeJS.ErrnoException).code)] === 'exhausted';
  }
};

/** Whether an SQLite error means that the file is corrupt. */
export const isDamage = (error: unknown): boolean => troubleOf(error) === 'damaged';

const troubles: Readonly<Record<Trouble, readonly [code: ErrorCode, message: (subject: string) => string]>> =
  {
    busy: ['ENGINE_UNAVAILABLE', (subject) => `another process keeps ${subject} busy`],
    damaged: [
      'ENGINE_ERROR',
      (subject) =>
        `the file of ${subject} is damaged: restore it from a backup, or delete the index and load it again`,
    ],
    exhausted: [
      'ENGINE_UNAVAILABLE',
      (subject) => `too many files are open to read or write ${subject}: raise the limit (ulimit -n)`,
    ],
    forbidden: [
      'permission_denied',
      (subject) =>
        `the files of ${subject} cannot be opened for writing: this program needs to write to the data folder and what is in it`,
    ],
    full: [
      'ENGINE_UNAVAILABLE',
      (subject) =>
        `the disk has no room for ${subject}, and the last batch was not kept: free some space and write again`,
    ],
    unreliable: [
      'ENGINE_ERROR',
      (subject) =>
        `the files of ${subject} cannot be read or written, and no part of a write was kept: check the disk`,
    ],
  };
