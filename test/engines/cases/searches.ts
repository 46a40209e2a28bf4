import { leaf, search, type Collection } from './case.ts';

const between = ['question', 'backslash', 'point', 'letter', 'star', 'line'];

/** Values with stars and searches, in values full of characters that mean something elsewhere. */
export const searches: Collection = {
  name: 'searches',
  mapping: { properties: { v: { type: 'keyword' }, w: { type: 'keyword' } } },
  documents: {
    question: { v: 'a?b' },
    backslash: { v: 'a\\b' },
    point: { v: 'a.b' },
    letter: { v: 'axb' },
    star: { v: 'a*b' },
    line: { v: 'a\nb' },
    brackets: { v: '[ab]' },
    braces: { v: '{a}(b)|c+' },
    astral: { v: 'x\u{1F600}y' },
    greek: { v: ['ΣΑΣ', 'σας'] },
    german: { v: 'STRASSE', w: 'straße' },
    turkish: { v: 'İstanbul', w: 'ıSPARTA' },
    long: { v: 'ab'.repeat(200) },
  },
  checks: [
    { name: 'a star between', sqon: leaf('in', 'v', 'a*b'), ids: [...between, 'long'] },
    { name: 'a question mark in a value is a character', sqon: leaf('in', 'v', 'a?*'), ids: ['question'] },
    { name: 'a point in a value is a character', sqon: leaf('in', 'v', '*.b'), ids: ['point'] },
    { name: 'a backslash before a star is a character', sqon: leaf('in', 'v', 'a\\*'), ids: ['backslash'] },
    { name: 'a backslash at the end', sqon: leaf('in', 'v', '*\\'), ids: [] },
    { name: 'brackets are characters', sqon: leaf('in', 'v', '*[ab]*'), ids: ['brackets'] },
    { name: 'braces and bars are characters', sqon: leaf('in', 'v', '{a}(b)|*'), ids: ['braces'] },
    { name: 'stars side by side', sqon: leaf('in', 'v', 'x**y'), ids: ['astral'] },
    { name: 'case counts in values', sqon: leaf('in', 'v', 'strass*'), ids: [] },
    {
      name: 'a character beyond the basic plane in a pattern',
      sqon: leaf('in', 'v', '*\u{1F600}*'),
      ids: ['astral'],
    },
    { name: 'half of such a character finds nothing', sqon: leaf('in', 'v', 'x\uFFFD*'), ids: [] },
    {
      name: 'not-in a pattern',
      sqon: leaf('not-in', 'v', ['a*', '*s*', '*S*']),
      ids: ['brackets', 'braces', 'astral', 'greek'],
    },
    { name: 'all patterns', sqon: leaf('all', 'v', ['Σ*', '*ς']), ids: ['greek'] },
    { name: 'a search: one character between', sqon: search(['v'], 'A?B'), ids: between },
    {
      name: 'a search: one character may be beyond the basic plane',
      sqon: search(['v'], 'X?Y'),
      ids: ['astral'],
    },
    { name: 'a search: two characters are two', sqon: search(['v'], 'x??y'), ids: [] },
    { name: 'a search with a backslash', sqon: search(['v'], 'A\\B'), ids: ['backslash'] },
    { name: 'a search with a backslash and a star', sqon: search(['v'], 'A\\*'), ids: ['backslash'] },
    { name: 'a search is for the whole value', sqon: search(['v'], 'strass'), ids: [] },
    { name: 'a search for a part', sqon: search(['v'], '*trass*'), ids: ['german'] },
    { name: 'a search folds no Greek', sqon: search(['v'], 'ΣΑΣ'), ids: ['greek'] },
    { name: 'a search folds no Greek, the other way', sqon: search(['v'], 'Σας'), ids: [] },
    { name: 'a search folds no accents', sqon: search(['v', 'w'], 'straSSE'), ids: ['german'] },
    {
      name: 'a search folds the ASCII around a sharp s',
      sqon: search(['v', 'w'], 'STRAßE'),
      ids: ['german'],
    },
    { name: 'a search folds no Turkish i', sqon: search(['v', 'w'], 'istanbul'), ids: [] },
    {
      name: 'a search folds the ASCII around a Turkish i',
      sqon: search(['v', 'w'], '?Sparta'),
      ids: ['turkish'],
    },
    { name: 'a search for braces and bars', sqon: search(['v'], '{A}(B)|C+'), ids: ['braces'] },
    { name: 'many stars in a long value', sqon: search(['v'], '*ba*bb'), ids: [] },
  ],
};
