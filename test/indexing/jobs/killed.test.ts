import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import test from 'ava';
import { openEmbeddedEngine } from '../../../src/engines/embedded/embedded-engine.ts';
import { openJobQueue } from '../../../src/indexing/jobs/job-runner.ts';
import { fakeRepository, record } from './fake-repository.ts';
import { ended, indexAll, keysOf, run, temporaryFolder } from './queue-fixture.ts';

/** Runs a process that indexes so many records, and kills it at one of its pages. @returns the job it was at */
const indexUntilKilled = async (
  dataPath: string,
  count: number,
  kind: 'update' | 'rebuild',
  page: number,
): Promise<string> => {
  const script = join(import.meta.dirname, 'indexing-child.ts');
  const child = spawn(process.execPath, [script, dataPath, String(count), kind], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let jobId = '';
  for await (const line of createInterface(child.stdout)) {
    if (line.startsWith('job ')) jobId = line.slice('job '.length);
    if (line === `page ${page}`) child.kill('SIGKILL');
  }
  await exited;
  return jobId;
};

for (const kind of ['update', 'rebuild'] as const)
  test(`a job that was killed amid ${kind} is taken up by the next process, and ends as if nothing had been`, async (t) => {
    const dataPath = await temporaryFolder(t);
    const engine = openEmbeddedEngine(dataPath, 0);
    t.teardown(() => engine.close());
    const repository = fakeRepository({ pageSize: 1_000 }, [record('gone'), record('r1')]);
    const parts = { engine, repositories: [repository], dataPath };
    const before = await openJobQueue(parts);
    await run(before, indexAll());
    await before.close();

    const jobId = await indexUntilKilled(dataPath, 10_000, kind, 6);
    repository.records = Array.from({ length: 3 }, (_, number) => record(`r${number}`));
    const after = await openJobQueue(parts);
    t.teardown(() => after.close());
    const job = await ended(after, jobId);
    t.is(job.state, 'succeeded');
    t.is(job.attempts, 2);
    t.is(job.counts.fetched, 3);
    t.deepEqual(await keysOf(engine), ['r0', 'r1', 'r2']);
    const indexes = (await readdir(dataPath)).filter((name) => /^things.*\.sqlite$/.test(name));
    t.is(indexes.length, 1, 'the half-filled index is gone');
  });

test('a folder whose processes are killed again and again has every job done in the end', async (t) => {
  const dataPath = await temporaryFolder(t);
  const kills = [
    ['update', 4],
    ['rebuild', 0],
    ['rebuild', 3],
    ['update', 1],
  ] as const;
  const jobs: string[] = [];
  for (const [kind, page] of kills) jobs.push(await indexUntilKilled(dataPath, 5_000, kind, page));
  const engine = openEmbeddedEngine(dataPath, 0);
  t.teardown(() => engine.close());
  const records = Array.from({ length: 5_000 }, (_, number) => record(`r${number}`));
  const repository = fakeRepository({ pageSize: 1_000 }, records);
  const queue = await openJobQueue({ engine, repositories: [repository], dataPath });
  t.teardown(() => queue.close());
  for (const jobId of jobs) t.is((await ended(queue, jobId)).state, 'succeeded', jobId);
  t.is((await keysOf(engine)).length, 5_000);
  const indexes = (await readdir(dataPath)).filter((name) => /^things.*\.sqlite$/.test(name));
  t.is(indexes.length, 1);
});

test('a process that was killed leaves no lock behind', async (t) => {
  const dataPath = await temporaryFolder(t);
  const jobId = await indexUntilKilled(dataPath, 2_000, 'update', 1);
  const engine = openEmbeddedEngine(dataPath, 0);
  t.teardown(() => engine.close());
  const queue = await openJobQueue({ engine, repositories: [fakeRepository()], dataPath });
  t.teardown(() => queue.close());
  t.not(queue.byId(jobId), undefined);
});
