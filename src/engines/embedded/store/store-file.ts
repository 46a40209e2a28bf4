import { randomUUID } from 'node:crypto';
import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { TributaryError } from '../../../errors.ts';
import type { JsonObject } from '../../../json.ts';
import { openDatabase } from './database.ts';
import { fileError } from './file-error.ts';

/** Raised when files of this project can no longer be read by an older or newer program. */
export const layoutVersion = 1;

/** SQLite's own cache of pages, in KiB when negative. */
const defaultCacheSize = -2_000;

const schema = `
  CREATE TABLE docs (dn INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, src TEXT NOT NULL);
  CREATE TABLE dels (seq INTEGER PRIMARY KEY AUTOINCREMENT, dn INTEGER NOT NULL, at INTEGER NOT NULL);
  CREATE TABLE meta (k TEXT PRIMARY KEY, v) WITHOUT ROWID;
`;

/** Makes the file of a new index. Returns false when it is there already. */
export const createStore = (path: string, mapping: JsonObject): boolean =>
  withDatabase(path, (db) => {
    db.exec('BEGIN IMMEDIATE');
    if (tableExists(db)) {
      db.exec('ROLLBACK');
      return false;
    }
    db.exec(schema);
    const insert = db.prepare('INSERT INTO meta VALUES (?, ?)');
    const meta = {
      uid: randomUUID(),
      layout: layoutVersion,
      mapping: JSON.stringify(mapping),
      last: 0,
      trimmed: 0,
    };
    for (const [key, value] of Object.entries(meta)) insert.run(key, value);
    db.exec('COMMIT');
    return true;
  });

/** Tells other processes that have the index open that it is gone; its files may go after that. */
export const markStoreDeleted = (path: string): void =>
  withDatabase(path, (db) => {
    if (tableExists(db)) db.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run('deleted', 1);
  });

/** Lets an index know its aliases, for the day on which the table of all aliases is lost. */
export const rememberAliases = (path: string, aliases: readonly string[]): void =>
  withDatabase(path, (db) => {
    if (tableExists(db)) db.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run('aliases', JSON.stringify(aliases)); // prettier-ignore
  });

/** The aliases that an index knows to be its own; none when its file cannot be read. */
export const rememberedAliases = (path: string): readonly string[] => {
  try {
    return withDatabase(path, (db) => {
      const row = tableExists(db)
        ? db.prepare("SELECT v FROM meta WHERE k = 'aliases' AND NOT EXISTS (SELECT 1 FROM meta WHERE k = 'deleted')").get() // prettier-ignore
        : undefined;
      return row === undefined ? [] : (JSON.parse(String(row['v'])) as readonly string[]);
    });
  } catch (error) {
    // whoever asks for the index is told what is wrong with it
    if (fileError(error, path) === null && !(error instanceof SyntaxError)) throw error;
    return [];
  }
};

/** Whether the file is what a deletion left that was cut short. */
export const isStoreDeleted = (path: string): boolean =>
  withDatabase(
    path,
    (db) => tableExists(db) && db.prepare("SELECT 1 FROM meta WHERE k = 'deleted'").get() !== undefined,
  );

/** Bytes of a log that SQLite has begun to write over from its start: 1000 pages, and room for one more write. */
const logBytes = 4_400_000;
/** A disk with fewer times as much left has better use for it. */
const spareDisk = 100;

/**
 * Lets the log have its usual length from the first write on: a commit that writes over blocks which are there is on
 * disk in half the time of one that makes the file longer. What is written for that is rolled back at once.
 */
export const lengthenLog = (db: DatabaseSync, path: string): void => {
  const { bavail, bsize } = statfsSync(dirname(path));
  const length = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (length >= logBytes || bavail * bsize < spareDisk * logBytes) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    // with so small a cache SQLite writes pages to the log before any commit
    db.exec(`PRAGMA cache_size = 10; INSERT INTO meta VALUES ('log', zeroblob(${logBytes}))`);
  } catch (error) {
    // a write that finds no room either will say so
    if (fileError(error, path) === null) throw error;
  } finally {
    if (db.isTransaction) db.exec('ROLLBACK');
    db.exec(`PRAGMA cache_size = ${defaultCacheSize}`);
  }
};

/** Whether the file holds an index, whole or marked as deleted. */
export const tableExists = (db: DatabaseSync): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").get() !== undefined;

/**
 * SQLite reads what is missing of a last page as zeros, so the length is looked at here. Pages still in the log make the
 * length say nothing.
 * @throws TributaryError ENGINE_ERROR when the file was cut short
 */
export const rejectTruncated = (db: DatabaseSync, path: string): void => {
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return;
  const { size, pages } = db
    .prepare('SELECT page_size AS size, page_count AS pages FROM pragma_page_size, pragma_page_count')
    .get()!;
  if (statSync(path).size < Number(size) * Number(pages)) throw damagedStore();
};

/** The error for a file whose content cannot be what was written. */
export const damagedStore = (cause?: unknown): TributaryError =>
  new TributaryError(
    'ENGINE_ERROR',
    'the index file is damaged: restore it from a backup, or delete the index and load it again',
    { cause },
  );

/** A stored document. @throws TributaryError ENGINE_ERROR when its text is not what was written */
export const parseStored = (text: string): JsonObject => {
  try {
    return JSON.parse(text) as JsonObject;
  } catch (error) {
    throw damagedStore(error);
  }
};

const withDatabase = <Result>(path: string, work: (db: DatabaseSync) => Result): Result => {
  const db = openDatabase(path);
  try {
    return work(db);
  } finally {
    db.close();
  }
};
