import { closeSync, fchownSync, lchownSync, openSync, type Stats } from 'node:fs';

/** The mode of folders that hold records, or the queries of callers. */
export const privateFolder = 0o700;

/**
 * Creates a file that only this program's user can read, before SQLite would create it readable for all users; its log
 * and index files take over the mode. An existing file is left as it is. Failures are ignored: opening the file reports
 * the reason.
 */
export const createPrivate = (path: string): void => {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch {
    // see above
  }
};

/**
 * Gives what root has written to the user who has the folder or file that it belongs to, so that the server can read it.
 * Failures are ignored: a container may forbid it.
 * @param file its path, or its descriptor
 */
export const giveTo = ({ uid, gid }: Pick<Stats, 'uid' | 'gid'>, file: string | number): void => {
  if (process.getuid?.() !== 0) return;
  try {
    if (typeof file === 'number') fchownSync(file, uid, gid);
    else lchownSync(file, uid, gid);
  } catch {
    // see above
  }
};
