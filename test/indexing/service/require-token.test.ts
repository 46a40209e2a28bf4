import test from 'ava';
import { runService } from './running-service.ts';

test('with a token set, only requests that carry it are answered', async (t) => {
  const { send, jobs } = await runService(t, { token: 's3cret' });
  for (const [authorization, expected] of [
    ['Bearer s3cret', 202],
    ['bearer  s3cret', 202],
    ['Bearer s3cre', 401],
    ['Bearer s3cret2', 401],
    ['Bearer', 401],
    ['Basic czNjcmV0', 401],
    ['s3cret', 401],
    ['', 401],
  ] as const) {
    const { status, headers, body } = await send('POST', '/index/repository/archive', {
      headers: authorization === '' ? {} : { authorization },
    });
    t.is(status, expected, authorization);
    if (expected !== 401) continue;
    t.is(headers['www-authenticate'], 'Bearer realm="indexing"');
    t.false((body as { successful: boolean }).successful);
  }
  t.is(jobs.submitted.length, 2);
  t.is((await send('GET', '/nothing')).status, 401);
});

test('the description needs no token', async (t) => {
  const { send } = await runService(t, { token: 's3cret' });
  for (const path of ['/api-docs', '/api-docs/openapi.json', '/api-docs/show.js'])
    t.is((await send('GET', path)).status, 200, path);
});
