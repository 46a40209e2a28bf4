import { TributaryError } from '../../../errors/errors.ts';

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
  EIO: 'unreliable',
};

type Trouble = 'busy' | 'damaged' | 'forbidden' | 'full' | 'unreliable';

/**
 * Translates an SQLite or file system failure for an admin; null for any other error.
 * @param subject what was being accessed, such as `index films`
 */
export const fileError = (error: unknown, subject: string): TributaryError | null => {
  const trouble = troubleOf(error);
  return trouble === undefined ? null : troubleError(trouble, subject, error);
};

/** SQLITE_FULL */
export const sqliteFull = 13;

/** Whether an error means that the disk is full. */
export const isLackOfRoom = (error: unknown): boolean => troubleOf(error) === 'full';

const troubleOf = (error: unknown): Trouble | undefined => {
  const { errcode, code } = error as { errcode?: unknown; code?: unknown };
  // SQLite's extended codes keep the primary code in the low byte
  if (typeof errcode === 'number') return sqliteCodes[errcode & 0xff];
  return systemCodes[typeof code === 'string' ? code : ''];
};

/** Whether an SQLite error means that the file is corrupt. */
export const isDamage = (error: unknown): boolean => {
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === 'number' && sqliteCodes[errcode & 0xff] === 'damaged';
};

const troubleError = (trouble: Trouble, subject: string, cause: unknown): TributaryError => {
  switch (trouble) {
    case 'busy':
      return new TributaryError('ENGINE_UNAVAILABLE', `another process keeps ${subject} busy`, { cause });
    case 'damaged':
      return new TributaryError(
        'ENGINE_ERROR',
        `the file of ${subject} is damaged: restore it from a backup, or delete the index and load it again`,
        { cause },
      );
    case 'forbidden':
      return new TributaryError(
        'permission_denied',
        `the files of ${subject} cannot be opened for writing: this program needs to write to the data folder and what is in it`,
        { cause },
      );
    case 'full':
      return new TributaryError(
        'ENGINE_UNAVAILABLE',
        `the disk has no room for ${subject}, and nothing of the write was kept: free some space and write again`,
        { cause },
      );
    case 'unreliable':
      return new TributaryError(
        'ENGINE_ERROR',
        `the files of ${subject} cannot be read or written, and no part of a write was kept: check the disk`,
        { cause },
      );
  }
};
