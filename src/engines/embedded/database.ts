import { DatabaseSync } from 'node:sqlite';

/** How long to wait for another process's write, in milliseconds. */
const busyTimeoutMs = 20_000;
const busyCode = 5;

/** Opens a SQLite file with a write-ahead log, which is made when it is not there. The errors are SQLite's own. */
export const openDatabase = (path: string): DatabaseSync => {
  const db = new DatabaseSync(path, { timeout: busyTimeoutMs });
  try {
    unlessBusy(() => db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL'));
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};

/**
 * Of several processes that open a new file at once, SQLite lets one turn the log on and refuses the others without
 * the wait that it keeps everywhere else.
 */
const unlessBusy = (work: () => void): void => {
  const endsAt = Date.now() + busyTimeoutMs;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || Date.now() > endsAt) throw error;
      pause(1 + Math.random() * 10);
    }
  }
};

/** Whether another process is in the way. */
export const isBusy = (error: unknown): boolean =>
  (((error as { errcode?: number }).errcode ?? 0) & 0xff) === busyCode;

/** Everything of a file happens in threads of its own, which may block. */
const pause = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};
