import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import test from 'ava';
import { openDatabase, openDatabaseOrRead } from '../../../../src/engines/embedded/store/database.ts';
import { createStore } from '../../../../src/engines/embedded/store/store-file.ts';
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
  t.is(t.throws(() => openDatabaseOrRead(path, fails)), full); // prettier-ignore
  const writer = openDatabase(path);
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
  const killed = openDatabase(path);
  killed.exec('INSERT INTO a VALUES (2)');
  const [file, log] = await Promise.all([readFile(path), readFile(`${path}-wal`)]);
  killed.close();
  await Promise.all([writeFile(path, file), writeFile(`${path}-wal`, log)]);
  t.is(read(), 2);
  const other = Object.assign(new Error('damaged'), { errcode: 11 });
  t.is(t.throws(() => openDatabaseOrRead(path, () => { throw other; })), other); // prettier-ignore
});

const grow = (file: DatabaseSync): void =>
  file.exec(`INSERT INTO docs VALUES (1, 'a', hex(zeroblob(50000)), NULL)`);
const shrink = (file: DatabaseSync): void =>
  file.exec('DELETE FROM docs; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');

for (const [name, first, before, after] of [
  ['begins to write to', () => undefined, grow, () => undefined],
  ['shrinks', grow, () => undefined, shrink],
] as const)
  test.serial(`a file that another process ${name} while its length is read is whole`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'tributary-'));
    t.teardown(() => rm(folder, { recursive: true }));
    const path = join(folder, 'x.sqlite');
    createStore(path, { properties: {} });
    const other = new DatabaseSync(path);
    t.teardown(() => other.close());
    first(other);
    other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const { prepare } = DatabaseSync.prototype;
    t.teardown(() => void (DatabaseSync.prototype.prepare = prepare));
    let counted = 0;
    DatabaseSync.prototype.prepare = function (sql) {
      const statement = prepare.call(this, sql);
      if (!sql.includes('page_count')) return statement;
      before(other);
      const row = statement.get();
      after(other);
      counted++;
      return Object.assign(statement, { get: () => row });
    };
    t.notThrows(() => new DocumentStore(path).close());
    t.is(counted, 1);
  });
