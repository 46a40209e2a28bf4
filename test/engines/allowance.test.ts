import test from 'ava';
import type { Cost, TakeTurn } from '../../src/engines/allowance.ts';
import { requestAllowance } from '../../src/engines/allowance.ts';
import { TributaryError } from '../../src/lib/errors/errors.ts';

const cost = (count: number, what = 'hits'): Cost => ({
  total: count,
  parts: [{ what, count, cost: count }],
});

const atOnce: TakeTurn = (_, options, search) => search(options);
const allowance = (maxCost = 100) => requestAllowance(maxCost, atOnce);

test('concurrent searches are judged together, before any of them runs', async (t) => {
  const requested = allowance();
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
});

test('what comes later in a request is added to what came before', async (t) => {
  const requested = allowance();
  await requested.admit(cost(60));
  await t.throwsAsync(requested.admit(cost(60)), { code: 'BAD_USER_INPUT' });
  await requested.admit(cost(40));
});

test('pages are judged each for itself', async (t) => {
  const requested = allowance();
  for (let page = 0; page < 3; page++) await requested.paged.admit(cost(90));
  await t.throwsAsync(requested.paged.admit(cost(101)), { code: 'BAD_USER_INPUT' });
  await t.notThrowsAsync(requested.admit(cost(100)));
});

test('0 means without limit', async (t) => {
  await t.notThrowsAsync(allowance(0).admit(cost(1e12)));
});
