import test from 'ava';
import { foldedExpression } from '../../../src/engines/cluster/dsl/filter/folded-expression.ts';
import { fold, longSpellings, spellingsOf } from '../../../src/engines/semantics/folding.ts';

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
