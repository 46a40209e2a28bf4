import test from 'ava';
import type { Budget, Cost } from '../../src/engines/allowance.ts';
import { requestAllowance } from '../../src/engines/allowance.ts';
import { TributaryError } from '../../src/errors/errors.ts';

const cost = (count: number, what = 'hits'): Cost => ({
  total: count,
  parts: [{ what, count, cost: count }],
});

interface CountingBudget extends Budget {
  readonly taken: number[];
  readonly used: number[];
  readonly owed: number[];
}

const countingBudget = (): CountingBudget => {
  const taken: number[] = [];
  const used: number[] = [];
  const owed: number[] = [];
  return {
    taken,
    used,
    owed,
    owe: (_, amount) => void owed.push(amount),
    take: (_, amount) => void taken.push(amount),
    use: (_, amount) => void used.push(amount),
  };
};

const allowance = (budget = countingBudget()) => ({
  budget,
  ...{ allowance: requestAllowance({ maxCost: 100, caller: () => 'ann', budget }) },
});

test('concurrent searches are judged together, before any of them runs', async (t) => {
  const { allowance: requested, budget } = allowance();
  const outcomes = await Promise.allSettled([
    requested.admit(cost(60)),
    Promise.resolve().then(() => requested.admit(cost(30, 'facets'))),
    requested.admit(cost(60)),
  ]);
  const errors = outcomes.map(
    (outcome) => outcome.status === 'rejected' && (outcome.reason as TributaryError),
  );
  for (const error of errors) {
    t.true(error instanceof TributaryError && error.code === 'BAD_USER_INPUT');
    t.is(
      error && error.message,
      'the query costs 150, more than the 100 allowed, most of it for 120 hits (120): about 80 would fit',
    );
    t.deepEqual(error && error.details, {
      cost: 150,
      maxCost: 100,
      dearest: { what: 'hits', count: 120, fits: 80 },
    });
  }
  t.deepEqual(budget.taken, []);
});

test('what comes later in a request is added to what came before', async (t) => {
  const { allowance: requested, budget } = allowance();
  await requested.admit(cost(60));
  await t.throwsAsync(requested.admit(cost(60)), { code: 'BAD_USER_INPUT' });
  await requested.admit(cost(40));
  t.deepEqual(budget.taken, [60, 40]);
});

test('pages are judged each for itself, and only the first may be one too many', async (t) => {
  const { allowance: requested, budget } = allowance();
  for (let page = 0; page < 3; page++) await requested.paged.admit(cost(90));
  await t.throwsAsync(requested.paged.admit(cost(101)), { code: 'BAD_USER_INPUT' });
  t.deepEqual(budget, { ...budget, taken: [90], used: [90, 90] });
});

test('what is known only afterwards is owed, of pages used', (t) => {
  const { allowance: requested, budget } = allowance();
  requested.owe(500);
  requested.paged.owe(300);
  t.deepEqual(budget, { ...budget, owed: [500], used: [300] });
});

test('0 means without limit', async (t) => {
  const unlimited = requestAllowance({ maxCost: 0, caller: () => 'ann', budget: countingBudget() });
  await t.notThrowsAsync(unlimited.admit(cost(1e12)));
});
