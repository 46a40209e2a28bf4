import test from 'ava';
import { dateText } from '../../../src/local/download/date-text.ts';
import { UTCDate } from '@date-fns/utc';
import { format } from 'date-fns/format';
import fc from '../../fast-check.ts';

test('dates are shown in UTC, by default as a day', (t) => {
  const show = dateText(null);
  t.is(show('2020-01-31T23:59:59.999Z'), '2020-01-31');
  t.is(show('2020-01-31T23:30:00-02:00'), '2020-02-01');
  t.is(show(0), '1970-01-01');
  t.is(show('2021'), '2021-01-01');
});

test('Unicode date tokens', (t) => {
  t.is(dateText('dd MMM yyyy HH:mm')('2020-07-04T15:06:00Z'), '04 Jul 2020 15:06');
});

for (const format of ['YYYY-MM-DD', 'not a format'])
  test(`${format} is refused before a row is written`, (t) => {
    t.like(
      t.throws(() => dateText(format)),
      { code: 'BAD_USER_INPUT' },
    );
  });

const patterns = [
  'yyyy-MM-dd',
  'dd/MM/yyyy HH:mm',
  "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'",
  "dd.MM.yyyy 'at' HH 'h'",
  'yyyyMMdd',
  'd MMM yyyy',
  'do',
  "h 'o''clock'",
  'SS',
  'PPP',
  'EEEE',
];

test('dates are written as date-fns writes them', (t) => {
  const asDateFns = fc.property(
    fc.constantFrom(...patterns),
    fc.integer({ min: Date.UTC(-300, 0, 1), max: Date.UTC(12_000, 0, 1) }),
    (pattern, ms) => t.is(dateText(pattern)(new Date(ms).toISOString()), format(new UTCDate(ms), pattern)),
  );
  fc.assert(asDateFns);
});

for (const ms of [-62_135_596_800_001, -62_135_596_800_000, 253_402_300_799_999, 253_402_300_800_000])
  test(`days are written as date-fns writes them where years have other than four digits: ${ms}`, (t) => {
    t.is(dateText(null)(ms), format(new UTCDate(ms), 'yyyy-MM-dd'));
  });
