import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import fc, { runs } from '../../fast-check.ts';
import { openEmbeddedEngine } from '../../../src/engines/embedded/embedded-engine.ts';
import type { Engine } from '../../../src/engines/engine.ts';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { newJob } from '../../../src/indexing/jobs/job.ts';
import { openJobQueue } from '../../../src/indexing/jobs/job-runner.ts';
import { JobStore } from '../../../src/indexing/jobs/job-store.ts';
import type { FakeRepository } from './fake-repository.ts';
import { fakeRepository, record } from './fake-repository.ts';
import { ended, indexAll, keysOf, onRecord, openQueue, run, temporaryFolder } from './queue-fixture.ts';

/** Holds a repository's pages back until it is opened; an aborted wait ends at once. */
const gate = (
  repository: FakeRepository,
): { readonly open: () => void; readonly reached: Promise<unknown> } => {
  const opened = Promise.withResolvers<null>();
  const reached = Promise.withResolvers<null>();
  repository.beforePage = async (_page, signal) => {
    reached.resolve(null);
    const aborted = once(signal, 'abort');
    await Promise.race([opened.promise, aborted]);
  };
  return { open: () => opened.resolve(null), reached: reached.promise };
};

test('an unknown repository is refused, a code is known in any case', async (t) => {
  const { queue } = await openQueue(t, [fakeRepository()]);
  await t.throwsAsync(() => queue.submit(indexAll({ repositoryCode: 'gone' })), {
    code: 'NOT_FOUND',
    message: 'there is no repository "gone": museum is configured',
  });
  t.is((await queue.submit(indexAll({ repositoryCode: 'MUSEUM' }))).request.repositoryCode, 'museum');
});

test('an equal request returns the queued job; another is a new job', async (t) => {
  const repository = fakeRepository({}, [record('a')]);
  const { queue } = await openQueue(t, [repository]);
  const { open, reached } = gate(repository);
  const running = await queue.submit(indexAll());
  await reached;
  const queued = await queue.submit(indexAll());
  t.not(queued.jobId, running.jobId);
  t.is((await queue.submit(indexAll())).jobId, queued.jobId);
  t.not((await queue.submit(indexAll({ rebuild: true }))).jobId, queued.jobId);
  t.not((await queue.submit(onRecord('indexRecord', 'a'))).jobId, queued.jobId);
  t.deepEqual(
    queue.list({ state: 'queued' }).map(({ request }) => request.kind),
    ['indexRecord', 'index', 'index'],
  );
  t.deepEqual(queue.list({ limit: 1 }).length, 1);
  open();
  await ended(queue, queued.jobId);
  t.not((await queue.submit(indexAll())).jobId, queued.jobId);
});

test('no more jobs wait than are allowed; an equal request is not another job', async (t) => {
  const repository = fakeRepository({}, [record('a')]);
  const { queue } = await openQueue(t, [repository], undefined, { maxWaiting: 2 });
  const { open, reached } = gate(repository);
  const running = await queue.submit(indexAll());
  await reached;
  const first = await queue.submit(onRecord('indexRecord', 'a'));
  const second = await queue.submit(onRecord('indexRecord', 'b'));
  await t.throwsAsync(queue.submit(onRecord('indexRecord', 'c')), {
    code: 'NOT_READY',
    message: /^2 jobs are waiting, no more are accepted: retry later, or index the whole organization/,
  });
  t.is((await queue.submit(onRecord('indexRecord', 'a'))).jobId, first.jobId);
  await queue.cancel(second.jobId);
  const third = await queue.submit(onRecord('indexRecord', 'c'));
  open();
  for (const { jobId } of [running, first, third]) await ended(queue, jobId);
});

test('a running job shows how far it is', async (t) => {
  const repository = fakeRepository(
    {},
    ['a', 'b', 'c'].map((id) => record(id)),
  );
  const { queue } = await openQueue(t, [repository]);
  const second = Promise.withResolvers<null>();
  let readings = 0;
  repository.beforePage = async (page) => {
    if (page === 0) readings += 1;
    // the first reading is for the types
    if (page === 1 && readings === 2) await second.promise;
  };
  const { jobId } = await queue.submit(indexAll());
  while (queue.byId(jobId)!.counts.fetched === 0) await delay(5);
  t.is(queue.byId(jobId)!.state, 'running');
  t.is(queue.list()[0]!.counts.fetched, 2);
  second.resolve(null);
  const job = await ended(queue, jobId);
  t.is(job.counts.fetched, 3);
  t.true(job.createdAt <= job.startedAt! && job.startedAt! <= job.finishedAt!);
});

