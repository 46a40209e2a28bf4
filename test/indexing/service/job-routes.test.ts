import test from 'ava';
import { runService } from './running-service.ts';

test('jobs are listed, shown and cancelled', async (t) => {
  const { send, jobs } = await runService(t);
  await send('POST', '/index/repository/archive');
  await send('POST', '/index/repository/archive/organization/kin');
  t.deepEqual((await send('GET', '/jobs')).body, { jobs: [jobs.byId('j2'), jobs.byId('j1')] });
  t.deepEqual((await send('GET', '/jobs?limit=1')).body, { jobs: [jobs.byId('j2')] });
  t.deepEqual((await send('GET', '/jobs/j1')).body, jobs.byId('j1'));
  const cancelled = await send('DELETE', '/jobs/j1');
  t.is(cancelled.status, 200);
  t.like(cancelled.body, { jobId: 'j1', state: 'cancelled' });
  t.deepEqual((await send('GET', '/jobs?state=cancelled')).body, { jobs: [jobs.byId('j1')] });
  t.deepEqual((await send('GET', '/jobs?state=queued&limit=5')).body, { jobs: [jobs.byId('j2')] });
});

test('a job that is still ending is 202', async (t) => {
  const { send, jobs } = await runService(t);
  await send('POST', '/index/repository/archive');
  const running = { ...jobs.byId('j1')!, state: 'running' as const };
  const slow = await runService(t, { jobs: { ...jobs, cancel: async () => running } });
  const { status, body } = await slow.send('DELETE', '/jobs/j1');
  t.is(status, 202);
  t.deepEqual(body, running);
});

test('unknown jobs are 404, and parameters of jobs are validated', async (t) => {
  const { send } = await runService(t);
  for (const [method, path, expected] of [
    ['GET', '/jobs/j9', 404],
    ['DELETE', '/jobs/j9', 404],
    ['GET', '/jobs?state=done', 400],
    ['GET', '/jobs?state=', 400],
    ['GET', '/jobs?limit=0', 400],
    ['GET', '/jobs?limit=1001', 400],
    ['GET', '/jobs?limit=1e2', 400],
    ['GET', '/jobs?page=2', 400],
    ['GET', '/jobs/j1?limit=1', 400],
  ] as const) {
    const { status, body } = await send(method, path);
    t.is(status, expected, path);
    t.like(body, { successful: false });
  }
});

test('an answer past the bound is refused before it begins, one within is whole', async (t) => {
  const { send, jobs } = await runService(t, { maxResponseBytes: 1_500 });
  await send('POST', '/index/repository/archive');
  t.deepEqual((await send('GET', '/jobs')).body, { jobs: [jobs.byId('j1')] });
  const many = Array.from({ length: 20 }, () => jobs.byId('j1')!);
  const full = await runService(t, { jobs: { ...jobs, list: () => many }, maxResponseBytes: 1_500 });
  const { status, body } = await full.send('GET', '/jobs');
  t.is(status, 400);
  t.deepEqual(body, {
    successful: false,
    message: 'the answer is larger than the 1500 bytes allowed: request less, or use several requests',
  });
});
