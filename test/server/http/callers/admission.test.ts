import { setTimeout } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { Usage } from '../../../../src/lib/concurrency/turn-queue.ts';
import { TributaryError } from '../../../../src/lib/errors/errors.ts';
import { pricedEngine } from '../../../../src/engines/cost/query-cost.ts';
import { Gate, type GateLimits } from '../../../../src/server/http/callers/gate.ts';
import { bookProperties } from '../../../local/catalogue-fixture.ts';
import { scriptedEngine } from '../../../local/scripted-engine.ts';
import { runApp } from '../running-app.ts';

const capacity = { short: 2, long: 1, longCost: 100_000 };

/** A library whose searches end when they are told. */
const runLibrary = async (
  t: ExecutionContext,
  { trustedProxies = 0, ...own }: Partial<GateLimits> & { readonly trustedProxies?: number } = {},
) => {
  const held: (() => void)[] = [];
  let isHeld = false;
  let failure: TributaryError | null = null;
  const scripted = scriptedEngine({
    describe: () => ({ properties: bookProperties, documents: 3 }),
    search: () => ({ hits: { total: 3, hits: [] } }),
  });
  const engine = {
    ...scripted,
    search: async (...query: Parameters<typeof scripted.search>) => {
      if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
      if (failure !== null) throw failure;
      return scripted.search(...query);
    },
  };
  const limits = { ofCaller: 1_000, ofAll: 5_000, ...own };
  const gate = new Gate(capacity, new Usage(), limits);
  const app = await runApp(t, {
    engine: { ...pricedEngine(engine), searches: scripted.searches },
    gate,
    settings: { cost: { maxQueryCost: 0, trustedProxies } },
  });
  const send = (
    address: string,
    headers: Readonly<Record<string, string>> = {},
    query = '{ book { hits { total } } }',
  ): Promise<Response> =>
    fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address, ...headers },
      body: JSON.stringify({ query }),
    });
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await new Promise(setImmediate);
  };
  return {
    ...{ app, send },
    waiting: (count: number) => until(() => gate.state.waiting >= count),
    hold: () => void (isHeld = true),
    fail: (error: TributaryError) => void (failure = error),
    /** Resolves once that many searches have begun. */
    begun: (count: number) => until(() => held.length >= count),
    release: () => {
      isHeld = false;
      held.splice(0).forEach((end) => end());
    },
  };
};

test('twenty users behind one address, each with a few requests at once: all are answered', async (t) => {
  const { send } = await runLibrary(t);
  const statuses = await Promise.all(
    Array.from({ length: 20 * 6 }, async () => {
      const response = await send('10.0.0.1');
      await response.text();
      return response.status;
    }),
  );
  t.deepEqual([...new Set(statuses)], [200]);
});

test('a caller that floods waits behind itself, and the single query of another does not', async (t) => {
  const { send, hold, begun, release } = await runLibrary(t, { trustedProxies: 1 });
  const order: string[] = [];
  const noted = async (address: string): Promise<void> => {
    t.is((await send(address)).status, 200);
    order.push(address);
  };
  hold();
  const flood = Array.from({ length: 50 }, () => noted('10.0.0.1'));
  await begun(1);
  const single = noted('10.0.0.2');
  await begun(2);
  release();
  await Promise.all([...flood, single]);
  t.true(order.indexOf('10.0.0.2') <= 2, order.slice(0, 5).join());
});

test('past what may wait, the answer is 503 with Retry-After, and the log names TRUST_PROXY once', async (t) => {
  const { app, send, hold, release } = await runLibrary(t, { ofCaller: 2 });
  hold();
  // one runs, two wait
  const all = Array.from({ length: 4 }, () => send('10.0.0.1'));
  const refused = await Promise.race(all);
  t.is(refused.status, 503);
  t.regex(refused.headers.get('retry-after')!, /^[1-9]\d*$/);
  t.like(await refused.json(), { errors: [{ extensions: { code: 'NOT_READY' } }] });
  t.is((await app.get('/ping')).status, 200);
  t.is((await app.get('/introspection')).status, 200);
  t.is((await send('10.0.0.3')).status, 503);
  release();
  const statuses = (await Promise.all(all)).map(({ status }) => status);
  t.deepEqual(statuses.toSorted(), [200, 200, 200, 503]);
  const lines = app.log().match(/set TRUST_PROXY/g) ?? [];
  t.is(lines.length, 1);
});

test('that the search engine is away is not logged as too many waiting', async (t) => {
  const { app, send, fail } = await runLibrary(t);
  fail(new TributaryError('ENGINE_UNAVAILABLE', 'the search engine is away'));
  t.is((await send('10.0.0.1')).status, 503);
  t.notRegex(app.log(), /too many of them are waiting/);
});

test('a request that waits is refused before its hub stops waiting for it', async (t) => {
  const { send, hold, begun, release } = await runLibrary(t);
  hold();
  const first = send('10.0.0.1');
  await begun(1);
  const startedMs = performance.now();
  const refused = await send('10.0.0.1', { 'tributary-deadline-ms': '200' });
  t.true(performance.now() - startedMs < 10_000, 'long before the 30 s of this server are over');
  t.is(refused.status, 503);
  t.is(refused.headers.get('retry-after'), '2');
  t.like(await refused.json(), { errors: [{ extensions: { code: 'NOT_READY' } }] });
  const later = ['30000', '0x1', 'soon', '-5'].map((left) =>
    send('10.0.0.1', { 'tributary-deadline-ms': left }),
  );
  release();
  for (const response of await Promise.all([first, ...later])) t.is(response.status, 200);
});

test('one that waited and has too little time left for its search is refused as the server is busy', async (t) => {
  const { send, hold, begun, waiting, release, fail } = await runLibrary(t);
  hold();
  const first = send('10.0.0.1');
  await begun(1);
  const second = send('10.0.0.1');
  await waiting(1);
  await setTimeout(100);
  fail(new TributaryError('ENGINE_TIMEOUT', 'the search took too long'));
  release();
  await first;
  const refused = await second;
  t.is(refused.status, 503);
  t.is(refused.headers.get('retry-after'), '2');
  t.like(await refused.json(), { errors: [{ extensions: { code: 'NOT_READY' } }] });
});
