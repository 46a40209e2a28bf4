import test from 'ava';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { fakeJobs } from './fake-jobs.ts';
import { runService } from './running-service.ts';

const record = '/index/repository/archive/organization/kin/id/r%2F1';

test('each operation submits its job and responds with its location', async (t) => {
  const { send, jobs } = await runService(t);
  for (const [method, path] of [
    ['POST', '/index/repository/archive'],
    ['POST', '/index/repository/archive?rebuild=true'],
    ['POST', '/index/repository/archive/organization/k%C3%A4n%20%2B'],
    ['POST', record],
    ['DELETE', record],
  ] as const) {
    const { status, body, headers } = await send(method, path);
    const jobId = `j${jobs.submitted.length}`;
    t.is(status, 202);
    t.deepEqual(body, { successful: true, indexName: 'letters', jobId });
    t.is(headers.location, `/jobs/${jobId}`);
  }
  const repositoryCode = 'archive';
  t.deepEqual(jobs.submitted, [
    { kind: 'index', repositoryCode, organization: null, rebuild: false },
    { kind: 'index', repositoryCode, organization: null, rebuild: true },
    { kind: 'index', repositoryCode, organization: 'kän +', rebuild: false },
    { kind: 'indexRecord', repositoryCode, organization: 'kin', recordId: 'r/1' },
    { kind: 'removeRecord', repositoryCode, organization: 'kin', recordId: 'r/1' },
  ]);
});

test('no body and an empty object are the same, whatever type is named for nothing', async (t) => {
  const { send } = await runService(t);
  for (const [body, type] of [
    ['', 'application/x-www-form-urlencoded'],
    [' \n', 'text/plain'],
    ['{}', 'application/json'],
    [' { } ', 'application/json; charset=utf-8'],
    ['{}', undefined],
  ] as const) {
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
    t.is((await send('POST', record, { headers, body })).status, 202, JSON.stringify([body, type]));
  }
});

test('a body that is not empty is refused, and so is one of another type or size', async (t) => {
  const { send, jobs } = await runService(t);
  for (const [body, headers, expected] of [
    ['{"a":1}', {}, 400],
    ['[]', {}, 400],
    ['null', {}, 400],
    ['{', {}, 400],
    ['{}', { 'content-type': 'text/plain' }, 415],
    ['{}', { 'content-encoding': 'gzip' }, 415],
    [' '.repeat(16 * 1024 + 1), {}, 413],
    [' '.repeat(16 * 1024 + 1), { 'transfer-encoding': 'chunked' }, 413],
  ] as const) {
    const answer = await send('DELETE', record, { headers, body });
    t.is(answer.status, expected, `${body.slice(0, 80)} ${JSON.stringify(headers)}`);
    t.like(answer.body, { successful: false });
  }
  t.deepEqual(jobs.submitted, []);
});

test('query parameters that are unknown, repeated or no switch are refused', async (t) => {
  const { send, jobs } = await runService(t);
  for (const path of [
    '/index/repository/archive?rebuild=yes',
    '/index/repository/archive?rebuild=',
    '/index/repository/archive?rebuild=true&rebuild=false',
    '/index/repository/archive?rebiuld=true',
    '/index/repository/archive/organization/kin?rebuild=true',
    `${record}?force=1`,
  ])
    t.is((await send('POST', path)).status, 400, path);
  t.deepEqual(jobs.submitted, []);
});

test('refusals of the queue have their status, and defects no detail', async (t) => {
  const unknown = await runService(t);
  t.is((await unknown.send('POST', '/index/repository/other')).status, 404);
  const stopping = await runService(t, {
    jobs: fakeJobs({ refusal: new TributaryError('NOT_READY', 'the job store cannot be written') }),
  });
  const { status, body, headers } = await stopping.send('POST', record);
  t.is(status, 503);
  t.is(headers['retry-after'], '5');
  t.deepEqual(body, { successful: false, message: 'the job store cannot be written' });
  const broken = await runService(t, { jobs: fakeJobs({ refusal: new Error('at /srv/secret') }) });
  const defect = await broken.send('POST', record);
  t.is(defect.status, 500);
  t.deepEqual(defect.body, { successful: false, message: 'internal error' });
  t.regex(broken.log(), /at \/srv\/secret/);
});

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

const failing = [
  { name: 'engine', ok: true, message: 'answers' },
  { name: 'repository:archive', ok: false, message: 'does not answer' },
];

test('health is 200 while all checks pass and 503 with the checks when one does not', async (t) => {
  const well = await (await runService(t)).send('GET', '/health');
  t.is(well.status, 200);
  t.deepEqual(well.body, {
    status: 'healthy',
    checks: [{ name: 'engine', ok: true, message: 'answers' }],
  });
  const service = await runService(t, { jobs: fakeJobs({ health: () => failing }) });
  const unwell = await service.send('GET', '/health');
  t.is(unwell.status, 503);
  t.deepEqual(unwell.body, { status: 'unhealthy', checks: failing });
});

test('callers without the token do not see the checks', async (t) => {
  const { send } = await runService(t, { token: 'secret', jobs: fakeJobs({ health: () => failing }) });
  t.deepEqual((await send('GET', '/health')).body, { status: 'unhealthy' });
  const headers = { authorization: 'Bearer secret' };
  t.deepEqual((await send('GET', '/health', { headers })).body, { status: 'unhealthy', checks: failing });
});
