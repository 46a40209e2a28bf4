import test from 'ava';
import { normalizerNamed } from '../../../src/introspection/terms/normalizer.ts';

const apply = (name: string, analysis: object, value: string): string => {
  const normalize = normalizerNamed(name, analysis as Parameters<typeof normalizerNamed>[1]);
  return typeof normalize === 'string' ? `not honoured: ${normalize}` : normalize(value);
};

const folding = { normalizer: { f: { type: 'custom', filter: ['asciifolding'] } } };

// as the filter of OpenSearch 2.19 answers: _analyze with the tokenizer `keyword`
for (const [value, folded] of [
  ['Élan Ærø Łódź ĲÿÞ', 'Elan AEro Lodz IJyTH'],
  ['Straße ẞ ﬁnal ﬅ', 'Strasse SS final ﬅ'],
  ['“a” – ‘b’ … ½ ² № ™ ①', '"a" - \'b\' … ½ 2 № ™ 1'],
  ['Ａｂ！ ｀｜ ǅ ẛ ǥ', 'Ab! ｀｜ Dz f G'],
  ['Ελλάς Москва 東京 ª º', 'Ελλάς Москва 東京 ª º'],
  ['e\u0301', 'e\u0301'],
] as const)
  test(`asciifolding of ${value}`, (t) => {
    t.is(apply('f', folding, value), folded);
  });

test('filters apply in order, built-in ones by name and those of the settings by type', (t) => {
  const analysis = {
    normalizer: { n: { filter: ['trim', 'low', 'fold'] } },
    filter: { low: { type: 'lowercase' }, fold: { type: 'asciifolding', preserve_original: 'false' } },
  };
  t.is(apply('n', analysis, ' ÀÉ Σ'), 'ae σ');
});

test('trim keeps spaces that do not break, as search servers do', (t) => {
  t.is(apply('n', { normalizer: { n: { filter: 'trim' } } }, '\u2003 a\u00a0\t'), 'a\u00a0');
});

test('lowercase is built in, unless the settings have another one of that name', (t) => {
  t.is(apply('lowercase', {}, 'ÀΣ\u0130'), 'àσi');
  t.is(apply('lowercase', { normalizer: { lowercase: { filter: [] } } }, 'À'), 'À');
});

test('what cannot be honoured is named', (t) => {
  t.is(apply('gone', {}, 'a'), 'not honoured: the settings have no normalizer "gone"');
  t.is(
    apply('n', { normalizer: { n: { filter: ['lowercase', 'stemmer'] } } }, 'a'),
    'not honoured: it has the filter "stemmer"; lowercase, asciifolding, trim work',
  );
  t.regex(apply('n', { normalizer: { n: { char_filter: ['x'] } } }, 'a'), /it has a char_filter/);
  t.regex(
    apply(
      'n',
      { normalizer: { n: { filter: ['f'] } }, filter: { f: { type: 'lowercase', language: 'greek' } } },
      'a',
    ),
    /it has the filter "f"/,
  );
});
