import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import test from 'ava';
import { openDatabase, openDatabaseOrRead } from '../../../../src/engines/embedded/store/database.ts';
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
