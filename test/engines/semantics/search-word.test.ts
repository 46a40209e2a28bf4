import test from 'ava';
import { foldedParts, keywordTest } from '../../../src/engines/semantics/search-word.ts';

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
