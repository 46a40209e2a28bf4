import test from 'ava';
import { fakeJobs } from './fake-jobs.ts';
import { runService } from './running-service.ts';

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
