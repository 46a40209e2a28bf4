import { closeSync, openSync } from 'node:fs';

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
