import test from 'ava';
import fc from '../../fast-check.ts';
import { isoDate, isoFilterDate, parseDate } from '../../../src/introspection/dates/dates.ts';

const now = Date.UTC(2024, 4, 15, 10, 20, 30, 400);
const iso = (value: string | number, rounding: 'down' | 'up' = 'down', format?: string): string | null => {
  const ms = parseDate(value, format, rounding, now);
  return ms === null ? null : new Date(ms).toISOString();
};

test('any moment is read back from its ISO text and its epoch milliseconds', (t) => {
  const property = fc.property(fc.date({ noInvalidDate: true }), (date) => {
    const year = date.getUTCFullYear();
    const text = date.toISOString();
    const digits = String(date.getTime());
    // a year of six digits, and digits that look like a year, have spellings of their own
    const fits = Math.abs(year) <= 9999 && year >= 0;
    const epoch = /^-?\d{4}$/.test(digits) || parseDate(date.getTime(), undefined, 'down') === date.getTime();
    return epoch && (!fits || parseDate(text, undefined, 'up') === date.getTime());
  });
  t.notThrows(() => fc.assert(property));
});

for (const [value, start, end] of [
  ['2020', '2020-01-01T00:00:00.000Z', '2020-12-31T23:59:59.999Z'],
  ['2020-02', '2020-02-01T00:00:00.000Z', '2020-02-29T23:59:59.999Z'],
  ['2021-02', '2021-02-01T00:00:00.000Z', '2021-02-28T23:59:59.999Z'],
  ['1900-02', '1900-02-01T00:00:00.000Z', '1900-02-28T23:59:59.999Z'],
  ['2020-06-01', '2020-06-01T00:00:00.000Z', '2020-06-01T23:59:59.999Z'],
  ['2020-06-01T10', '2020-06-01T10:00:00.000Z', '2020-06-01T10:59:59.999Z'],
  ['2020-06-01T10:30', '2020-06-01T10:30:00.000Z', '2020-06-01T10:30:59.999Z'],
  ['2020-06-01T10:30:05.25', '2020-06-01T10:30:05.250Z', '2020-06-01T10:30:05.250Z'],
  ['2020-06-01T10:30:05.123456789Z', '2020-06-01T10:30:05.123Z', '2020-06-01T10:30:05.123Z'],
  ['2020-06-01T00:30+02:00', '2020-05-31T22:30:00.000Z', '2020-05-31T22:30:59.999Z'],
  ['2020-06-01T00:30-0530', '2020-06-01T06:00:00.000Z', '2020-06-01T06:00:59.999Z'],
  ['-0206-01-05', '-000206-01-05T00:00:00.000Z', '-000206-01-05T23:59:59.999Z'],
  ['0050', '0050-01-01T00:00:00.000Z', '0050-12-31T23:59:59.999Z'],
  ['+12020', '+012020-01-01T00:00:00.000Z', '+012020-12-31T23:59:59.999Z'],
  ['1577836800000', '2020-01-01T00:00:00.000Z', '2020-01-01T00:00:00.000Z'],
  [-1, '1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
  [2020, '2020-01-01T00:00:00.000Z', '2020-12-31T23:59:59.999Z'],
  ['now', '2024-05-15T10:20:30.400Z', '2024-05-15T10:20:30.400Z'],
  ['now-1d/d', '2024-05-14T00:00:00.000Z', '2024-05-14T23:59:59.999Z'],
  ['now/w', '2024-05-13T00:00:00.000Z', '2024-05-19T23:59:59.999Z'],
  ['now/M-1s', '2024-04-30T23:59:59.000Z', '2024-05-31T23:59:58.999Z'],
  ['now+y', '2025-05-15T10:20:30.400Z', '2025-05-15T10:20:30.400Z'],
  ['now+1h-30m', '2024-05-15T10:50:30.400Z', '2024-05-15T10:50:30.400Z'],
  ['2020-01-31||+1M', '2020-02-29T00:00:00.000Z', '2020-02-29T00:00:00.000Z'],
  ['2020-01-01||+1M/d', '2020-02-01T00:00:00.000Z', '2020-02-01T23:59:59.999Z'],
  ['2020-05||/y', '2020-01-01T00:00:00.000Z', '2020-12-31T23:59:59.999Z'],
] as const) {
  test(`${JSON.stringify(value)} is from ${start} to ${end}`, (t) => {
    t.deepEqual([iso(value, 'down'), iso(value, 'up')], [start, end]);
  });
}

for (const value of [
  '',
  ' ',
  'soon',
  '20-01-01',
  '2020-1-1',
  '2020-13',
  '2020-02-30',
  '2021-02-29',
  '2020-01-01 10:00',
  '2020-01-01T24:00',
  '2020-01-01T10:60',
  '2020-01-01T10:00:00+25:00',
  '+2020',
  '12020-01-01',
  '2020-01-01Z',
  '2020T10',
  '2020-01T10:00',
  '2020-01-01T10Z5',
  '1e3',
  'nowhere',
  'now-1',
  'now/q',
  'now1d',
  'soon||/d',
  '2020||x',
  '99999999999999999999',
  Number.NaN,
]) {
  test(`${JSON.stringify(value)} is not a date`, (t) => {
    t.is(iso(value), null);
  });
}

test('the mapping’s formats are tried in order', (t) => {
  t.is(iso('05/06/2020', 'down', 'dd/MM/yyyy||yyyy-MM-dd'), '2020-06-05T00:00:00.000Z');
  t.is(iso('2020-06-05', 'up', 'dd/MM/yyyy||yyyy-MM-dd'), '2020-06-05T23:59:59.999Z');
  t.is(iso('1577836800', 'down', 'epoch_second'), '2020-01-01T00:00:00.000Z');
  t.is(iso('1577836800000', 'down', 'yyyy-MM-dd'), null);
  t.is(iso('2020-06-05', 'down', 'epoch_millis'), null);
});

test('named formats and patterns', (t) => {
  t.is(iso('20200605', 'down', 'basic_date'), '2020-06-05T00:00:00.000Z');
  t.is(iso('2020-06', 'up', 'strict_year_month'), '2020-06-30T23:59:59.999Z');
  t.is(iso('2020-6-5', 'down', 'date_optional_time'), '2020-06-05T00:00:00.000Z');
  t.is(iso('2020-06-05 07:08:09.5', 'down', 'yyyy-MM-dd HH:mm:ss[.S]'), '2020-06-05T07:08:09.500Z');
  t.is(iso('2020-06-05 07:08:09', 'down', 'yyyy-MM-dd HH:mm:ss[.S]'), '2020-06-05T07:08:09.000Z');
  t.is(iso("5.6.20 o'clock 7", 'down', "d.M.yy 'o''clock' H"), '2020-06-05T07:00:00.000Z');
  t.is(iso('3 Sept. 2020', 'down', 'd MMM yyyy'), '2020-09-03T00:00:00.000Z');
  t.is(iso('2020-06-05T07:08:09.000+01:00', 'down', 'date_time'), '2020-06-05T06:08:09.000Z');
});

test('a format this server does not know reads nothing', (t) => {
  t.is(iso('Friday', 'down', 'EEEE'), null);
  t.is(iso('2020', 'down', 'yyyy[-MM'), null);
  t.is(iso('2020', 'down', 'week_date||yyyy'), '2020-01-01T00:00:00.000Z');
});

for (const [stored, format, shown] of [
  ['2024-05-01', undefined, '2024-05-01'],
  ['2020-03-01T00:30:00+01:00', undefined, '2020-03-01T00:30:00+01:00'],
  ['2020-01-01T00:00:00.123456789Z', undefined, '2020-01-01T00:00:00.123456789Z'],
  [1_714_521_600_000, undefined, '2024-05-01T00:00:00.000Z'],
  ['1714521600000', undefined, '2024-05-01T00:00:00.000Z'],
  [1_714_521_600, 'epoch_second', '2024-05-01T00:00:00.000Z'],
  [-1, 'epoch_second', '1969-12-31T23:59:59.000Z'],
  ['20240501', 'basic_date', '2024-05-01'],
  [20_240_501, 'yyyyMMdd', '2024-05-01'],
  ['2024-01-05', 'yyyy-dd-MM', '2024-05-01'],
  ['05/2024', 'MM/yyyy||dd/MM/yyyy', '2024-05'],
  ['02/2023', 'MM/yyyy', '2023-02'],
  [2024, 'yyyy', '2024'],
  ['1.5.2024 10:20', 'd.M.yyyy H:mm', '2024-05-01T10:20Z'],
  ['2024-05-01 10:20:30', 'yyyy-MM-dd HH:mm:ss', '2024-05-01T10:20:30Z'],
  ['2024-05-01 10:20:30.5', 'yyyy-MM-dd HH:mm:ss.S', '2024-05-01T10:20:30.500Z'],
  ['-43-3-15', 'date_optional_time', '-0043-03-15'],
  ['soon', undefined, null],
  ['2024-05-01', 'epoch_second', null],
] as const)
  test(`${JSON.stringify(stored)} in the format ${format} is shown as ${shown}`, (t) => {
    t.is(isoDate(stored, format), shown);
    if (shown === null) return;
    const ms = (rounding: 'up' | 'down') => parseDate(stored, format, rounding);
    t.deepEqual(
      [parseDate(shown, undefined, 'down'), parseDate(shown, undefined, 'up')],
      [ms('down'), ms('up')],
    );
  });

test('a stored hour is shown with minutes, that of a filter is all of it', (t) => {
  t.is(isoDate('1.5.2024 10', 'd.M.yyyy H'), '2024-05-01T10:00Z');
  t.is(isoFilterDate('1.5.2024 10', 'd.M.yyyy H'), '2024-05-01T10Z');
});

test('a date of a filter has one form for all nodes', (t) => {
  const format = 'strict_date_optional_time||epoch_millis||epoch_second||dd/MM/yyyy||yyyyMMdd';
  for (const [value, written] of [
    ['2024-05', '2024-05'],
    ['now-1d/d', 'now-1d/d'],
    ['2024-05-01||+1M/d', '2024-05-01||+1M/d'],
    [1_714_521_600_000, '2024-05-01T00:00:00.000Z'],
    [-1, '1969-12-31T23:59:59.999Z'],
    ['1714521600000', '2024-05-01T00:00:00.000Z'],
    ['01/05/2024', '2024-05-01'],
    ['20240501', '2024-05-01'],
    ['01/05/2024||-1d', '2024-05-01||-1d'],
    ['__missing__', '__missing__'],
    [true, true],
  ] as const)
    t.is(isoFilterDate(value, format), written);
});
