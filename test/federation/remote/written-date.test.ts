import test from 'ava';
import { writtenDate } from '../../../src/federation/remote/established-filter.ts';
import { parseDate } from '../../../src/introspection/dates/dates.ts';
import fc from '../../fast-check.ts';

const ms = Date.UTC(2024, 4, 1, 10, 20, 30, 400);

for (const [format, before, after] of [
  [undefined, '2024-05-01T10:20:30.400Z', '2024-05-01T10:20:30.400Z'],
  ['yyyyMMdd||date_optional_time', '2024-05-01T10:20:30.400Z', '2024-05-01T10:20:30.400Z'],
  ['yyyyMMdd||epoch_millis', '1714558830400', '1714558830400'],
  ['epoch_second', '1714558830', '1714558831'],
  ['yyyyMMdd', '20240501', '20240502'],
  ['basic_date', '20240501', '20240502'],
  ['yyyy||dd/MM/yyyy HH:mm', '01/05/2024 10:20', '01/05/2024 10:21'],
  ["d MMM yyyy 'at' H:mm:ss[.SSS]", '1 May 2024 at 10:20:30.400', '1 May 2024 at 10:20:30.400'],
  ['yyyy-MM-dd HH:mm:ss Z', '2024-05-01 10:20:30 +0000', '2024-05-01 10:20:31 +0000'],
  ['week_date', '2024-05-01T10:20:30.400Z', '2024-05-01T10:20:30.400Z'],
  ['yy', '24', '25'],
] as const)
  test(`a moment in the format ${format}: ${before}, ${after}`, (t) => {
    t.deepEqual([writtenDate(ms, 'down', format), writtenDate(ms, 'up', format)], [before, after]);
  });

test('two digits write no year before 2000', (t) => {
  t.is(writtenDate(Date.UTC(1999, 0, 1), 'down', 'dd.MM.yy'), '1999-01-01T00:00:00.000Z');
});

test('what is written is read as the nearest date of the format on that side', (t) => {
  const formats = [
    'epoch_second',
    'epoch_millis',
    'yyyyMMdd',
    'dd/MM/yyyy HH:mm',
    'uuuu-MM',
    'yyyy-MM-dd HH:mm:ss.SSS',
  ];
  const nearest = fc.property(
    fc.constantFrom(...formats),
    fc.integer({ min: Date.UTC(1900, 0, 1), max: Date.UTC(2100, 0, 1) }),
    (format, moment) => {
      const [before, after] = (['down', 'up'] as const).map((side) => writtenDate(moment, side, format));
      const from = parseDate(before!, format, 'down')!;
      const to = parseDate(after!, format, 'down')!;
      t.true(from <= moment && moment <= to);
      t.true(from === to || parseDate(before!, format, 'up')! + 1 === to || format === 'epoch_second');
    },
  );
  fc.assert(nearest);
});
