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
