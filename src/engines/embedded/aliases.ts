import { DatabaseSync, type StatementSync } from 'node:sqlite';

/** Which indexes each alias names: a table of its own in the data folder, read anew each time, as others write it too. */
export class Aliases {
  readonly #db: DatabaseSync;
  /** Run for every request. */
  readonly #selectNames: StatementSync;

  constructor(path: string) {
    this.#db = new DatabaseSync(path, { timeout: 20_000 });
    this.#db.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      CREATE TABLE IF NOT EXISTS aliases (alias TEXT, name TEXT, PRIMARY KEY (alias, name)) WITHOUT ROWID;
    `);
    this.#selectNames = this.#db.prepare('SELECT name FROM aliases WHERE alias = ? ORDER BY name');
  }

  /** The indexes behind an alias, none when there is no such alias. */
  indices(alias: string): readonly string[] {
    const rows = this.#selectNames.all(alias);
    return rows.map((row) => String(row['name']));
  }

  /** The aliases of an index. */
  of(index: string): readonly string[] {
    const rows = this.#db.prepare('SELECT alias FROM aliases WHERE name = ? ORDER BY alias').all(index);
    return rows.map((row) => String(row['alias']));
  }

  /** The alias names exactly these indexes from now on; with none it is gone. */
  set(alias: string, indices: readonly string[]): void {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      this.#db.prepare('DELETE FROM aliases WHERE alias = ?').run(alias);
      const insert = this.#db.prepare('INSERT OR IGNORE INTO aliases VALUES (?, ?)');
      for (const index of indices) insert.run(alias, index);
      this.#db.exec('COMMIT');
    } catch (error) {
      // some errors have ended the transaction already
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  /** Takes an index out of every alias. */
  forget(index: string): void {
    this.#db.prepare('DELETE FROM aliases WHERE name = ?').run(index);
  }

  close(): void {
    this.#db.close();
  }
}
