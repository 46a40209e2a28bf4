import { once } from 'node:events';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import test, { type ExecutionContext } from 'ava';
import { createDatabase, openDatabaseOrRead } from '../../../../src/engines/embedded/store/database.ts';
import {
  createStore,
  isStoreDeleted,
  markStoreDeleted,
  rememberAliases,
} from '../../../../src/engines/embedded/store/store-file.ts';
import { DocumentStore } from '../../../../src/engines/embedded/store/store.ts';
import { runs } from '../../../fast-check.ts';

test('several that open a new file at once all get it', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const [files, threads] = [runs(150), 3];
  const arrived = new Int32Array(new SharedArrayBuffer(4 * files));
  const program = new URL('../opening-thread.ts', import.meta.url);
  const errors = await Promise.all(
    Array.from({ length: threads }, async () => {
      const workerData = { folder, files, threads, arrived };
      const worker = new Worker(program, { workerData, execArgv: ['--disable-warning=ExperimentalWarning'] });
      const [found] = (await once(worker, 'message')) as [string[]];
      return found;
    }),
  );
  t.deepEqual(errors.flat(), []);
});

test('a file that finds no room for a log is opened to be read, with what a log of before holds', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const path = join(folder, 'odd ?#% name.sqlite');
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
  const fails = (): never => {
    throw full;
  };
  t.is(
    t.throws(() => openDatabaseOrRead(path, fails)),
    full,
  );
  const writer = createDatabase(path);
  writer.exec('CREATE TABLE a (b); INSERT INTO a VALUES (1)');
  writer.close();
  const read = (): unknown => {
    const { db, refusal } = openDatabaseOrRead(path, fails);
    t.is(refusal, full);
    const rows = db.prepare('SELECT count(*) AS count FROM a').get()!['count'];
    db.close();
    return rows;
  };
  t.is(read(), 1);
  const killed = createDatabase(path);
  killed.exec('INSERT INTO a VALUES (2)');
  const [file, log] = await Promise.all([readFile(path), readFile(`${path}-wal`)]);
  killed.close();
  await Promise.all([writeFile(path, file), writeFile(`${path}-wal`, log)]);
  t.is(read(), 2);
  const other = Object.assign(new Error('damaged'), { errcode: 11 });
  t.is(
    t.throws(() =>
      openDatabaseOrRead(path, () => {
        throw other;
      }),
    ),
    other,
  );
});

/** A store and what another process does to it. */
interface Shared {
  readonly path: string;
  readonly other: DatabaseSync;
}

const shared = async (t: ExecutionContext): Promise<Shared> => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const path = join(folder, 'x.sqlite');
  createStore(path, { properties: {} });
  const other = new DatabaseSync(path);
  t.teardown(() => other.close());
  return { path, other };
};

/** Opens the store while the other process acts before and after its pages are counted. */
const openAmid = ({ path }: Shared, before: () => void, after: () => void): void => {
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (sql) {
    const statement = prepare.call(this, sql);
    if (!sql.includes('page_count')) return statement;
    before();
    const row = statement.get();
    after();
    return Object.assign(statement, { get: () => row });
  };
  try {
    new DocumentStore(path).close();
  } finally {
    DatabaseSync.prototype.prepare = prepare;
  }
};

const nothing = (): void => undefined;
const grow = ({ other }: Shared): void =>
  other.exec(`INSERT INTO docs VALUES (1, 'a', hex(zeroblob(50000)), NULL)`);
const shrink = ({ other }: Shared): void =>
  other.exec('DELETE FROM docs; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');

test.serial('a file that another process begins to write to while it is opened is whole', async (t) => {
  const file = await shared(t);
  t.notThrows(() => openAmid(file, () => grow(file), nothing));
});

test.serial('a file that another process shrinks while it is opened is whole', async (t) => {
  const file = await shared(t);
  grow(file);
  file.other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  t.notThrows(() => openAmid(file, nothing, () => shrink(file)));
});

test.serial('a file that another process deletes while it is opened is none', async (t) => {
  const deleted = { code: 'index_not_found' };
  const file = await shared(t);
  t.throws(() => openAmid(file, nothing, () => rmSync(file.path)), deleted);
  t.throws(() => new DocumentStore(file.path), deleted);
  t.false(existsSync(file.path));
  const next = await shared(t);
  const makeAnew = (): void => {
    renameSync(next.path, `${next.path}.deleted`);
    writeFileSync(next.path, '');
  };
  t.throws(() => openAmid(next, nothing, makeAnew), deleted);
});

test.serial('nothing is noted in a file that another process just deleted', async (t) => {
  const { path } = await shared(t);
  rmSync(path);
  t.notThrows(() => markStoreDeleted(path));
  t.notThrows(() => rememberAliases(path, ['films']));
  t.false(isStoreDeleted(path));
  t.false(existsSync(path));
});
