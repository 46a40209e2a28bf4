import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { TributaryError } from '../../../lib/errors/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { createDatabase, openDatabase } from './database.ts';
import { fileError } from './file-error.ts';

/** Incremented when the file format changes incompatibly in either direction. */
export const layoutVersion = 2;

const schema = `
  CREATE TABLE docs (dn INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, src TEXT NOT NULL, sum INTEGER);
  CREATE TABLE dels (seq INTEGER PRIMARY KEY AUTOINCREMENT, dn INTEGER NOT NULL, at INTEGER NOT NULL);
  CREATE TABLE meta (k TEXT PRIMARY KEY, v) WITHOUT ROWID;
`;

/** Creates the file of a new index. Returns false if it already exists. */
export const createStore = (path: string, mapping: JsonObject): boolean =>
  withDatabase(
    path,
    (db) => {
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
    },
    createDatabase,
  );

/** Tells other processes that have the index open that it is deleted; its files may be removed afterwards. */
export const markStoreDeleted = (path: string): void =>
  unlessGone(path, undefined, (db) => {
    if (tableExists(db)) db.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run('deleted', 1);
  });

/** Records an index's aliases in its file, in case the alias table is lost. */
export const rememberAliases = (path: string, aliases: readonly string[]): void =>
  unlessGone(path, undefined, (db) => {
    if (tableExists(db))
      db.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run('aliases', JSON.stringify(aliases));
  });

/** The aliases recorded in an index's file; none when it cannot be read. */
export const rememberedAliases = (path: string): readonly string[] => {
  try {
    return withDatabase(path, (db) => {
      const row = tableExists(db)
        ? db
            .prepare(
              "SELECT v FROM meta WHERE k = 'aliases' AND NOT EXISTS (SELECT 1 FROM meta WHERE k = 'deleted')",
            )
            .get()
        : undefined;
      return row === undefined ? [] : (JSON.parse(String(row['v'])) as readonly string[]);
    });
  } catch (error) {
    // requests for the index report what is wrong with it
    if (fileError(error, path) === null && !(error instanceof SyntaxError)) throw error;
    return [];
  }
};

/** Whether there is a file that was left behind by an interrupted deletion. */
export const isStoreDeleted = (path: string): boolean =>
  unlessGone(
    path,
    false,
    (db) => tableExists(db) && db.prepare("SELECT 1 FROM meta WHERE k = 'deleted'").get() !== undefined,
  );

/** Whether the file holds an index, whole or marked as deleted. */
export const tableExists = (db: DatabaseSync): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").get() !== undefined;

/**
 * SQLite reads the missing part of a last page as zeros, so the length is checked here. While pages are still in the
 * log, the length proves nothing.
 * @throws TributaryError ENGINE_ERROR when the file is truncated
 */
export const rejectTruncated = (db: DatabaseSync, path: string): void => {
  const { size, pages } = db
    .prepare('SELECT page_size AS size, page_count AS pages FROM pragma_page_size, pragma_page_count')
    .get()!;
  // only then: another process may have begun to write
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return;
  if (statSync(path).size < Number(size) * Number(pages)) throw damagedStore();
};

/** The error for a corrupt file. */
export const damagedStore = (cause?: unknown): TributaryError =>
  new TributaryError(
    'ENGINE_ERROR',
    'the index file is damaged: restore it from a backup, or delete the index and load it again',
    { cause },
  );

/** A stored document. @throws TributaryError ENGINE_ERROR when its text is corrupt */
export const parseStored = (text: string): JsonObject => {
  try {
    return JSON.parse(text) as JsonObject;
  } catch (error) {
    throw damagedStore(error);
  }
};

const withDatabase = <Result>(
  path: string,
  work: (db: DatabaseSync) => Result,
  open = openDatabase,
): Result => {
  const db = open(path);
  try {
    return work(db);
  } finally {
    db.close();
  }
};

/** As `withDatabase`; `gone` where there is no file, as another process may just have deleted it. */
const unlessGone = <Result>(path: string, gone: Result, work: (db: DatabaseSync) => Result): Result => {
  try {
    return withDatabase(path, work);
  } catch (error) {
    if (existsSync(path)) throw error;
    return gone;
  }
};
