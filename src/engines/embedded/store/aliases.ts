import { rmSync, statSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { canBeWritten, type OpenedDatabase, openDatabaseOrRead } from './database.ts';
import { isDamage } from './file-error.ts';

/** The aliases that an index knows to be its own. */
export type AliasesOfIndex = readonly [index: string, aliases: readonly string[]];

/**
 * Which indexes each alias names: a table of its own in the data folder, read anew each time, as others write it too.
 * A file that is damaged or gone is made anew from what the indexes know.
 */
export class Aliases {
  readonly #path: string;
  readonly #known: () => Iterable<AliasesOfIndex>;
  #opened: OpenAliases | null = null;

  /** @param known what the indexes of the folder know of their aliases */
  constructor(path: string, known: () => Iterable<AliasesOfIndex>) {
    this.#path = path;
    this.#known = known;
    this.#using(() => undefined);
  }

  /** The indexes behind an alias, none when there is no such alias. */
  indices(alias: string): readonly string[] {
    return this.#using(({ selectNames }) => selectNames.all(alias).map((row) => String(row['name'])));
  }

  /** The aliases of an index. */
  of(index: string): readonly string[] {
    return this.#using(({ db }) => {
      const rows = db.prepare('SELECT alias FROM aliases WHERE name = ? ORDER BY alias').all(index);
      return rows.map((row) => String(row['alias']));
    });
  }

  /** The alias names exactly these indexes from now on; with none it is gone. */
  set(alias: string, indices: readonly string[]): void {
    this.#writing(({ db }) =>
      inTransaction(db, () => {
        db.prepare('DELETE FROM aliases WHERE alias = ?').run(alias);
        insert(db, indices.map((index) => [alias, index])); // prettier-ignore
      }),
    );
  }

  /** Takes an index out of every alias. */
  forget(index: string): void {
    this.#writing(({ db }) => db.prepare('DELETE FROM aliases WHERE name = ?').run(index));
  }

  close(): void {
    this.#opened?.db.close();
    this.#opened = null;
  }

  #writing(work: (opened: OpenAliases) => unknown): void {
    this.#using((opened) => {
      if (opened.refusal !== null) throw opened.refusal;
      return work(opened);
    });
  }

  /** Another process may have made the file anew. */
  #using<Result>(work: (opened: OpenAliases) => Result): Result {
    const inode = statSync(this.#path, { throwIfNoEntry: false })?.ino;
    if (this.#opened !== null && this.#opened.inode !== inode) this.close();
    // a file that could only be read: others may write to it as soon as there is room
    if (this.#opened?.refusal && canBeWritten(this.#path)) this.close();
    try {
      return work((this.#opened ??= this.#open()));
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.close();
      process.emitWarning(
        'the file of all aliases was damaged: it is made anew from what the indexes know',
        'TributaryWarning',
      );
      for (const ending of ['', '-wal', '-shm']) rmSync(this.#path + ending, { force: true });
      return work((this.#opened = this.#open()));
    }
  }

  #open(): OpenAliases {
    const { db, refusal } = openDatabaseOrRead(this.#path);
    try {
      rejectDamaged(db);
      if (!hasTable(db)) this.#make(db);
      // run for every request
      const selectNames = db.prepare('SELECT name FROM aliases WHERE alias = ? ORDER BY name');
      return { db, refusal, selectNames, inode: statSync(this.#path).ino };
    } catch (error) {
      db.close();
      throw error;
    }
  }

  #make(db: DatabaseSync): void {
    const known = [...this.#known()].flatMap(([index, aliases]) => aliases.map((alias) => [alias, index] as const)); // prettier-ignore
    inTransaction(db, () => {
      db.exec(
        'CREATE TABLE IF NOT EXISTS aliases (alias TEXT, name TEXT, PRIMARY KEY (alias, name)) WITHOUT ROWID',
      );
      insert(db, known);
    });
  }
}

interface OpenAliases extends OpenedDatabase {
  readonly selectNames: StatementSync;
  readonly inode: number;
}

const insert = (db: DatabaseSync, rows: readonly (readonly [alias: string, index: string])[]): void => {
  const statement = db.prepare('INSERT OR IGNORE INTO aliases VALUES (?, ?)');
  for (const [alias, index] of rows) statement.run(alias, index);
};

const inTransaction = (db: DatabaseSync, work: () => void): void => {
  db.exec('BEGIN IMMEDIATE');
  try {
    work();
    db.exec('COMMIT');
  } catch (error) {
    // some errors have ended the transaction already
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
};

const hasTable = (db: DatabaseSync): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'aliases'").get() !== undefined;

/** The file is of a few pages, so that all of it can be looked at. */
const rejectDamaged = (db: DatabaseSync): void => {
  const [first] = db.prepare('PRAGMA quick_check(1)').all();
  const found = String(first?.['quick_check']);
  if (found !== 'ok') throw Object.assign(new Error(found), { errcode: damagedCode });
};

/** SQLITE_CORRUPT */
const damagedCode = 11;
