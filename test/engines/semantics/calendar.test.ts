import test from 'ava';
import type { CalendarInterval } from '../../../src/engines/measure.ts';
import { calendarBetween, datesTooFar } from '../../../src/engines/semantics/calendar.ts';
import { requiredZone, zonedIso } from '../../../src/engines/semantics/time-zone.ts';
import type { TributaryError } from '../../../src/lib/errors/errors.ts';

const day = 86_400_000;
const between = (first: string | number, last: string | number, interval: CalendarInterval, zone = 'UTC') =>
  calendarBetween(new Date(first).getTime(), new Date(last).getTime(), interval, requiredZone(zone));
const shown = (first: string, last: string, interval: CalendarInterval, zone: string): readonly string[] => {
  const { offsetAt } = requiredZone(zone);
  return [...between(first, last, interval, zone)!.starts].map((at) => zonedIso(at, offsetAt(at)));
};

test('intervals begin where their zone says so', (t) => {
  t.deepEqual(shown('2024-03-30T12:00Z', '2024-04-01T12:00Z', 'day', 'Europe/Paris'), [
    '2024-03-30T00:00:00.000+01:00',
    '2024-03-31T00:00:00.000+01:00',
    '2024-04-01T00:00:00.000+02:00',
  ]);
  t.deepEqual(shown('2023-12-31T12:00Z', '2024-05-01T12:00Z', 'quarter', 'America/New_York'), [
    '2023-10-01T00:00:00.000-04:00',
    '2024-01-01T00:00:00.000-05:00',
    '2024-04-01T00:00:00.000-04:00',
  ]);
  t.deepEqual(shown('-000043-03-15T12:00Z', '-000043-03-15T12:00Z', 'week', 'UTC'), [
    '-000043-03-11T00:00:00.000Z',
  ]);
});

test('a day without midnight begins when its clocks first show it', (t) => {
  t.deepEqual(shown('2018-11-03T12:00Z', '2018-11-04T12:00Z', 'day', 'America/Sao_Paulo'), [
    '2018-11-03T00:00:00.000-03:00',
    '2018-11-04T01:00:00.000-02:00',
  ]);
});

test('every moment falls into the interval that began last, whatever the clocks do', (t) => {
  for (const zone of ['Europe/Paris', 'Australia/Lord_Howe', 'Pacific/Apia', 'Asia/Kolkata'])
    for (const interval of ['hour', 'day', 'week', 'month'] as const) {
      const calendar = between('2011-01-05T03:00Z', '2012-02-01T00:00Z', interval, zone)!;
      for (
        let at = Date.parse('2011-01-05T03:00Z');
        at < Date.parse('2012-02-01T00:00Z');
        at += 17 * 60_000
      ) {
        const index = calendar.indexOf(at);
        t.true(calendar.starts[index]! <= at && (calendar.starts[index + 1] ?? Infinity) > at);
      }
    }
});

test('clocks that are put back over midnight show the day before again, in whatever order dates come', (t) => {
  const calendar = between('2010-11-07T02:30:30Z', '2010-11-07T05:00:00Z', 'day', 'America/St_Johns')!;
  const days = ['2010-11-07T02:30:30Z', '2010-11-07T03:00:00Z', '2010-11-07T03:30:00Z'].map((at) =>
    calendar.indexOf(Date.parse(at)),
  );
  t.deepEqual(days, [1, 0, 1]);
  t.deepEqual(calendar.buckets(Uint32Array.of(0, 2)), [
    { key: '1289097000000', keyAsString: '2010-11-07T00:00:00.000-02:30', count: 2 },
  ]);
});

test('65 536 intervals fit, one more does not', (t) => {
  t.is(between(0, 65_535 * day, 'day')?.starts.length, 65_536);
  t.is(between(0, 65_536 * day, 'day'), null);
  t.is(between(-8.64e15, 0, 'year'), null);
});

test('an interval that fits is named, where there is one', (t) => {
  const named = (last: number): TributaryError => datesTooFar('made', 0, last);
  t.is(
    named(70_000 * day).message,
    'date_histogram of made has more than 65536 buckets, its interval must be at least week',
  );
  t.deepEqual(named(70_000 * day).details, { field: 'made', smallestInterval: 'week' });
  t.deepEqual(named(8.6e15).details, { field: 'made' });
  t.is(named(8.6e15).code, 'BAD_USER_INPUT');
});

test('zones are known by their name in any case, and as offsets', (t) => {
  t.deepEqual(
    ['utc', 'europe/paris', '+05:30', '-0330'].map((name) => requiredZone(name).name),
    ['UTC', 'Europe/Paris', '+05:30', '-03:30'],
  );
  for (const name of ['', 'Paris', 'Europe/Atlantis', '+25:00', 'Z', '__proto__'])
    t.throws(() => requiredZone(name), { code: 'BAD_USER_INPUT', message: /^timeZone must be / });
});
