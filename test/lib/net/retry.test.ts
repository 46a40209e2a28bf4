import test from 'ava';
import { openRetryBudget, retrying, retryingErrors } from '../../../src/lib/net/retry.ts';

const isTransient = (outcome: unknown): boolean => outcome === 'busy';
const delays = { firstMs: 100, maxMs: 1_000 };

/** Work that comes to each of these in turn, the last for ever, and a wait that does not. */
const scripted = (...outcomes: readonly string[]) => {
  const attempts: number[] = [];
  const waits: number[] = [];
  const work = (attempt: number): Promise<string> => {
    attempts.push(attempt);
    return Promise.resolve(outcomes[Math.min(attempt, outcomes.length) - 1]!);
  };
  const wait = (ms: number): Promise<void> => {
    waits.push(ms);
    return Promise.resolve();
  };
  return { work, attempts, waits, options: { attempts: 4, delays, isTransient, budget: null, wait } };
};

test('what is transient is tried again until it passes, and no more often than allowed', async (t) => {
  const passing = scripted('busy', 'busy', 'done');
  t.deepEqual(await retrying(passing.work, passing.options), { outcome: 'done', attempts: 3 });
  const busy = scripted('busy');
  t.deepEqual(await retrying(busy.work, busy.options), { outcome: 'busy', attempts: 4 });
  t.deepEqual(busy.attempts, [1, 2, 3, 4]);
  t.is(busy.waits.length, 3);
});

test('what is not transient, or may not be sent twice, is sent once', async (t) => {
  const refused = scripted('refused');
  t.deepEqual(await retrying(refused.work, refused.options), { outcome: 'refused', attempts: 1 });
  const busy = scripted('busy');
  const once = { ...busy.options, isIdempotent: false };
  t.deepEqual(await retrying(busy.work, once), { outcome: 'busy', attempts: 1 });
});

test('a retry that is not charged needs no budget', async (t) => {
  const empty = { recordRequest: () => undefined, spend: () => false };
  const charged = scripted('busy');
  t.is((await retrying(charged.work, { ...charged.options, budget: empty })).attempts, 1);
  const free = scripted('busy');
  const options = { ...free.options, budget: empty, isCharged: () => false };
  t.is((await retrying(free.work, options)).attempts, 4);
});

test('waits are random below a bound that doubles up to its own', async (t) => {
  const seen: number[][] = [];
  for (let time = 0; time < 50; time += 1) {
    const { work, waits, options } = scripted('busy');
    await retrying(work, { ...options, attempts: 7 });
    seen.push(waits);
  }
  const bounds = [100, 200, 400, 800, 1_000, 1_000];
  t.true(seen.every((waits) => waits.every((ms, at) => ms >= 0 && ms <= bounds[at]!)));
  t.true(new Set(seen.map(([first]) => first)).size > 10);
});

test('a requested wait is kept if it ends before the deadline', async (t) => {
  const asking = { ...scripted('busy').options, retryAfterMs: () => 30_000 };
  const fitting = scripted('busy', 'done');
  const later = { ...asking, wait: fitting.options.wait, deadlineMs: performance.now() + 600_000 };
  t.deepEqual(await retrying(fitting.work, later), { outcome: 'done', attempts: 2 });
  t.deepEqual(fitting.waits, [30_000]);
  const soon = { ...asking, deadlineMs: performance.now() + 20_000 };
  t.deepEqual(await retrying(scripted('busy').work, soon), { outcome: 'busy', attempts: 1 });
});

test('an abort ends the wait at once, with the last outcome', async (t) => {
  const { work } = scripted('busy');
  const controller = new AbortController();
  const waiting = retrying(work, {
    ...{ attempts: 4, isTransient, budget: null, signal: controller.signal },
    ...{ delays, retryAfterMs: () => 3_600_000 },
  });
  setImmediate(() => controller.abort());
  t.deepEqual(await waiting, { outcome: 'busy', attempts: 1 });
});

test('the error of the last attempt is thrown as it is', async (t) => {
  const cause = new Error('reset');
  const error = await t.throwsAsync(
    retryingErrors((attempt) => Promise.reject(new Error(`attempt ${attempt}`, { cause })), {
      ...scripted('').options,
      isTransient: () => true,
    }),
    { message: 'attempt 4' },
  );
  t.is(error?.cause, cause);
});

test('retries are a tenth of the requests, once the first few are spent', async (t) => {
  const budget = openRetryBudget(() => 0);
  let sent = 0;
  for (let request = 1; request <= 1_000; request += 1) {
    const { work, attempts, options } = scripted('busy');
    await retrying(work, { ...options, budget });
    sent += attempts.length;
  }
  t.is(sent, 1_000 + 100 + 20);
});

test('a budget that is spent is restored for a failure now and then, and not beyond', (t) => {
  let now = 0;
  const budget = openRetryBudget(() => now);
  const spendAll = (): number => {
    let spent = 0;
    while (budget.spend()) spent += 1;
    return spent;
  };
  t.is(spendAll(), 20);
  now += 2_000;
  t.is(spendAll(), 2);
  now += 3_600_000;
  t.is(spendAll(), 20);
});
