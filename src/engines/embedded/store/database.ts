import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import { createPrivate } from '../../../lib/runtime/private-file.ts';
import { isLackOfRoom, sqliteFull } from './file-error.ts';

/** How long to wait for another process's write, in milliseconds. */
const busyTimeoutMs = 20_000;
const busyCode = 5;
/** Several times what SQLite needs for the index of a write-ahead log. */
const minFreeBytes = 262_144;

/** An open file, and the error that prevents writing to it, or null. */
export interface OpenedDatabase {
  readonly db: DatabaseSync;
  readonly refusal: Error | null;
}

/**
 * Opens a SQLite file for reading and writing, or read-only when the disk is too full for that.
 * @param open whether it is created; for tests
 */
export const openDatabaseOrRead = (path: string, open = openDatabase): OpenedDatabase => {
  try {
    return { db: open(path), refusal: null };
  } catch (error) {
    if (!(error instanceof Error) || !isLackOfRoom(error) || !existsSync(path)) throw error;
    return { db: openToRead(path), refusal: error };
  }
};

/** Whether a file that was opened read-only can be written to now. */
export const canBeWritten = (path: string): boolean => {
  try {
    openDatabase(path).close();
    return true;
  } catch (error) {
    if (isLackOfRoom(error)) return false;
    throw error;
  }
};

/**
 * Without a log the file is complete, and no process changes it while the disk is full. A leftover log can be read without
 * its index file by a process that has exclusive access.
 */
const openToRead = (path: string): DatabaseSync => {
  const logged = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (logged === 0) {
    return new DatabaseSync(urlOf(path, 'immutable', '1'), { readOnly: true });
  }
  const db = new DatabaseSync(path, { timeout: busyTimeoutMs });
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; SELECT 1 FROM sqlite_schema');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};

const urlOf = (path: string, parameter: string, value: string): URL => {
  const url = pathToFileURL(path);
  url.searchParams.set(parameter, value);
  return url;
};

/** As `openDatabase`, but creates the file if it is missing. */
export const createDatabase = (path: string): DatabaseSync => {
  createPrivate(path);
  return openDatabase(path);
};

/**
 * Opens a SQLite file with a write-ahead log. Throws SQLite's own errors; on a full disk they say so. A file that was
 * just deleted is not created again.
 */
export const openDatabase = (path: string): DatabaseSync => {
  const db = new DatabaseSync(urlOf(path, 'mode', 'rw'), { timeout: busyTimeoutMs });
  try {
    unlessBusy(() => db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL'));
    return db;
  } catch (error) {
    db.close();
    throw hasRoom(path) ? error : withoutRoom(error);
  }
};

/** SQLite reports a full disk as an I/O error when it opens a file. */
const withoutRoom = (error: unknown): unknown =>
  unreliableCodes.has(((error as { errcode?: number }).errcode ?? 0) & 0xff)
    ? Object.assign(new Error('the disk is full', { cause: error }), { errcode: sqliteFull })
    : error;

/** SQLITE_IOERR, SQLITE_CANTOPEN */
const unreliableCodes: ReadonlySet<number> = new Set([10, 14]);

const hasRoom = (path: string): boolean => {
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize >= minFreeBytes;
};

/**
 * When several processes open a new file at once, SQLite lets one enable the log and rejects the others immediately,
 * without the busy timeout it honours elsewhere.
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

/** Whether another process holds the lock. */
export const isBusy = (error: unknown): boolean =>
  (((error as { errcode?: number }).errcode ?? 0) & 0xff) === busyCode;

/** All file access happens in dedicated threads, which may block. */
const pause = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};
