import { rm, writeFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test from 'ava';
import type { Job, JobState } from '../../../src/indexing/jobs/job.ts';
import { noCounts } from '../../../src/indexing/jobs/job.ts';
import { JobStore } from '../../../src/indexing/jobs/job-store.ts';
import { temporaryFolder } from './queue-fixture.ts';

const job = (jobId: string, state: JobState = 'queued'): Job => ({
  jobId,
  request: { kind: 'index', repositoryCode: 'museum', organization: null, rebuild: false },
  indexName: 'things',
  state,
  counts: noCounts,
  errors: [],
  error: null,
  createdAt: '2024-05-01T00:00:00.000Z',
  startedAt: null,
  finishedAt: null,
  attempts: 0,
});

test('jobs are there when the file is opened again, oldest unfinished and newest listed first', async (t) => {
  const folder = await temporaryFolder(t);
  const store = new JobStore(folder);
  for (const id of ['a', 'b', 'c']) store.add(job(id));
  store.save(job('b', 'running'));
  store.save(job('c', 'failed'));
  store.addFresh('things_1');
  store.close();
  const again = new JobStore(folder);
  t.teardown(() => again.close());
  t.deepEqual(again.unfinished(), [job('a'), job('b', 'running')]);
  t.deepEqual(again.list(undefined, 2), [job('c', 'failed'), job('b', 'running')]);
  t.deepEqual(again.list('queued', -1), [job('a')]);
  t.deepEqual(again.byId('c'), job('c', 'failed'));
  t.is(again.byId('d'), undefined);
  t.deepEqual(again.freshIndexes(), ['things_1']);
  again.removeFresh('things_1');
  t.deepEqual(again.freshIndexes(), []);
});

test('the oldest finished jobs are forgotten, unfinished ones never', async (t) => {
  const store = new JobStore(await temporaryFolder(t));
  t.teardown(() => store.close());
  store.add(job('waiting'));
  for (const id of ['a', 'b', 'c', 'd']) store.add(job(id, 'succeeded'));
  store.add(job('next'));
  store.prune(2);
  t.deepEqual(
    store.list(undefined, -1).map(({ jobId }) => jobId),
    ['next', 'd', 'c', 'waiting'],
  );
});

const refusal = (make: () => unknown, message: RegExp) => ({
  make,
  expected: { code: 'NOT_READY', message },
});

test('a folder that another process works on is refused, until that one ends', async (t) => {
  const folder = await temporaryFolder(t);
  const first = new JobStore(folder);
  const { make, expected } = refusal(() => new JobStore(folder), /another process is running the jobs/);
  t.throws(make, expected);
  first.close();
  new JobStore(folder).close();
  t.pass();
});

test('a file of a newer version is refused, and left as it is', async (t) => {
  const folder = await temporaryFolder(t);
  new JobStore(folder).close();
  const db = new DatabaseSync(join(folder, '@jobs.sqlite'));
  db.exec('PRAGMA user_version = 2');
  db.close();
  t.throws(() => new JobStore(folder), { code: 'NOT_READY', message: /of version 2, .* up to 1/ });
});

test('what cannot be a job store is refused', async (t) => {
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, '@jobs.sqlite'), 'this is not a database, but long enough to be looked at');
  t.throws(() => new JobStore(folder), { code: 'NOT_READY', message: /damaged/ });
  await rm(join(folder, '@jobs.sqlite'));
  await mkdir(join(folder, '@jobs.sqlite'));
  t.throws(() => new JobStore(folder), { code: 'NOT_READY', message: /cannot be opened for writing/ });
});

test('a file that was removed takes no more jobs', async (t) => {
  const folder = await temporaryFolder(t);
  const store = new JobStore(folder);
  t.teardown(() => store.close());
  store.probe();
  await rm(join(folder, '@jobs.sqlite'));
  t.throws(() => store.add(job('a')), { code: 'NOT_READY', message: /removed or replaced/ });
  t.throws(() => store.probe(), { code: 'NOT_READY' });
});