test('a queued job is cancelled at once, a running one ends soon, and what it wrote stays', async (t) => {
  const repository = fakeRepository(
    {},
    ['a', 'b', 'c'].map((id) => record(id)),
  );
  const { queue, engine } = await openQueue(t, [repository]);
  await run(queue, indexAll());
  repository.records = [];
  const { reached } = gate(repository);
  const running = await queue.submit(indexAll());
  const queued = await queue.submit(indexAll());
  await reached;
  t.is((await queue.cancel(queued.jobId))?.state, 'cancelled');
  t.is((await queue.cancel(running.jobId))?.state, 'cancelled');
  t.is((await queue.cancel(running.jobId))?.state, 'cancelled');
  t.is(await queue.cancel('unknown'), undefined);
  t.deepEqual(await keysOf(engine), ['a', 'b', 'c']);
  repository.beforePage = () => undefined;
  t.is((await run(queue, indexAll())).state, 'succeeded');
});

test('closing leaves running and queued jobs to the next process, which starts them again', async (t) => {
  const dataPath = await temporaryFolder(t);
  const engine = openEmbeddedEngine(dataPath, 0);
  t.teardown(() => engine.close());
  const repository = fakeRepository({}, [record('a')]);
  const parts = { engine, repositories: [repository], dataPath };
  const first = await openJobQueue(parts);
  const { reached } = gate(repository);
  const running = await first.submit(indexAll());
  const queued = await first.submit(indexAll());
  await reached;
  await first.close();
  await t.throwsAsync(() => first.submit(indexAll()), { code: 'NOT_READY' });
  repository.beforePage = () => undefined;
  const second = await openJobQueue(parts);
  t.teardown(() => second.close());
  const resumed = await ended(second, running.jobId);
  t.is(resumed.state, 'succeeded');
  t.is(resumed.attempts, 2);
  t.is((await ended(second, queued.jobId)).attempts, 1);
});

test('a job of a repository that is gone from the configuration fails', async (t) => {
  const dataPath = await temporaryFolder(t);
  const engine = openEmbeddedEngine(dataPath, 0);
  t.teardown(() => engine.close());
  const repository = fakeRepository();
  const first = await openJobQueue({ engine, repositories: [repository], dataPath });
  const { reached } = gate(repository);
  const { jobId } = await first.submit(indexAll());
  await reached;
  await first.close();
  const second = await openJobQueue({ engine, repositories: [], dataPath });
  t.teardown(() => second.close());
  t.is(second.byId(jobId)?.state, 'failed');
  t.is(second.byId(jobId)?.error?.message, 'repository museum is no longer configured');
});

test('without a job store requests are refused, until it can be opened', async (t) => {
  const dataPath = await temporaryFolder(t);
  const engine = openEmbeddedEngine(dataPath, 0);
  t.teardown(() => engine.close());
  await mkdir(join(dataPath, '@jobs.sqlite'));
  const queue = await openJobQueue({ engine, repositories: [fakeRepository()], dataPath });
  t.teardown(() => queue.close());
  await t.throwsAsync(() => queue.submit(indexAll()), { code: 'NOT_READY' });
  t.deepEqual(queue.list(), []);
  t.false((await queue.health()).find(({ name }) => name === 'jobs')!.ok);
  await rm(join(dataPath, '@jobs.sqlite'), { recursive: true });
  t.is((await run(queue, indexAll())).state, 'succeeded');
});

test('a job store that is taken away while it is open refuses what comes', async (t) => {
  const { queue, dataPath } = await openQueue(t, [fakeRepository()]);
  await rm(join(dataPath, '@jobs.sqlite'));
  await t.throwsAsync(() => queue.submit(indexAll()), { code: 'NOT_READY' });
  t.false((await queue.health()).find(({ name }) => name === 'jobs')!.ok);
});

test('an engine that is away for good fails the job with its error', async (t) => {
  const away = new TributaryError('permission_denied', 'the server does not let us write');
  const { queue } = await openQueue(t, [fakeRepository({}, [record('a')])], (engine) => ({
    ...engine,
    write: () => Promise.reject(away),
  }));
  const job = await run(queue, indexAll());
  t.is(job.state, 'failed');
  t.deepEqual(job.error, { code: 'permission_denied', message: 'the server does not let us write' });
});

test('a job has succeeded when what its new fields bring about is done; without any nothing is called', async (t) => {
  const dataPath = await temporaryFolder(t);
  const engine = openEmbeddedEngine(dataPath, 0);
  t.teardown(() => engine.close());
  const repository = fakeRepository({}, [record('a')]);
  const calls: string[] = [];
  const onIndexed = async (indexName: string): Promise<void> => {
    await delay(20);
    const { properties } = await engine.describe(indexName);
    calls.push(Object.keys(properties).join());
  };
  const queue = await openJobQueue({ engine, repositories: [repository], dataPath, onIndexed });
  t.teardown(() => queue.close());
  await run(queue, indexAll());
  t.deepEqual(calls, ['name,tributary_origin']);
  await run(queue, indexAll());
  t.is(calls.length, 1);
  repository.records = [record('a', { size: 1 })];
  await run(queue, indexAll());
  t.deepEqual(calls.slice(1), ['name,tributary_origin,size']);
});

