import test from 'ava';
import { Usage, type Caller } from '../../../../src/lib/concurrency/turn-queue.ts';
import { sliceMs } from '../../../../src/lib/concurrency/yield-to-event-loop.ts';
import type { SearchOptions } from '../../../../src/engines/engine.ts';
import { TributaryError } from '../../../../src/lib/errors/errors.ts';
import { Gate, type GateLimits } from '../../../../src/server/http/callers/gate.ts';

const limits: GateLimits = { ofCaller: 1_000, ofAll: 5_000 };
const longCost = 100_000;
/** @param name a peer, and after a slash one of a hub's callers */
const caller = (name: string): Caller => {
  const [peer = '', member = ''] = name.split('/');
  return { peer, member };
};

/** A gate, and searches that end when they are told. */
const gated = (places: { readonly short: number; readonly long: number }, own: Partial<GateLimits> = {}) => {
  const gate = new Gate({ ...places, longCost }, new Usage(), { ...limits, ...own });
  const ends = new Map<string, (tookMs: number) => void>();
  const begun: string[] = [];
  const search = (name: string) => () => {
    begun.push(name);
    return new Promise<{ tookMs: number }>((resolve) => ends.set(name, (tookMs) => resolve({ tookMs })));
  };
  /** @param name the caller, and a number */
  const ask = (name: string, cost = 1_000, options: SearchOptions = {}) =>
    gate.takeTurn(caller(name.split(' ')[0]!), cost, options, search(name));
  const end = async (name: string, tookMs = 10): Promise<void> => {
    ends.get(name)!(tookMs);
    await new Promise(setImmediate);
  };
  const settled = () => new Promise(setImmediate);
  return { gate, begun, ask, end, settled };
};

test('a caller that floods waits behind itself, another one is next', async (t) => {
  const { begun, ask, end, settled } = gated({ short: 2, long: 1 });
  const flood = Array.from({ length: 20 }, (_, at) => ask(`ann ${at}`));
  await settled();
  t.deepEqual(begun, ['ann 0'], 'one place is left to others');
  const single = ask('bob 1');
  await settled();
  t.deepEqual(begun, ['ann 0', 'bob 1']);
  const later = ask('cid 1');
  await end('ann 0');
  t.is(begun.at(-1), 'cid 1');
  await end('bob 1');
  await end('cid 1');
  await Promise.all([single, later]);
  for (let at = 1; at < 20; at++) await end(`ann ${at}`);
  t.is((await Promise.all(flood)).length, 20);
});

test('callers of a hub take all places together, none of them does alone, and others wait for one of them', async (t) => {
  const { begun, ask, end, settled } = gated({ short: 2, long: 1 });
  const asked = ['hub/ann 1', 'hub/ann 2', 'hub/bob 1', 'hub/bob 2'].map((name) => ask(name));
  await settled();
  t.deepEqual(begun, ['hub/ann 1', 'hub/bob 1']);
  asked.push(ask('cid 1'));
  await end('hub/ann 1');
  t.is(begun.at(-1), 'cid 1');
  await end('hub/bob 1', 50);
  t.is(begun.at(-1), 'hub/ann 2');
  await end('cid 1');
  t.is(begun.at(-1), 'hub/bob 2');
  await end('hub/ann 2');
  await end('hub/bob 2');
  await Promise.all(asked);
});

test('the order is that of measured time, not of estimates', async (t) => {
  const { begun, ask, end, settled } = gated({ short: 1, long: 1 });
  const asked = [ask('ann 1', 90_000), ask('bob 1', 10)];
  await settled();
  await end('ann 1', 1);
  await end('bob 1', 500);
  asked.push(ask('cid 1'), ask('bob 2', 10), ask('ann 2', 90_000));
  await settled();
  await end('cid 1', 1);
  t.is(begun.at(-1), 'ann 2');
  await end('ann 2');
  await end('bob 2');
  await Promise.all(asked);
});

