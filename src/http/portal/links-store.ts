import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Views of the portal that are too long for an address, under short random ids. */
export interface LinksStore {
  /** @returns the id: 128 random bits, so that knowing it is what it takes to read it */
  readonly keep: (view: string) => string;
  /** null: never stored, or removed to make room. */
  readonly find: (id: string) => string | null;
  readonly close: () => void;
}

const isId = /^[\w-]{22}$/;

/**
 * @param file created when the first link is kept
 * @param maxBytes of all views together; the oldest go first
 */
export const openLinksStore = (file: string, maxBytes: number): LinksStore => {
  let opened: DatabaseSync | null = null;
  const database = (): DatabaseSync => (opened ??= open(file));
  return {
    keep: (view) => {
      const id = randomBytes(16).toString('base64url');
      const db = database();
      db.prepare('INSERT INTO link (id, bytes, view) VALUES (?, ?, ?)').run(
        id,
        Buffer.byteLength(view),
        view,
      );
      // newest first, as far as the room reaches
      db.prepare(
        `DELETE FROM link WHERE place IN (
           SELECT place FROM (SELECT place, sum(bytes) OVER (ORDER BY place DESC) AS used FROM link) WHERE used > ?)`,
      ).run(maxBytes);
      return id;
    },
    find: (id) => {
      if (!isId.test(id)) return null;
      const row = database().prepare('SELECT view FROM link WHERE id = ?').get(id);
      return row === undefined ? null : String(row['view']);
    },
    close: () => {
      opened?.close();
      opened = null;
    },
  };
};

const open = (file: string): DatabaseSync => {
  mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file, { timeout: 5_000 });
  database.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE IF NOT EXISTS link (
      place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, bytes INTEGER NOT NULL, view TEXT NOT NULL)`);
  return database;
};
