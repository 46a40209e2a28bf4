import type { JsonObject } from '../../../src/lib/json/json.ts';
import { allTerms, buckets, exists, field, range, sort, terms, type Check, type Collection } from './case.ts';

const count = field('a.b', 'long');
const name = field('a.c', 'keyword');

const shown = (title: string, id: string, source: readonly string[] | null, found: JsonObject): Check => ({
  name: title,
  hits: { filter: terms(field('_id', '_id'), id), source },
  sources: [found],
});

const refused = (title: string, write: JsonObject): Check => ({ name: title, write, status: 'refused' });

/** Keys with dots stand for objects within objects; what is stored stays as it was written. */
export const dottedKeys: Collection = {
  name: 'keys with dots',
  mapping: {
    dynamic: false,
    properties: {
      a: { properties: { b: { type: 'long' }, c: { type: 'keyword' } } },
      o: { properties: { p: { properties: { q: { type: 'keyword' } } } } },
      tag: { type: 'keyword' },
      raw: { type: 'object', enabled: false },
    },
  },
  documents: {
    plain: { a: { b: 1, c: 'x' } },
    dotted: { 'a.b': 1, 'a.c': 'y', tag: 't' },
    both: { 'a.b': 2, a: { b: 1, c: 'x' } },
    inner: { o: { 'p.q': 'deep' }, 'o.p': { q: 'deeper' } },
    opaque: { raw: { 'a..b': 1, '.': 2 } },
  },
  checks: [
    { name: 'a filter on a value', filter: terms(count, 1), ids: ['plain', 'dotted', 'both'] },
    { name: 'a range', filter: range(count, { gte: 2 }), ids: ['both'] },
    { name: 'what is there', filter: exists(name), ids: ['plain', 'dotted', 'both'] },
    { name: 'inside an object', filter: terms(field('o.p.q', 'keyword'), 'deep', 'deeper'), ids: ['inner'] },
    {
      name: 'both ways in one document are two values',
      facet: count,
      measure: allTerms,
      result: buckets(2, ['1', 3], ['2', 1]),
    },
    { name: 'names are counted', facet: name, measure: allTerms, result: buckets(2, ['x', 2], ['y', 1]) },
    {
      name: 'both ways in one document are sorted by the greater',
      hits: { sort: [sort(count, 'desc')], filter: terms(field('_id', '_id'), 'plain', 'both') },
      ids: ['both', 'plain'],
    },
    shown('the whole document as it was written', 'both', null, { 'a.b': 2, a: { b: 1, c: 'x' } }),
    shown('a value by its path', 'dotted', ['a.b'], { 'a.b': 1 }),
    shown('values by an object above', 'dotted', ['a'], { 'a.b': 1, 'a.c': 'y' }),
    shown('values inside an object', 'inner', ['o.p.q'], { o: { 'p.q': 'deep' }, 'o.p': { q: 'deeper' } }),
    refused('a dot at the beginning', { '.a': 1 }),
    refused('two dots', { 'a..b': 1 }),
    refused('nothing but dots', { '..': 1 }),
    refused('below a value', { 'tag.x': 'y' }),
    refused('an object and a value', { 'a.b': 1, a: 2 }),
  ],
};