test('long searches have places of their own, and leave the others to short ones', async (t) => {
  const { begun, ask, end, settled } = gated({ short: 2, long: 1 });
  const asked = [ask('ann 1', longCost), ask('bob 1', longCost), ask('cid 1', longCost - 1)];
  await settled();
  t.deepEqual(begun, ['ann 1', 'cid 1']);
  await end('ann 1');
  t.is(begun.at(-1), 'bob 1');
  await end('bob 1');
  await end('cid 1');
  await Promise.all(asked);
});

test('what waits is bounded for each caller and in all: past either, it is to be asked again', async (t) => {
  const { gate, ask, end } = gated({ short: 1, long: 1 }, { ofCaller: 2, ofAll: 3 });
  const asked = ['ann 1', 'ann 2', 'ann 3'].map((name) => ask(name));
  const busy = { code: 'NOT_READY', message: 'too many requests are waiting already: try again soon' };
  const error = await t.throwsAsync(ask('ann 4'), busy);
  t.deepEqual((error as TributaryError).details, { retryAfterSeconds: 2 });
  asked.push(ask('bob 1'), ask('bob 2'));
  await t.throwsAsync(ask('bob 3'), busy);
  t.like(gate.state, { waiting: 4, refusals: 2 });
  for (const name of ['ann 1', 'bob 1', 'ann 2', 'bob 2', 'ann 3']) await end(name);
  await Promise.all(asked);
  t.is(gate.state.waiting, 0);
});

test('nobody is refused for the many that others have waiting, of a hub neither, up to twice the bound', async (t) => {
  for (const hub of ['', 'hub/']) {
    const { gate, ask } = gated({ short: 1, long: 1 }, hub === '' ? { ofAll: 4 } : { ofCaller: 4 });
    const busy: string[] = [];
    const wait = (name: string) => void ask(`${hub}${name}`).catch(() => busy.push(name));
    for (const at of [0, 1, 2, 3, 4, 5]) wait(`ann ${at}`);
    for (const at of [1, 2, 3]) wait(`bob ${at}`);
    for (const name of ['cid 1', 'dan 1', 'eve 1']) wait(name);
    await new Promise(setImmediate);
    t.deepEqual(busy, ['ann 5', 'bob 3', 'eve 1']);
    t.is(gate.state.waiting, 8);
  }
});

test('a search whose time ends while it waits is to be asked again, and takes no turn', async (t) => {
  const { begun, ask, end } = gated({ short: 1, long: 1 });
  const first = ask('ann 1');
  const busy = {
    code: 'NOT_READY',
    message: /^the server was busy with other requests for much of the time/,
  };
  await t.throwsAsync(ask('bob 1', 10, { timeoutMs: 20 }), busy);
  const request = new AbortController();
  const late = ask('bob 2', 10, { signal: request.signal });
  request.abort(new TributaryError('ENGINE_TIMEOUT', 'the request took longer than allowed'));
  await t.throwsAsync(late, busy);
  await end('ann 1');
  await first;
  t.deepEqual(begun, ['ann 1']);
});

test('a search leaves the queue before its time is over, so that the refusal arrives in time', async (t) => {
  const { ask, end } = gated({ short: 1, long: 1 });
  const first = ask('ann 1');
  // timers end in the order of their times, on a busy machine too
  const over = new Promise((resolve) => setTimeout(resolve, 200, 'over'));
  const waiting = ask('bob 1', 10, { timeoutMs: 200 }).catch((error: TributaryError) => error.code);
  t.is(await Promise.race([over, waiting]), 'NOT_READY');
  await end('ann 1');
  await first;
});

