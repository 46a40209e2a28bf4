import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { JsonObject } from '../../json.ts';

/** Raised when files of this project can no longer be read by an older or newer program. */
export const layoutVersion = 1;

/** How long to wait for another process's write, in milliseconds. */
const busyTimeoutMs = 20_000;

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

/** Whether the file is what a deletion left that was cut short. */
export const isStoreDeleted = (path: string): boolean =>
  withDatabase(
    path,
    (db) => tableExists(db) && db.prepare("SELECT 1 FROM meta WHERE k = 'deleted'").get() !== undefined,
  );

/** Opens a store's file, which is made when it is not there. The errors are SQLite's own. */
export const openDatabase = (path: string): DatabaseSync => {
  const db = new DatabaseSync(path, { timeout: busyTimeoutMs });
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};

/** Whether the file holds an index, whole or marked as deleted. */
export const tableExists = (db: DatabaseSync): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").get() !== undefined;

const withDatabase = <Result>(path: string, work: (db: DatabaseSync) => Result): Result => {
  const db = openDatabase(path);
  try {
    return work(db);
  } finally {
    db.close();
  }
};
