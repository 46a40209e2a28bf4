import { field, pattern, range, type Collection } from './case.ts';

const name = field('name', 'keyword');

/** Patterns and the order of bytes on keywords. */
export const patterns: Collection = {
  name: 'patterns',
  mapping: { properties: { name: { type: 'keyword' } } },
  documents: {
    1: { name: 'Apple' },
    2: { name: 'apple pie' },
    3: { name: 'pineapple' },
    4: { name: 'Äpfel' },
    5: { name: '' },
    6: { name: 'a*b?c' },
    7: { name: ['x.y', '\u{1F34E}'] },
    8: { name: '\uFF01' },
    9: { name: 'aXbXc' },
  },
  checks: [
    { name: 'the whole value', filter: pattern(name, 'apple'), ids: [] },
    { name: 'a beginning', filter: pattern(name, 'apple*'), ids: ['2'] },
    { name: 'an end', filter: pattern(name, '*apple'), ids: ['3'] },
    { name: 'somewhere, any case', filter: pattern(name, '*APPLE*', true), ids: ['1', '2', '3'] },
    { name: 'only ASCII folds', filter: pattern(name, 'äpfel', true), ids: [] },
    {
      name: 'any run may be empty',
      filter: pattern(name, '*'),
      ids: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
    },
    {
      name: 'nothing matches only the empty string',
      filter: { ...pattern(name, ''), kind: 'pattern' } as never,
      ids: ['5'],
    },
    { name: 'one is one code point', filter: pattern(name, '?'), ids: ['7', '8'] },
    { name: 'a point is a point', filter: pattern(name, 'x.?'), ids: ['7'] },
    { name: 'two runs', filter: pattern(name, 'a*b*c'), ids: ['6', '9'] },
    {
      name: 'a literal star',
      filter: { kind: 'pattern', field: name, pattern: [{ literal: 'a*b?c' }], caseInsensitive: true },
      ids: ['6'],
    },
    { name: 'values are not run together', filter: pattern(name, '*pieP*', true), ids: [] },
    { name: 'ranges go by bytes', filter: range(name, { gte: '\uFF01' }), ids: ['7', '8'] },
    { name: 'capitals come before small letters', filter: range(name, { gt: 'A', lt: 'a' }), ids: ['1'] },
  ],
};
