import test from 'ava';
import fc from '../../fast-check.ts';
import { distinctFileNames, fileName } from '../../../src/local/download/open-download.ts';

const names: readonly [string, string][] = [
  ['a.tsv', 'a.tsv'],
  ['données 2024.tsv', 'données 2024.tsv'],
  ['../../etc/passwd', '_.._etc_passwd'],
  ['C:\\a?.tsv', 'C__a_.tsv'],
  ['a\r\nSet-Cookie: x.tsv', 'aSet-Cookie_ x.tsv'],
  ['gpj.\u202Eexe', 'gpj.exe'],
  ['.hidden', 'hidden'],
  ['a. ', 'a'],
];

for (const [requested, safe] of names)
  test(`${JSON.stringify(requested)} becomes ${safe}`, (t) => {
    t.is(fileName(requested, 'book.tsv'), safe);
  });

test('nothing left is the fallback', (t) => {
  for (const requested of [null, '', ' ', '...', '\u0000']) t.is(fileName(requested, 'book.tsv'), 'book.tsv');
});

test('a name never holds a folder, a control character or too much', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (requested) => {
        const name = fileName(requested, 'x');
        return !/[/\\\p{Cc}]|^\./u.test(name) && name.length > 0 && [...name].length <= 150;
      }),
    ),
  );
});

test('repeated names are numbered before the extension, whatever their case', (t) => {
  t.deepEqual(distinctFileNames(['a.tsv', 'A.tsv', 'a.tsv', 'a-2.tsv', 'b', 'b']), [
    'a.tsv',
    'A-3.tsv',
    'a-4.tsv',
    'a-2.tsv',
    'b',
    'b-2',
  ]);
});
