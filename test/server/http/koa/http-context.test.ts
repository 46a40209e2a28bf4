import { once } from 'node:events';
import test from 'ava';
import { TributaryError } from '../../../../src/lib/errors/errors.ts';
import { Trace } from '../../../../src/search/request-context.ts';
import { libraryEngine, read, runApp } from '../running-app.ts';

const query = '{ book { hits { total } } }';

/** An engine that never answers; its searches end with their signal. */
const silentEngine = () => {
  const signals: AbortSignal[] = [];
  let onSearch = (): void => undefined;
  const searched = new Promise<void>((resolve) => (onSearch = resolve));
  const engine: ReturnType<typeof libraryEngine> = {
    ...libraryEngine(),
    search: async (_index, _query, options) => {
      const signal = options!.signal!;
      signals.push(signal);
      onSearch();
      await once(signal, 'abort');
      throw new TributaryError('ENGINE_TIMEOUT', 'the request was cancelled');
    },
  };
  return { engine, signals, searched };
};

test('a request whose time is over is stopped in the engine, answered and logged', async (t) => {
  const { engine, signals } = silentEngine();
  const app = await runApp(t, { engine, settings: { searchTimeoutMs: 20 } });
  // checking the document may take all of the time: the second request finds it checked
  await app.query('/graphql', query);
  const { status, body } = await read(app.query('/graphql', query));
  const message = 'the request took longer than the 20 ms allowed: ask for less at a time';
  t.is(status, 200);
  t.like(body, { errors: [{ message, extensions: { code: 'ENGINE_TIMEOUT' } }] });
  t.true(signals.at(-1)!.aborted);
  t.regex(app.log(), /a field failed/);
});

test('work ends when the client disconnects, and nothing is logged', async (t) => {
  const { engine, signals, searched } = silentEngine();
  const app = await runApp(t, { engine });
  const leaving = new AbortController();
  const address = `${app.url}/graphql?query=${encodeURIComponent(query)}`;
  const answer = fetch(address, { signal: leaving.signal });
  await searched;
  leaving.abort();
  await t.throwsAsync(answer);
  if (!signals[0]!.aborted) await once(signals[0]!, 'abort');
  await app.get('/ping');
  t.notRegex(app.log(), /"level":[3-6]0(?!.*"msg":"request")/);
});

test('a response has the first 100 warnings, each once', (t) => {
  const trace = new Trace();
  const warnings = Array.from({ length: 101 }, (_, at) => `warning ${at}`);
  for (const warning of [warnings[0]!, ...warnings]) trace.warn(warning);
  t.deepEqual([...trace.warnings], warnings.slice(0, 100));
});
