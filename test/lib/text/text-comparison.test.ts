import test from 'ava';
import { foldedExpression } from '../../../src/engines/cluster/dsl/filter/folded-expression.ts';
import { fold, longSpellings, spellingsOf } from '../../../src/lib/text/fold.ts';
import {
  foldedParts,
  keywordTest,
  utf8Order,
  foldedMatching,
  keyContains,
} from '../../../src/lib/text/text-comparison.ts';
import fc from '../../fast-check.ts';

const folded: readonly (readonly [text: string, expected: string])[] = [
  ['Été', 'ete'],
  ['E\u0301te\u0301', 'ete'],
  ['STRASSE', 'strasse'],
  ['Straße', 'strasse'],
  ['STRAẞE', 'strasse'],
  ['İstanbul', 'istanbul'],
  ['ISPARTA ısparta', 'isparta isparta'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['οδός', 'οδοσ'],
  ['ᾳ', 'α'],
  ['Ёлка', 'елка'],
  ['Łódź, Ångström, Ørsted', 'lodz, angstrom, orsted'],
  ['Æther Œuvre ﬁnal', 'aether oeuvre final'],
  ['µm', 'μm'],
  ['ＢＲＣＡ１', 'brca1'],
  ['か\u3099', 'が'],
  ['がくせい', 'がくせい'],
  ['한국', '한국'],
  ['\u1112\u1161\u11ab', '한'],
  ['שָׁלוֹם', 'שלום'],
  ['مُحَمَّد', 'محمد'],
  ['हिन्दी', 'हिन्दी'],
  ['ế\u0323', 'e'],
  ['50% *?', '50% *?'],
  ['', ''],
];

for (const [text, expected] of folded)
  test(`"${text}" folds to "${expected}"`, (t) => {
    t.is(fold(text), expected);
    t.is(fold(expected), expected);
  });

test('every letter that folds to another is among its spellings', (t) => {
  const forgotten: string[] = [];
  for (let point = 0; point < 0x30000; point += 1) {
    const char = String.fromCodePoint(point);
    if (!/\p{L}/u.test(char)) continue;
    const to = fold(char);
    const known = [...to].length === 1 ? spellingsOf(to) : (longSpellings().get(to) ?? []);
    if (to !== char && to !== '' && !known.includes(char)) forgotten.push(char);
  }
  t.deepEqual(forgotten, []);
});

const asRegExp = (expression: string) => new RegExp(`^(?:${expression})$`, 'u');

test('the expression of a folded text matches whatever folds to it', (t) => {
  for (const [text, expected] of folded) {
    if (expected === '' || /[%*]/.test(expected)) continue;
    t.regex(text, asRegExp(foldedExpression(expected).replaceAll(/\\([ ,])/g, '$1')), text);
  }
  t.notRegex('tot', asRegExp(foldedExpression('ete')));
});

test('long spellings that overlap are all tried', (t) => {
  const expression = asRegExp(foldedExpression('schussss'));
  for (const text of ['schussss', 'schußß', 'schusßs', 'schußss', 'SCHUSSß']) t.regex(text, expression);
  for (const text of ['ffi', 'ﬃ', 'ﬀi', 'fﬁ']) t.regex(text, asRegExp(foldedExpression('ffi')));
});

const finds = (word: string, value: string, isPrefix = false): boolean =>
  keywordTest({ word, isPrefix })(value);

test('a word is found as a whole, in any case, with or without accents', (t) => {
  t.true(finds('breast', 'Breast cancer'));
  t.true(finds('cancer', 'Breast cancer'));
  t.true(finds('ÉTÉ', "Journal d'ete"));
  t.true(finds('strasse', 'Lange Straße 5'));
  t.false(finds('brea', 'Breast cancer'));
  t.false(finds('reast', 'Breast cancer'));
});

test('a prefix may go on, and begins a word', (t) => {
  t.true(finds('brea', 'Breast cancer', true));
  t.true(finds('can', 'Breast cancer', true));
  t.true(finds('cancer', 'Breast cancer', true));
  t.false(finds('ancer', 'Breast cancer', true));
});

test('the parts of a word stand in a row, whatever separates them', (t) => {
  t.true(finds("o'neil", 'Shaun O’Neil'));
  t.true(finds('brca1-pos', 'BRCA1 positive', true));
  t.false(finds('brca1-pos', 'BRCA1 is positive', true));
  t.true(finds('(breast)', 'Breast'));
  t.true(finds('a*c', 'a*c'));
  t.false(finds('a*c', 'abc'));
  t.false(finds('b?east', 'breast'));
});

test('ideographs are words of their own', (t) => {
  t.true(finds('京都', '東京都'));
  t.true(finds('東京', '東京都'));
  t.false(finds('東都', '東京都'));
  t.true(finds('病院', '中央病院A棟'));
  t.true(finds('a', '中央病院A棟'));
  t.false(finds('カ', 'カナダ'));
  t.true(finds('カ', 'カナダ', true));
  t.true(finds('𠮷', '𠮷野家'));
});

test('a word without letters is in nothing', (t) => {
  t.false(finds('-', 'a - b'));
  t.deepEqual(foldedParts(' *?- '), []);
});

test('strings are ordered as their bytes are', (t) => {
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(text, text, (left, right) => {
      t.is(Math.sign(utf8Order(left, right)), Buffer.compare(Buffer.from(left), Buffer.from(right)));
    }),
  );
});

test('keys contain a text whatever its case and accents; an empty one restricts nothing', (t) => {
  t.true(keyContains(foldedMatching('ÉTUDE')!)('Petite étude'));
  t.false(keyContains(foldedMatching('etudes')!)('Petite étude'));
  t.is(foldedMatching(''), null);
});

test('half of a character is not text', (t) => {
  t.throws(() => foldedMatching('\ud83d'), {
    code: 'BAD_USER_INPUT',
    message: 'matching must not hold half of a surrogate pair',
  });
  t.is(foldedMatching('😀'), '😀');
});

test('a text may be no longer than 1000 characters, nor may it become so by folding', (t) => {
  const tooLong = {
    code: 'BAD_USER_INPUT',
    message: /^matching takes at most 1000 characters, not 100[12]$/,
  };
  t.throws(() => foldedMatching('a'.repeat(1_001)), tooLong);
  t.throws(() => foldedMatching('ß'.repeat(501)), tooLong);
  t.is(foldedMatching('ß'.repeat(500)), 's'.repeat(1_000));
});