test('what another did wrong is logged without a stack, a fault with it', async (t) => {
  const dataPath = await temporaryFolder(t);
  const engine = openEmbeddedEngine(dataPath, 0);
  t.teardown(() => engine.close());
  const lines: [string, object][] = [];
  const log = {
    info: () => undefined,
    warn: (facts: object) => void lines.push(['warn', facts]),
    error: (facts: object) => void lines.push(['error', facts]),
  };
  const repository = fakeRepository();
  const queue = await openJobQueue({ engine, repositories: [repository], dataPath, log });
  t.teardown(() => queue.close());
  await run(queue, onRecord('indexRecord', 'gone'));
  const fault = new Error('odd');
  repository.beforePage = () => {
    throw fault;
  };
  await run(queue, indexAll());
  t.like(lines, [
    ['warn', { recordId: 'gone', code: 'NOT_FOUND' }],
    ['error', { err: fault }],
  ]);
});

test('an error that is none of ours is not shown', async (t) => {
  const repository = fakeRepository({}, [record('a')]);
  repository.beforePage = () => {
    throw new Error('secret path');
  };
  const { queue } = await openQueue(t, [repository]);
  t.is((await run(queue, indexAll())).error?.message, 'internal error, see the log of the service');
});

test('health reports engine, job store and every repository', async (t) => {
  const down = fakeRepository({ code: 'archive' });
  down.up = false;
  const { queue, engine } = await openQueue(t, [fakeRepository(), down]);
  // its thread has started then, however busy the machine is
  await t.throwsAsync(() => engine.describe('things'));
  t.deepEqual(await queue.health(), [
    { name: 'engine', ok: true, message: 'ok' },
    { name: 'jobs', ok: true, message: 'ok' },
    { name: 'repository:museum', ok: true, message: 'ok' },
    { name: 'repository:archive', ok: false, message: 'the repository is down' },
  ]);
});

const step = fc.record({
  organization: fc.constantFrom('O', 'P', null),
  kind: fc.constantFrom('index', 'index', 'indexRecord', 'removeRecord', 'rebuild'),
  /** The records there are from then on. */
  records: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 6 }),
});

test('whatever is submitted at once, no two jobs of a scope overlap, and a last run leaves what there is upstream', async (t) => {
  const repository = fakeRepository();
  const busy = new Map<string | null, number>();
  const { fetchAll, fetchOne } = repository;
  const enter = (organization: string | null): void => {
    const clash = [...busy].some(
      ([other, count]) => count > 0 && (other === null || organization === null || other === organization),
    );
    t.false(clash);
    busy.set(organization, (busy.get(organization) ?? 0) + 1);
  };
  const leave = (organization: string | null): void =>
    void busy.set(organization, busy.get(organization)! - 1);
  repository.fetchAll = async function* (organization, signal) {
    enter(organization);
    yield* fetchAll(organization, signal);
    leave(organization);
  };
  repository.fetchOne = async (organization, recordId, signal) => {
    enter(organization);
    const page = await fetchOne(organization, recordId, signal);
    leave(organization);
    return page;
  };
  const { queue, engine } = await openQueue(t, [repository]);
  const organizationOf = (id: string): string => (id < 'd' ? 'O' : 'P');
  const property = fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
    const jobs = [];
    for (const { organization, kind, records } of steps) {
      repository.records = records.map((id) => record(id, {}, organizationOf(id)));
      const request =
        kind === 'indexRecord' || kind === 'removeRecord'
          ? onRecord(kind, organization === 'P' ? 'd' : 'a', organization ?? 'O')
          : indexAll({ organization, rebuild: kind === 'rebuild' });
      jobs.push(await queue.submit(request));
    }
    for (const { jobId } of jobs) await ended(queue, jobId);
    t.is((await run(queue, indexAll())).state, 'succeeded');
    const expected = repository.records.map(({ documentId }) => documentId).sort();
    const exists = await describes(engine);
    t.deepEqual(exists ? await keysOf(engine) : [], expected);
  });
  await fc.assert(property, { numRuns: runs(15) });
});

const describes = (engine: Engine): Promise<boolean> =>
  engine.describe('things').then(
    () => true,
    () => false,
  );

test('a job during which the process ended ten times is not started again', async (t) => {
  const dataPath = await temporaryFolder(t);
  const engine = openEmbeddedEngine(dataPath, 0);
  t.teardown(() => engine.close());
  const repository = fakeRepository({}, [record('a')]);
  const store = new JobStore(dataPath);
  for (const attempts of [9, 10]) {
    const job = newJob(indexAll(), repository);
    store.add({ ...job, jobId: `after ${attempts}`, state: 'running', attempts });
  }
  store.close();
  const queue = await openJobQueue({ engine, repositories: [repository], dataPath });
  t.teardown(() => queue.close());
  t.like(await ended(queue, 'after 9'), { state: 'succeeded', attempts: 10 });
  t.like(await ended(queue, 'after 10'), { state: 'failed', attempts: 10, error: { code: 'NOT_READY' } });
});
