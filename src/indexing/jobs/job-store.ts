import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { fileError } from '../../engines/embedded/store/file-error.ts';
import { TributaryError } from '../../lib/errors/errors.ts';
import type { Job, JobState } from './job.ts';
import { createPrivate, privateFolder } from '../../lib/runtime/private-file.ts';

/** Increased when older versions can no longer read the file. */
const storeVersion = 1;
/** The `@` distinguishes it from the files of indexes, which encode it. */
const fileName = '@jobs.sqlite';

/** `fresh` records the indexes that rebuilds fill, so that incomplete ones are found again. */
const schema = `
  CREATE TABLE jobs (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    body TEXT NOT NULL
  );
  CREATE INDEX jobs_by_state ON jobs (state, seq);
  CREATE TABLE fresh (name TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE probe (id INTEGER PRIMARY KEY, at TEXT NOT NULL);
`;

/**
 * The jobs of a data folder, in a separate file. Only one process can open it; the lock belongs to the operating system, so a
 * killed process leaves none behind. Every change is on disk when its method returns; failures are TributaryError
 * NOT_READY.
 */
export class JobStore {
  readonly #db: DatabaseSync;
  readonly #path: string;
  readonly #inode: number;
  readonly #statements: Record<'insert' | 'update' | 'byId' | 'unfinished' | 'prune', StatementSync>;

  /** @throws TributaryError NOT_READY: the file is of a newer version, open in another process, or cannot be written */
  constructor(dataPath: string) {
    this.#path = path.join(dataPath, fileName);
    this.#db = inStore(() => openFile(dataPath, this.#path));
    this.#inode = statSync(this.#path).ino;
    this.#statements = {
      insert: this.#db.prepare('INSERT INTO jobs (id, state, body) VALUES (?, ?, ?)'),
      update: this.#db.prepare('UPDATE jobs SET state = ?, body = ? WHERE id = ?'),
      byId: this.#db.prepare('SELECT body FROM jobs WHERE id = ?'),
      unfinished: this.#db.prepare("SELECT body FROM jobs WHERE state IN ('queued', 'running') ORDER BY seq"),
      prune: this.#db.prepare(`
        DELETE FROM jobs WHERE state NOT IN ('queued', 'running') AND seq <= (
          SELECT seq FROM jobs WHERE state NOT IN ('queued', 'running') ORDER BY seq DESC LIMIT 1 OFFSET ?
        )`),
    };
  }

  add(job: Job): void {
    this.#change(() => this.#statements.insert.run(job.jobId, job.state, JSON.stringify(job)));
  }

  save(job: Job): void {
    this.#change(() => this.#statements.update.run(job.state, JSON.stringify(job), job.jobId));
  }

  /** Deletes all finished jobs except the newest `kept`. */
  prune(kept: number): void {
    this.#change(() => this.#statements.prune.run(kept));
  }

  /** Undefined if the id is unknown. */
  byId(jobId: string): Job | undefined {
    const row = inStore(() => this.#statements.byId.get(jobId));
    return row === undefined ? undefined : readJob(row);
  }

  /** Newest first. */
  list(state: JobState | undefined, limit: number): readonly Job[] {
    const where = state === undefined ? '' : 'WHERE state = ?';
    const values = state === undefined ? [] : [state];
    const sql = `SELECT body FROM jobs ${where} ORDER BY seq DESC LIMIT ?`;
    return inStore(() => this.#db.prepare(sql).all(...values, limit)).map(readJob);
  }

  /** Queued and running jobs, oldest first. */
  unfinished(): readonly Job[] {
    return inStore(() => this.#statements.unfinished.all()).map(readJob);
  }

  addFresh(index: string): void {
    this.#change(() => this.#db.prepare('INSERT OR IGNORE INTO fresh VALUES (?)').run(index));
  }

  removeFresh(index: string): void {
    this.#change(() => this.#db.prepare('DELETE FROM fresh WHERE name = ?').run(index));
  }

  freshIndexes(): readonly string[] {
    const rows = inStore(() => this.#db.prepare('SELECT name FROM fresh').all());
    return rows.map((row) => String(row['name']));
  }

  /** Writes something to test whether jobs can be written. */
  probe(): void {
    this.#change(() =>
      this.#db.prepare('INSERT OR REPLACE INTO probe VALUES (1, ?)').run(new Date().toISOString()),
    );
  }

  close(): void {
    this.#db.close();
  }

  #change(work: () => unknown): void {
    // data written to an unlinked file is lost when this process ends
    if (statSync(this.#path, { throwIfNoEntry: false })?.ino !== this.#inode)
      throw new TributaryError(
        'NOT_READY',
        'the file of the job store was removed or replaced: restart this program',
      );
    inStore(work);
  }
}

const openFile = (dataPath: string, file: string): DatabaseSync => {
  mkdirSync(dataPath, { recursive: true, mode: privateFolder });
  createPrivate(file);
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    // the first transaction takes the lock and keeps it until the file is closed
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    db.exec('BEGIN IMMEDIATE');
    prepareTables(db);
    db.exec('COMMIT');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};

const prepareTables = (db: DatabaseSync): void => {
  const version = Number(db.prepare('PRAGMA user_version').get()!['user_version']);
  if (version > storeVersion)
    throw new TributaryError(
      'NOT_READY',
      `the job store is of version ${version}, this program knows versions up to ${storeVersion}: start the newer program`,
    );
  if (version === 0) db.exec(`${schema} PRAGMA user_version = ${storeVersion}`);
};

const readJob = (row: Record<string, unknown>): Job => JSON.parse(String(row['body'])) as Job;

const inStore = <Result>(work: () => Result): Result => {
  try {
    return work();
  } catch (error) {
    if (error instanceof TributaryError) throw error;
    const known = fileError(error, 'the job store');
    const reason =
      known?.code === 'ENGINE_UNAVAILABLE' && isBusy(error)
        ? 'another process is running the jobs of this data folder'
        : (known?.message ?? 'the job store cannot be used');
    throw new TributaryError('NOT_READY', reason, { cause: error });
  }
};

/** SQLITE_BUSY and SQLITE_LOCKED. */
const isBusy = (error: unknown): boolean =>
  [5, 6].includes(Number((error as { errcode?: number }).errcode) & 0xff);