test('one that waited for much of its time and then runs out of it is to be asked again', async (t) => {
  const { gate, ask, end } = gated({ short: 1, long: 1 });
  const tooLong = new TributaryError('ENGINE_TIMEOUT', 'the search took too long');
  const busy = { code: 'NOT_READY', message: /^the server was busy/ };
  /** @param run gets the controller of its request, once it has waited */
  const waited = async (run: (request: AbortController) => void) => {
    const first = ask('ann 1');
    const request = new AbortController();
    const second = gate.takeTurn(caller('bob'), 10, { signal: request.signal }, async () => {
      run(request);
      return { tookMs: 1 };
    });
    setTimeout(() => void end('ann 1'), 20);
    await first;
    return second;
  };
  const failing = (error: Error) => () => {
    throw error;
  };
  await t.throwsAsync(waited(failing(tooLong)), busy);
  await t.throwsAsync(
    waited((request) => request.abort(tooLong)),
    busy,
  );
  t.is(gate.state.refusals, 2);
  const gone = { code: 'ENGINE_TIMEOUT', message: 'the request was cancelled' };
  await t.throwsAsync(
    waited((request) => request.abort()),
    gone,
  );
  await t.throwsAsync(waited(failing(new Error('no'))), { message: 'no' });
  const alone = gate.takeTurn(caller('bob'), 10, {}, async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    throw tooLong;
  });
  await t.throwsAsync(alone, { is: tooLong }, 'it had all of its time');
});

test('one that is cancelled while it waits is never sent, and takes no turn', async (t) => {
  const { begun, ask, end } = gated({ short: 1, long: 1 });
  const gone = new AbortController();
  const [first, left, next] = [ask('ann 1'), ask('bob 1', 10, { signal: gone.signal }), ask('cid 1')];
  gone.abort();
  await t.throwsAsync(left, { code: 'ENGINE_TIMEOUT', message: 'the request was cancelled' });
  await t.throwsAsync(ask('bob 2', 10, { signal: gone.signal }), { code: 'ENGINE_TIMEOUT' });
  await end('ann 1');
  await end('cid 1');
  await Promise.all([first, next]);
  t.deepEqual(begun, ['ann 1', 'cid 1']);
});

test('an answer that nobody waits for any more is not returned', async (t) => {
  const { ask, end, settled } = gated({ short: 1, long: 1 });
  const gone = new AbortController();
  const left = ask('ann 1', 10, { signal: gone.signal });
  await settled();
  gone.abort();
  await Promise.all([t.throwsAsync(left, { code: 'ENGINE_TIMEOUT' }), end('ann 1')]);
});

test('the wait is taken off the time of the search', async (t) => {
  const { gate, ask, end } = gated({ short: 1, long: 1 });
  const first = ask('ann 1');
  let leftMs = 0;
  const second = gate.takeTurn(caller('bob'), 10, { timeoutMs: 60_000 }, async ({ timeoutMs = 0 }) => {
    leftMs = timeoutMs;
    return { tookMs: 1 };
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  await end('ann 1');
  await Promise.all([first, second]);
  t.true(leftMs > 0 && leftMs < 60_000, `${leftMs}`);
  t.true(gate.state.waitedMs >= 45);
});

test('one that fails makes room', async (t) => {
  const { gate } = gated({ short: 1, long: 1 });
  const failing = () => gate.takeTurn(caller('ann'), 10, {}, () => Promise.reject(new Error('no')));
  for (let time = 0; time < 5; time++) await t.throwsAsync(failing(), { message: 'no' });
});

test('what is made of answers that arrive together does not run back to back', async (t) => {
  const { gate } = gated({ short: 20, long: 1 });
  const order: string[] = [];
  const work = Array.from({ length: 3 }, async (_, at) => {
    await gate.takeTurn(caller(`caller ${at}`), 1, {}, () => Promise.resolve({ tookMs: 0 }));
    order.push('answer');
    const sinceMs = performance.now();
    while (performance.now() - sinceMs < 2 * sliceMs);
    setImmediate(() => order.push('another'));
  });
  await Promise.all(work);
  t.deepEqual(order.slice(0, 4), ['answer', 'another', 'answer', 'another']);
});
