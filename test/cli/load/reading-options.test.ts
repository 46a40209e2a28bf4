import test from 'ava';
import { loadOptions, readingOptions } from '../../../src/cli/load/load-options.ts';

test('options of reading are recognized by name', (t) => {
  const options = loadOptions([
    'a.csv',
    '--index',
    'x',
    '--null',
    'N/A, unknown',
    '--types',
    'a=date,b=keyword',
    '--types',
    'c,d=long',
    '--date-format',
    'dd.MM.yyyy',
    '--decimal',
    ',',
    '--delimiter',
    'tab',
    '--quote',
    'none',
    '--dots',
    'text',
    '--header-row',
    '3-4',
    '--skip',
    '2',
    '--comment',
    '%',
    '--records',
    'a.b',
    '--encoding',
    'latin1',
    '--dry-run',
  ]);
  t.like(options, { dryRun: true, encoding: 'windows-1252' });
  t.deepEqual(options?.reading, {
    nullWords: new Set(['N/A', 'unknown']),
    types: new Map([
      ['a', 'date'],
      ['b', 'keyword'],
      ['c,d', 'long'],
    ]),
    dateFormat: 'dd.MM.yyyy',
    decimal: ',',
    header: [3, 4],
    skipLines: 2,
    comment: '%',
    records: 'a.b',
    delimiter: '\t',
    quotes: false,
    dots: 'text',
    sheet: undefined,
  });
});

for (const [supplied, message] of [
  [{ types: ['a'] }, /--types a is not understood from "a" on/],
  [
    { types: ['a=number'] },
    /--types gives a the type number, which is not known: one of keyword, text, long/,
  ],
  [{ types: ['a=toString'] }, /type toString, which is not known/],
  [{ types: ['a=long,a=date'] }, /gives a two types/],
  [{ 'date-format': 'dd.mm' }, /--date-format dd\.mm is not understood/],
  [{ 'date-format': 'Day' }, /--date-format Day is not understood/],
  [{ decimal: 'comma' }, /--decimal comma is not understood: a comma or a point expected/],
  [
    { delimiter: 'constructor' },
    /--delimiter "constructor" is not understood: one character or tab expected/,
  ],
  [{ quote: "'" }, /--quote ' is not understood: '"' or none expected/],
  [{ delimiter: '"' }, /--delimiter "\\"" is not understood/],
] as const)
  test(`${JSON.stringify(supplied)} is refused`, (t) => {
    t.throws(() => readingOptions(supplied), { code: 'INPUT_INVALID', message });
  });
