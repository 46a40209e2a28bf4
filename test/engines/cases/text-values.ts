import { not } from '../../../src/sqon/filter.ts';
import { exists, field, leaf, pattern, range, search, terms, type Collection } from './case.ts';

const v = field('v', 'text');
const withValue = ['one', 'two', 'twice', 'mixed', 'blank', 'marks', 'accents', 'han', 'number', 'emoji'];
const without = ['none', 'empty', 'nil'];

/** Every operator on analysed text: a value is one of its words. */
export const textValues: Collection = {
  name: 'text values',
  mapping: { properties: { v: { type: 'text' } } },
  documents: {
    one: { v: 'Alpha beta' },
    two: { v: ['alpha', 'Gamma delta'] },
    twice: { v: ['beta', 'beta'] },
    none: {},
    empty: { v: [] },
    nil: { v: null },
    mixed: { v: [null, 'GAMMA'] },
    blank: { v: ['', ' - '] },
    marks: { v: "x-ray, O'Neil (3.14) foo_bar a.b, 1,000" },
    accents: { v: 'Élan ÜNAL straße' },
    han: { v: '東京 tower' },
    number: { v: [42, true] },
    emoji: { v: 'so \u{1F34E}\u{1F34F} \u{1F44D}\u{1F3FD} \u{1F1EB}\u{1F1F7}' },
  },
  checks: [
    { name: 'in: a word, in small letters', sqon: leaf('in', 'v', 'alpha'), ids: ['one', 'two'] },
    { name: 'in: the capital is not in the index', sqon: leaf('in', 'v', 'Alpha'), ids: [] },
    { name: 'in: a whole text is no word', sqon: leaf('in', 'v', 'Alpha beta'), ids: [] },
    { name: 'in: any of the words', sqon: leaf('in', 'v', ['delta', 'gamma']), ids: ['two', 'mixed'] },
    { name: 'in: the empty string is no word', sqon: leaf('in', 'v', ''), ids: [] },
    { name: 'in: no values', sqon: leaf('in', 'v', []), ids: [] },
    {
      name: 'not-in',
      sqon: leaf('not-in', 'v', 'beta'),
      ids: ['two', 'mixed', 'blank', 'marks', 'accents', 'han', 'number', 'emoji', ...without],
    },
    {
      name: 'some-not-in',
      sqon: leaf('some-not-in', 'v', ['beta', 'gamma']),
      ids: ['blank', 'marks', 'accents', 'han', 'number', 'emoji', ...without],
    },
    { name: 'all: words of one text', sqon: leaf('all', 'v', ['alpha', 'beta']), ids: ['one'] },
    { name: 'all: words of several texts', sqon: leaf('all', 'v', ['alpha', 'delta']), ids: ['two'] },
    { name: 'missing', sqon: leaf('in', 'v', '__missing__'), ids: without },
    { name: 'a text without words is there', sqon: leaf('not-in', 'v', '__missing__'), ids: withValue },
    { name: 'there, as the engines say it', filter: not(exists(v)), ids: without },
    { name: 'a range without bounds asks no more than that', filter: range(v, {}), ids: withValue },
    { name: 'a hyphen parts words', sqon: leaf('all', 'v', ['x', 'ray']), ids: ['marks'] },
    { name: 'an apostrophe does not', sqon: leaf('in', 'v', "o'neil"), ids: ['marks'] },
    { name: 'a decimal point does not', sqon: leaf('in', 'v', '3.14'), ids: ['marks'] },
    { name: 'a comma between digits does not', sqon: leaf('in', 'v', '1,000'), ids: ['marks'] },
    { name: 'a full stop between letters does not', sqon: leaf('in', 'v', 'a.b'), ids: ['marks'] },
    { name: 'an underscore does not', sqon: leaf('in', 'v', ['foo_bar']), ids: ['marks'] },
    {
      name: 'capitals beyond ASCII become small',
      sqon: leaf('all', 'v', ['élan', 'ünal']),
      ids: ['accents'],
    },
    { name: 'accents count', sqon: leaf('in', 'v', 'elan'), ids: [] },
    { name: 'a sharp s is not ss', sqon: leaf('in', 'v', 'strasse'), ids: [] },
    { name: 'each ideograph is a word', sqon: leaf('all', 'v', ['東', '京']), ids: ['han'] },
    { name: 'two ideographs are none', sqon: leaf('in', 'v', '東京'), ids: [] },
    { name: 'numbers and booleans as words', sqon: leaf('all', 'v', ['42', 'true']), ids: ['number'] },
    { name: 'each emoji is a word', filter: terms(v, '\u{1F34E}'), ids: ['emoji'] },
    { name: 'two emoji are none', filter: terms(v, '\u{1F34E}\u{1F34F}'), ids: [] },
    { name: 'an emoji with its skin tone', filter: terms(v, '\u{1F44D}\u{1F3FD}'), ids: ['emoji'] },
    { name: 'a flag is one word', filter: terms(v, '\u{1F1EB}\u{1F1F7}'), ids: ['emoji'] },
    { name: 'a pattern on words', sqon: leaf('in', 'v', 'al*'), ids: ['one', 'two'] },
    { name: 'a pattern does not reach over words', sqon: leaf('in', 'v', 'alpha beta*'), ids: [] },
    {
      name: 'a star finds texts with words',
      sqon: leaf('in', 'v', '*'),
      ids: withValue.filter((id) => id !== 'blank'),
    },
    { name: 'a search folds case', sqon: search(['v'], 'GAMM?'), ids: ['two', 'mixed'] },
    { name: 'a pattern of one emoji', filter: pattern(field('v', 'text'), '\u{1F34F}*'), ids: ['emoji'] },
    {
      name: 'a facet is refused',
      failing: { facet: v, measure: { kind: 'terms', size: 1 } },
      code: 'BAD_USER_INPUT',
    },
    {
      name: 'gte is refused',
      sqon: leaf('gte', 'v', 'a'),
      code: 'BAD_USER_INPUT',
      naming: ['$.op', 'text'],
    },
  ],
};
