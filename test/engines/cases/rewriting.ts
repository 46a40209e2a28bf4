import { all, nested } from '../../../src/sqon/filter.ts';
import { exists, field, range, remove, terms, upsert, type Collection } from './case.ts';

const k = field('k', 'keyword');
const n = field('n', 'integer');

/** Writes over writes: what becomes of each, and what searches see once they are answered. */
export const rewriting: Collection = {
  name: 'rewriting',
  mapping: {
    dynamic: false,
    properties: {
      k: { type: 'keyword' },
      n: { type: 'integer' },
      d: { type: 'date' },
      items: { type: 'nested', properties: { c: { type: 'keyword' } } },
    },
  },
  documents: {
    a: { k: 'one', n: 1, items: [{ c: 'p' }, { c: 'q' }] },
    b: { k: 'two', n: 2 },
    'c d/é': { k: 'three' },
  },
  checks: [
    {
      name: 'a new document',
      operations: [[upsert('new', { k: 'x' }), 'created']],
      found: terms(k, 'x'),
      ids: ['new'],
      sources: [{ k: 'x' }],
    },
    {
      name: 'a document again: replaced whole',
      operations: [[upsert('a', { n: 7 }), 'updated']],
      found: exists(k),
      ids: ['b', 'c d/é'],
    },
    {
      name: 'its new values are found',
      operations: [[upsert('a', { k: 'one', n: 7 }), 'updated']],
      found: range(n, { gt: 2 }),
      ids: ['a'],
      sources: [{ k: 'one', n: 7 }],
    },
    {
      name: 'its old nested objects are gone',
      operations: [[upsert('a', { items: { c: 'r' } }), 'updated']],
      found: nested('items', terms(field('items.c', 'keyword', 'items'), 'p', 'q')),
      ids: [],
    },
    { name: 'deleted', operations: [[remove('a'), 'deleted']], found: all, ids: ['b', 'c d/é'] },
    {
      name: 'its nested objects go with it',
      operations: [[remove('a'), 'deleted']],
      found: nested('items', all),
      ids: [],
    },
    {
      name: 'deleting what is not there',
      operations: [[remove('z'), 'notFound']],
      found: all,
      ids: ['a', 'b', 'c d/é'],
    },
    {
      name: 'deleted twice',
      operations: [
        [remove('b'), 'deleted'],
        [remove('b'), 'notFound'],
      ],
      found: all,
      ids: ['a', 'c d/é'],
    },
    {
      name: 'deleted and written again',
      operations: [
        [remove('b'), 'deleted'],
        [upsert('b', { k: 'back' }), 'created'],
      ],
      found: terms(k, 'back', 'two'),
      ids: ['b'],
      sources: [{ k: 'back' }],
    },
    {
      name: 'written and deleted',
      operations: [
        [upsert('new', { k: 'x' }), 'created'],
        [remove('new'), 'deleted'],
      ],
      found: terms(k, 'x'),
      ids: [],
    },
    {
      name: 'written twice: the last counts',
      operations: [
        [upsert('new', { k: 'x' }), 'created'],
        [upsert('new', { k: 'y' }), 'updated'],
      ],
      found: terms(k, 'x', 'y'),
      ids: ['new'],
      sources: [{ k: 'y' }],
    },
    {
      name: 'a refused one among others',
      operations: [
        [upsert('e', { n: 5 }), 'created'],
        [upsert('f', { n: 'five' }), 'refused'],
        [upsert('g', { n: 6 }), 'created'],
      ],
      found: range(n, { gte: 5 }),
      ids: ['e', 'g'],
    },
    {
      name: 'a refused one leaves the old one',
      operations: [[upsert('a', { k: 'new', n: {} }), 'refused']],
      found: terms(k, 'one', 'new'),
      ids: ['a'],
    },
    {
      name: 'a refused nested value refuses the whole document',
      operations: [[upsert('h', { k: 'x', items: [{ c: 'ok' }, { c: { d: 1 } }] }), 'refused']],
      found: terms(k, 'x'),
      ids: [],
    },
    {
      name: 'a key of any characters',
      operations: [
        [upsert('c d/é', { k: 'again' }), 'updated'],
        [upsert('#?&=%', { k: 'odd' }), 'created'],
      ],
      found: terms(field('_id', '_id'), '#?&=%', 'c d/é'),
      ids: ['#?&=%', 'c d/é'],
    },
    {
      name: 'an empty document',
      operations: [[upsert('new', {}), 'created']],
      found: terms(field('_id', '_id'), 'new'),
      ids: ['new'],
      sources: [{}],
    },
    {
      name: 'keys of what every object inherits',
      operations: [[upsert('new', { constructor: 1, toString: 'x', k: 'odd' }), 'created']],
      found: terms(k, 'odd'),
      ids: ['new'],
      sources: [{ constructor: 1, toString: 'x', k: 'odd' }],
    },
  ],
};
