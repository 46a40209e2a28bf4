import test from 'ava';
import { calendarInterval, endOfInterval, roundInterval } from '../../../portal/src/api/intervals.ts';

test('numbers are cut into about a dozen round intervals, whole ones into whole ones', (t) => {
  t.is(roundInterval(0, 96, true), 10);
  t.is(roundInterval(0, 3, true), 1);
  t.is(roundInterval(0, 1, false), 0.1);
  t.is(roundInterval(7, 7, true), 1);
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
});
