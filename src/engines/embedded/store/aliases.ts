import { rmSync, statSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { canBeWritten, createDatabase, type OpenedDatabase, openDatabaseOrRead } from './database.ts';
import { isDamage } from './file-error.ts';

/** The aliases recorded in an index's own file. */
export type AliasesOfIndex = readonly [index: string, aliases: readonly string[]];

/**
 * Maps aliases to indexes: a separate table in the data folder, re-read every time because other processes write it
 * too. A damaged or missing file is rebuilt from the aliases the indexes have recorded.
 */
export class Aliases {
  readonly #path: string;
  readonly #known: () => Iterable<AliasesOfIndex>;
  #opened: OpenAliases | null = null;

  /** @param known the aliases recorded by the folder's indexes */
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

  /** Points the alias at exactly these indexes; an empty list removes it. */
  set(alias: string, indices: readonly string[]): void {
    this.#writing(({ db }) =>
      inTransaction(db, () => {
        db.prepare('DELETE FROM aliases WHERE alias = ?').run(alias);
        insert(
          db,
          indices.map((index) => [alias, index]),
        );
      }),
    );
  }

  /** Removes an index from every alias. */
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

  /** Another process may have recreated the file. */
  #using<Result>(work: (opened: OpenAliases) => Result): Result {
    const inode = statSync(this.#path, { throwIfNoEntry: false })?.ino;
    if (this.#opened !== null && this.#opened.inode !== inode) this.close();
    // opened read-only: once there is room, other processes may write to it
    if (this.#opened?.refusal && canBeWritten(this.#path)) this.close();
    try {
      return work((this.#opened ??= this.#open()));
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.close();
      process.emitWarning(
        'the alias file was damaged and is being rebuilt from the indexes',
        'TributaryWarning',
      );
      for (const ending of ['', '-wal', '-shm']) rmSync(this.#path + ending, { force: true });
      return work((this.#opened = this.#open()));
    }
  }

  #open(): OpenAliases {
    const { db, refusal } = openDatabaseOrRead(this.#path, createDatabase);
    try {
      rejectDamaged(db);
      if (!hasTable(db)) this.#make(db);
      // runs on every request
      const selectNames = db.prepare('SELECT name FROM aliases WHERE alias = ? ORDER BY name');
      return { db, refusal, selectNames, inode: statSync(this.#path).ino };
    } catch (error) {
      db.close();
      throw error;
    }
  }

  #make(db: DatabaseSync): void {
    const known = [...this.#known()].flatMap(([index, aliases]) =>
      aliases.map((alias) => [alias, index] as const),
    );
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
    // some errors end the transaction themselves
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
};

const hasTable = (db: DatabaseSync): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'aliases'").get() !== undefined;

/** The file is only a few pages long, so checking all of it is cheap. */
const rejectDamaged = (db: DatabaseSync): void => {
  const [first] = db.prepare('PRAGMA quick_check(1)').all();
  const result = String(first?.['quick_check']);
  if (result !== 'ok') throw Object.assign(new Error(result), { errcode: damagedCode });
};

/** SQLITE_CORRUPT */
const damagedCode = 11;
