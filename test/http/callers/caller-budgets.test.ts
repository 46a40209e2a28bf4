import test from 'ava';
import { callerBudgets } from '../../../src/http/callers/caller-budgets.ts';

const budgetAt = (perSecond: number) => {
  let nowMs = 0;
  const budget = callerBudgets(
    perSecond,
    () => undefined,
    () => nowMs,
  );
  return { ...budget, wait: (ms: number) => void (nowMs += ms) };
};

test('a caller uses up what was saved, then so much a second; others are not touched', (t) => {
  const { take, wait } = budgetAt(1_000);
  take('ann', 4_000);
  const error = t.throws(() => take('ann', 2_000), { code: 'TOO_MANY_REQUESTS' });
  t.deepEqual((error as { details?: unknown } | undefined)?.details, { retryAfterSeconds: 1 });
  t.notThrows(() => take('bob', 4_000));
  wait(1_000);
  t.notThrows(() => take('ann', 2_000));
  t.throws(() => take('ann', 2_000), {
    code: 'TOO_MANY_REQUESTS',
    message: /more than 1000 per second: try again in 2 s/,
  });
});

test('a query that costs more than can be saved up passes after a rest', (t) => {
  const { take, wait } = budgetAt(1_000);
  take('ann', 50_000);
  t.throws(() => take('ann', 50_000), { code: 'TOO_MANY_REQUESTS' });
  wait(50_000);
  t.notThrows(() => take('ann', 50_000));
});

test('no more is saved up than for a few seconds, however long a caller rests', (t) => {
  const { take, wait } = budgetAt(1_000);
  take('ann', 1);
  wait(1e9);
  take('ann', 5_000);
  t.throws(() => take('ann', 1_000), { code: 'TOO_MANY_REQUESTS' });
});

test('a small question is let through when dear ones have used the budget up', (t) => {
  const { take } = budgetAt(1_000);
  take('ann', 5_000);
  t.throws(() => take('ann', 1_000), { code: 'TOO_MANY_REQUESTS' });
  for (let time = 0; time < 10; time++) t.notThrows(() => take('ann', 20));
  t.throws(() => {
    for (let time = 0; time < 10; time++) take('ann', 20);
  });
});

test('what goes on is never refused, but stands in the way of what comes next', (t) => {
  const { take, use } = budgetAt(1_000);
  use('ann', 20_000);
  t.throws(() => take('ann', 100), { code: 'TOO_MANY_REQUESTS' });
});

test('what is owed is waited for, but no longer than it takes to save up all', (t) => {
  const { take, owe, wait } = budgetAt(1_000);
  owe('ann', 7_000);
  t.throws(() => take('ann', 0), { code: 'TOO_MANY_REQUESTS' });
  wait(2_000);
  t.notThrows(() => take('ann', 0));
  owe('ann', 1e9);
  wait(4_000);
  t.throws(() => take('ann', 0), { code: 'TOO_MANY_REQUESTS' });
  wait(1_000);
  t.notThrows(() => take('ann', 0));
});

test('0 disables the limit', (t) => {
  const { take } = budgetAt(0);
  for (let time = 0; time < 10; time++) t.notThrows(() => take('ann', 1e9));
});

test('what callers are charged is told, with a limit and without, and what is refused is not', (t) => {
  for (const perSecond of [0, 1_000]) {
    const reported: unknown[] = [];
    const budget = callerBudgets(perSecond, (caller, cost) => reported.push([caller, cost]));
    budget.take('ann', 4_000);
    budget.use('bob', 100);
    budget.owe('bob', 200);
    if (perSecond > 0) t.throws(() => budget.take('ann', 4_000), { code: 'TOO_MANY_REQUESTS' });
    t.deepEqual(reported, [
      ['ann', 4_000],
      ['bob', 100],
      ['bob', 200],
    ]);
  }
});
