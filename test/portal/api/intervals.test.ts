import test from 'ava';
import { endNumber, rangeEndsOf, shownNumber } from '../../../portal/src/api/fields.ts';
import { numberInterval } from '../../../portal/src/api/extents.ts';
import { calendarInterval, endOfInterval, roundInterval } from '../../../portal/src/api/extents.ts';

test('numbers are cut into about a dozen round intervals, whole ones into whole ones', (t) => {
  t.is(roundInterval(96, true), 10);
  t.is(roundInterval(3, true), 1);
  t.is(roundInterval(1, false), 0.1);
  t.is(roundInterval(0, true), 1);
  t.is(roundInterval(96, true, 60), 2);
});

test('dates are cut by the longest interval that shows their shape', (t) => {
  const at = (date: string): number => Date.parse(date);
  t.is(calendarInterval(at('2009-01-01'), at('2024-12-31')), 'year');
  t.is(calendarInterval(at('2023-01-01'), at('2024-12-31')), 'quarter');
  t.is(calendarInterval(at('2024-01-01'), at('2024-01-05')), 'day');
});

test('an interval of the calendar ends where the next begins', (t) => {
  t.is(endOfInterval(Date.UTC(2024, 0), 'year'), Date.UTC(2025, 0));
  t.is(endOfInterval(Date.UTC(2024, 9), 'quarter'), Date.UTC(2025, 0));
  t.is(endOfInterval(Date.UTC(2024, 1), 'month'), Date.UTC(2024, 2));
  t.is(endOfInterval(Date.UTC(2024, 1, 26), 'week'), Date.UTC(2024, 2, 4));
  t.is(endOfInterval(Date.parse('0050-01-01'), 'year'), Date.parse('0051-01-01'));
  t.is(endOfInterval(Date.parse('-000001-12-01'), 'month'), Date.parse('0000-01-01'));
});

test('few values far away do not widen the intervals of the others, up to a bound', (t) => {
  const field = { path: 'height', type: 'integer' } as Parameters<typeof numberInterval>[0];
  const widthOf = (max: number, core?: number): number =>
    numberInterval(field, new Map([['height', { min: 0, max, ...(core && { core }) }]]));
  t.is(widthOf(10_000), 1_000);
  t.is(widthOf(10_000, 120), 10);
  t.true(widthOf(1e9, 120) >= 500_000);
});

test('an end of a range that is open, or that only a search server reads, is drawn as open', (t) => {
  const [dates, numbers] = [{ kind: 'dates' }, { kind: 'numbers' }] as const;
  t.is(endNumber(dates, '2020-01-01', 0), Date.UTC(2020, 0, 1));
  t.is(endNumber(numbers, '40', 0), 40);
  for (const open of [0, -Infinity]) {
    t.is(endNumber(dates, null, open), open);
    t.is(endNumber(dates, 'now-30d', open), open);
    t.is(endNumber(numbers, 'many', open), open);
  }
});

test('the filter of an interval leaves out its end, which belongs to the next', (t) => {
  const endsOf = (type: string, from: number, to: number) => rangeEndsOf({ kind: 'numbers', type }, from, to);
  t.deepEqual(endsOf('integer', 20, 40), [20, 39]);
  for (const to of [40, 400, 0.3, 1, -2, -0.7, 1e21, 1.99e-7, 0]) {
    const [, double] = endsOf('double', to - 1, to);
    const [, float] = endsOf('float', to - 1, to);
    // nothing fits in between
    const middle = (Number(double) + to) / 2;
    t.true(Number(double) < to && (middle === double || middle === to || to === 0), `${to}`);
    t.true(Number(float) < to, `${to}`);
    t.true(to === 0 || Math.fround(Number(float)) === float);
    t.is(shownNumber(double), to);
    t.is(shownNumber(float), to);
  }
  // single precision has a number just below 0.7 for 0.7, which an interval before it holds
  const kept = Math.fround(0.7);
  t.is(endsOf('float', 0.6, 0.7)[1], kept);
  t.true(Number(endsOf('float', 0.7, 0.8)[0]) > kept);
  t.deepEqual(endsOf('float', 0.7, 0.8).map(shownNumber), [0.7, 0.8]);
  t.is(endsOf('float', 0.6, 0.7)[0], 0.6);
  t.is(shownNumber(39.5), 39.5);
  // of integers, also where single precision has no fractions
  for (const end of [9_999_999, 12_345_679, 19_999_998]) t.is(shownNumber(end), end);
  // what a server makes of them
  const half = (Math as unknown as { f16round(value: number): number }).f16round;
  t.deepEqual(
    [1, 40, 1024, -2].map((to) => half(Number(endsOf('half_float', to - 1, to)[1]))),
    [1 - 2 ** -11, 40 - 2 ** -5, 1023.5, -2 - 2 ** -9],
  );
  t.true(Math.fround(Number(endsOf('float', -1, 0)[1])) < 0);
  t.true(half(Number(endsOf('half_float', -1, 0)[1])) < 0);
  t.is(shownNumber('9007199254740993'), '9007199254740993');
});
