import test from 'ava';
import { refusalLog } from '../../../../src/server/http/ops/record-requests.ts';
import { TributaryError } from '../../../../src/lib/errors/errors.ts';
import { bookProperties } from '../../../local/catalogue-fixture.ts';
import { scriptedEngine } from '../../../local/scripted-engine.ts';
import { runApp } from '../running-app.ts';

test('refusals are logged at intervals with their number, and not while there are none', async (t) => {
  const lines: unknown[] = [];
  // the log's own timer keeps no process alive
  const alive = setInterval(() => {}, 1_000);
  t.teardown(() => clearInterval(alive));
  let written = Promise.withResolvers<undefined>();
  const count = refusalLog({ info: (line: unknown) => written.resolve(void lines.push(line)) }, 10);
  for (const refusal of ['token', 'token', 'busy', null] as const) count(refusal);
  t.deepEqual(lines, []);
  await written.promise;
  t.deepEqual(lines, [{ refusedTokens: 2, refusedAsBusy: 1 }]);
  written = Promise.withResolvers();
  count('busy');
  await written.promise;
  t.deepEqual(lines[1], { refusedTokens: 0, refusedAsBusy: 1 });
});

for (const [name, error, errors] of [
  ['whose reason is shown', new TributaryError('ENGINE_UNAVAILABLE', 'the engine is away'), 1],
  ['that is not expected', new Error('a bug'), 3],
] as const)
  test(`anonymous questions that meet a failure ${name} write ${errors} lines at error for three`, async (t) => {
    const engine = scriptedEngine({
      describe: () => ({ properties: bookProperties, documents: 3 }),
      search: () => {
        throw error;
      },
    });
    const app = await runApp(t, { engine });
    for (let times = 0; times < 3; times++)
      await (await app.query('/graphql', '{ book { hits { total } } }')).text();
    const lines = app
      .log()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { level: number });
    t.is(lines.filter(({ level }) => level >= 50).length, errors);
  });

test('a browser that opens an address without a page sees one that leads on, programs read JSON', async (t) => {
  const app = await runApp(t);
  const page = await app.get('/no/such/<page>', { accept: 'text/html,*/*;q=0.8' });
  t.is(page.status, 404);
  t.is(page.headers.get('content-type'), 'text/html; charset=utf-8');
  const text = await page.text();
  t.true(text.includes('<a href="../../introspection">What can be searched</a>'));
  // without a portal there is no start page
  t.false(text.includes('<a href="../../">'));
  t.false(text.includes('<page>'));
  const json = await app.get('/no/such/page', { accept: '*/*' });
  t.is(json.status, 404);
  t.like(await json.json(), { error: { code: 'NOT_FOUND' } });
});
