import test from 'ava';
import { runService } from './running-service.ts';

test('names that cannot be read or sent on are refused before anything is submitted', async (t) => {
  const { send, jobs } = await runService(t);
  for (const [name, expected] of [
    ['100%', /percent encoding of "100%"/],
    ['%ff', /percent encoding/],
    ['%ED%A0%80', /percent encoding/],
    ['%2e%2E', /"\.\." in the path is not a name/],
    ['.', /"\." in the path is not a name/],
    ['a'.repeat(257), /longer than the 256 characters/],
  ] as const) {
    const { status, body } = await send('POST', `/index/repository/archive/organization/${name}`);
    t.is(status, 400, name);
    t.regex((body as { message: string }).message, expected);
  }
  t.deepEqual(jobs.submitted, []);
  t.is((await send('GET', '//a@#/x')).status, 400);
});

test('the longest names fit, whatever their characters', async (t) => {
  const { send, jobs } = await runService(t);
  const name = '\u{1F335}'.repeat(256);
  const part = encodeURIComponent(name);
  const { status } = await send('POST', `/index/repository/archive/organization/${part}/id/${part}`);
  t.is(status, 202);
  t.like(jobs.submitted[0], { organization: name, recordId: name });
});
