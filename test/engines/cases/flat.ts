import { and, none, not, or } from '../../../src/sqon/filter.ts';
import { exists, field, leaf, pattern, range, terms, type Collection } from './case.ts';

const tag = field('tag', 'keyword');
const note = field('note', 'text');
const weight = field('weight', 'integer');
const price = field('price', 'float');
const day = field('day', 'date');
const ms = (date: string): number => Date.parse(date);
const ok = field('ok', 'boolean');
const key = field('_id', '_id');
const nowhere = field('nowhere', 'keyword');

/** Fields of the document itself: which values a filter finds. */
export const flat: Collection = {
  name: 'flat fields',
  mapping: {
    dynamic: false,
    properties: {
      tag: { type: 'keyword' },
      note: { type: 'text' },
      weight: { type: 'integer' },
      price: { type: 'float' },
      day: { type: 'date' },
      ok: { type: 'boolean' },
      made: { properties: { by: { type: 'keyword' } } },
    },
  },
  documents: {
    a: { tag: ['red', 'blue'], note: 'Oil on canvas', weight: 3, price: 0.1, day: '2020-01-31', ok: true },
    b: {
      tag: 'Red',
      note: 'oil and ink',
      weight: '12',
      price: '2.5',
      day: '2020-02-01T10:00:00Z',
      ok: 'false',
    },
    c: { tag: '', weight: [1, 30], day: [1580515200000, '2021'], ok: '', made: { by: 'Ann' } },
    d: { tag: [], note: null, weight: null, extra: { kept: true }, made: [{ by: 'Bo' }, { by: null }] },
    e: { tag: ['blue', 'blue'], weight: '', price: -1, ok: [true, false], made: {} },
  },
  checks: [
    { name: 'all', filter: { kind: 'all' }, ids: ['a', 'b', 'c', 'd', 'e'] },
    { name: 'none', filter: none, ids: [] },
    { name: 'a value of several', filter: terms(tag, 'blue'), ids: ['a', 'e'] },
    { name: 'case counts', filter: terms(tag, 'red'), ids: ['a'] },
    { name: 'one of several values', filter: terms(tag, 'red', 'Red', 'x'), ids: ['a', 'b'] },
    { name: 'the empty string is a value', filter: terms(tag, ''), ids: ['c'] },
    { name: 'no values match nothing', filter: terms(tag), ids: [] },
    { name: 'null and [] are missing', filter: not(exists(tag)), ids: ['d'] },
    { name: 'an analysed token', filter: terms(note, 'oil'), ids: ['a', 'b'] },
    { name: 'a text is not its own token', filter: terms(note, 'Oil on canvas'), ids: [] },
    { name: 'a pattern on tokens', filter: pattern(note, 'can*'), ids: ['a'] },
    { name: 'a pattern does not span tokens', filter: pattern(note, 'oil*ink'), ids: [] },
    { name: 'numbers', filter: terms(weight, 3, 30), ids: ['a', 'c'] },
    { name: 'numbers as text', filter: terms(weight, '12'), ids: ['b'] },
    { name: 'a fraction is not a whole number', filter: terms(weight, 3.5), ids: [] },
    { name: 'a range', filter: range(weight, { gte: 3, lt: 30 }), ids: ['a', 'b'] },
    { name: 'a range met by any value', filter: range(weight, { gt: 12 }), ids: ['c'] },
    {
      name: 'each bound may be met by one value only',
      filter: range(weight, { gt: 1, lt: 30 }),
      ids: ['a', 'b'],
    },
    {
      name: 'two bounds on one side: the narrower one counts',
      filter: range(weight, { gt: 3, gte: 3, lt: 30, lte: 40 }),
      ids: ['b'],
    },
    {
      name: 'two bounds on one side of dates',
      filter: range(day, { gt: ms('2020-02-01') - 1, gte: 0, lt: ms('2021-01-01'), lte: ms('2020-03-01') }),
      ids: ['b', 'c'],
    },
    {
      name: 'two bounds on one side of keywords',
      filter: range(tag, { gte: 'blue', gt: 'Red' }),
      ids: ['a', 'e'],
    },
    { name: 'the empty string is not a number', filter: not(exists(weight)), ids: ['d', 'e'] },
    { name: 'floats compare as floats', filter: terms(price, 0.1), ids: ['a'] },
    { name: 'bounds of floats are floats', filter: range(price, { lte: 0.1 }), ids: ['a', 'e'] },
    { name: 'a day in gte begins it', sqon: leaf('gte', 'day', '2020-02-01'), ids: ['b', 'c'] },
    { name: 'a day in gt ends it', sqon: leaf('gt', 'day', '2020-01-31'), ids: ['b', 'c'] },
    { name: 'a day in lte ends it', sqon: leaf('lte', 'day', '2020-02-01'), ids: ['a', 'b', 'c'] },
    { name: 'a day in lt begins it', sqon: leaf('lt', 'day', '2020-02-01'), ids: ['a'] },
    { name: 'a month', sqon: leaf('in', 'day', '2020-02'), ids: ['b', 'c'] },
    { name: 'epoch milliseconds', filter: range(day, { gte: 1609459200000 }), ids: ['c'] },
    { name: 'date maths', sqon: leaf('lt', 'day', '2020-01-01||+1M/M'), ids: ['a'] },
    { name: 'a day as a value is all of it', sqon: leaf('in', 'day', '2020-02-01'), ids: ['b', 'c'] },
    { name: 'true', filter: terms(ok, true), ids: ['a', 'e'] },
    { name: 'false as a word, the empty string is false', filter: terms(ok, 'false'), ids: ['b', 'c', 'e'] },
    { name: 'the key', filter: terms(key, 'b', 'zz', 'a'), ids: ['a', 'b'] },
    { name: 'a pattern on the key', filter: pattern(key, '?'), ids: ['a', 'b', 'c', 'd', 'e'] },
    { name: 'inside an object', filter: terms(field('made.by', 'keyword'), 'Ann', 'Bo'), ids: ['c', 'd'] },
    { name: 'an object exists by its fields', filter: exists(field('made', 'object')), ids: ['c', 'd'] },
    { name: 'unmapped: no value', filter: exists(field('extra.kept', 'boolean')), ids: [] },
    { name: 'no such field: terms', filter: terms(nowhere, 'x'), ids: [] },
    { name: 'no such field: negated', filter: not(terms(nowhere, 'x')), ids: ['a', 'b', 'c', 'd', 'e'] },
    { name: 'and', filter: and([terms(tag, 'blue'), terms(ok, true)]), ids: ['a', 'e'] },
    { name: 'or', filter: or([terms(tag, ''), terms(weight, 3)]), ids: ['a', 'c'] },
    { name: 'an empty or', filter: { kind: 'or', of: [] }, ids: [] },
    { name: 'an empty and', filter: { kind: 'and', of: [] }, ids: ['a', 'b', 'c', 'd', 'e'] },
    {
      name: 'a bound that is not a number',
      failing: { filter: range(weight, { gt: 'much' }) },
      code: 'BAD_USER_INPUT',
    },
  ],
};
