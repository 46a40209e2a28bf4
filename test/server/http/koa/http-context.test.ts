import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import test from 'ava';
import Koa from 'koa';
import { pino } from 'pino';
import type { TurnOptions } from '../../../../src/engines/allowance.ts';
import { Usage } from '../../../../src/lib/concurrency/turn-queue.ts';
import { TributaryError } from '../../../../src/lib/errors/errors.ts';
import { fullAccess, Trace } from '../../../../src/search/request-context.ts';
import { admission, Gate } from '../../../../src/server/http/callers/gate.ts';
import {
  carryCaller,
  requestContextOf,
  type RequestState,
} from '../../../../src/server/http/koa/http-context.ts';
import { nameRequest } from '../../../../src/server/http/koa/middleware.ts';
import { recordRequests } from '../../../../src/server/http/ops/record-requests.ts';
import { listening } from '../../../listening.ts';
import { defaultSettings, libraryEngine, read, runApp } from '../running-app.ts';

const anyNumber = { short: Infinity, long: Infinity, longCost: Infinity };

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

test('the time that a hub has left begins when its request arrives, not when that has been read', async (t) => {
  const { settings, log } = { settings: defaultSettings, log: pino({ enabled: false }) };
  const { allowanceOf } = admission(new Gate(anyNumber, new Usage()), settings.cost, log);
  const app = new Koa<RequestState>();
  app.use(nameRequest).use(recordRequests({ log, settings }));
  app.use(carryCaller(() => fullAccess));
  app.use(async (context) => {
    const arrivedMs = performance.now();
    await setTimeout(50);
    const allowance = allowanceOf(context);
    const { dueAtMs } = requestContextOf(context, { allowance });
    t.true(dueAtMs! <= arrivedMs + 600_000);
    await allowance.takeTurn(1, {}, async ({ timeoutMs }: TurnOptions) => {
      t.true(timeoutMs! <= 600_000 - 40);
      return { tookMs: 0 };
    });
    context.body = 'done';
  });
  const { url } = await listening(t, createServer(app.callback()));
  const answer = await fetch(url, { headers: { 'tributary-deadline-ms': '600000' } });
  t.is(await answer.text(), 'done');
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
