import type { JsonObject } from '../../../src/lib/json/json.ts';
import { field, terms, type Check, type Collection } from './case.ts';

const whole: JsonObject = {
  text: 'Zoë \u{1F600}',
  none: null,
  list: [1, [2, 3], null, 'x'],
  o: { a: 1, b: { c: [true, false], d: 'D' }, 'dotted.key': 5 },
  items: [
    { k: 'p', n: 1, deep: [{ x: 1, y: 2 }] },
    { k: 'q', deep: { x: 3 } },
  ],
  unmapped: { any: ['thing', { at: 'all' }] },
  big: '9007199254740993',
  small: 1e-7,
};

const shown = (name: string, source: readonly string[] | null, found: JsonObject): Check => ({
  name,
  hits: { filter: terms(field('_id', '_id'), 'whole'), source },
  sources: [found],
});

/** Which parts of a document come with a hit. */
export const sources: Collection = {
  name: 'sources',
  mapping: {
    properties: {
      text: { type: 'text' },
      o: { properties: { a: { type: 'integer' }, b: { properties: { d: { type: 'keyword' } } } } },
      items: { type: 'nested', properties: { k: { type: 'keyword' }, n: { type: 'integer' } } },
    },
  },
  documents: { whole, bare: {}, other: { o: { a: 2, z: 1 }, more: [] } },
  checks: [
    shown('the whole document as it was written', null, whole),
    shown('nothing', [], {}),
    shown('a value', ['text'], { text: 'Zoë \u{1F600}' }),
    shown('null is shown', ['none'], { none: null }),
    shown('a list with lists', ['list'], { list: [1, [2, 3], null, 'x'] }),
    shown('a whole object', ['o.b'], { o: { b: { c: [true, false], d: 'D' } } }),
    shown('a value deep inside', ['o.b.d', 'o.a'], { o: { a: 1, b: { d: 'D' } } }),
    shown('a part of each object of a list', ['items.k'], { items: [{ k: 'p' }, { k: 'q' }] }),
    shown('objects within objects of a list', ['items.deep.x'], {
      items: [{ deep: [{ x: 1 }] }, { deep: { x: 3 } }],
    }),
    shown('a list whole', ['items'], { items: whole['items']! }),
    shown('what the mapping does not know', ['unmapped.any', 'big'], {
      unmapped: { any: ['thing', { at: 'all' }] },
      big: '9007199254740993',
    }),
    shown('a path and one above it', ['o', 'o.a'], { o: whole['o']! }),
    shown('a beginning of a name is not a path', ['te', 'item'], {}),
    shown('nothing by that name', ['nowhere', 'text.x'], {}),
    {
      name: 'of each hit its own',
      hits: { source: ['o.a', 'small', 'items.n'], filter: terms(field('_id', '_id'), 'bare', 'other') },
      ids: ['bare', 'other'],
      sources: [{}, { o: { a: 2 } }],
    },
  ],
};
