import test from 'ava';
import { UTCDate } from '@date-fns/utc';
import { format } from 'date-fns/format';
import fc from '../../fast-check.ts';
import { plainDate } from '../../../src/local/download/date-text.ts';

const patterns = [
  'yyyy-MM-dd',
  'dd/MM/yyyy HH:mm',
  "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'",
  "dd.MM.yyyy 'at' HH 'h'",
  'yyyyMMdd',
];

test('whole numbers are written as date-fns writes them', (t) => {
  fc.assert(
    fc.property(
      fc.constantFrom(...patterns),
      fc.integer({ min: Date.UTC(1000, 0, 1), max: Date.UTC(9999, 11, 31, 23, 59, 59, 999) }),
      (pattern, ms) => plainDate(pattern)!(ms) === format(new UTCDate(ms), pattern),
    ),
  );
  t.is(plainDate('yyyy-MM-dd')!(-62_135_596_800_000), '0001-01-01');
});

for (const pattern of ['d MMM yyyy', 'yy', 'do', "h 'o''clock'", 'SS', 'PPP', 'EEEE', "'unfinished"])
  test(`${pattern} is left to date-fns`, (t) => {
    t.is(plainDate(pattern), null);
  });

test('dates whose year has other than four digits are left to date-fns', (t) => {
  const show = plainDate('yyyy-MM-dd')!;
  t.deepEqual([-62_135_596_800_001, 253_402_300_800_000, NaN].map(show), [null, null, null]);
});
