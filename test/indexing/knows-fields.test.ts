import test from 'ava';
import { knowsFields } from '../../src/indexing/knows-fields.ts';

const properties = {
  a: { type: 'long' },
  o: { type: 'nested', properties: { b: { type: 'keyword' } } },
  whole: { type: 'object', enabled: false },
};

test('fields with nothing in them need no mapping', (t) => {
  t.true(
    knowsFields(properties, { a: 1, o: [{ b: 'x' }, { b: null, c: [] }], d: null, e: [], whole: { any: 1 } }),
  );
});

test('a field that holds something and is not mapped is found at any depth', (t) => {
  t.false(knowsFields(properties, { d: 0 }));
  t.false(knowsFields(properties, { o: [{ b: 'x' }, { c: '' }] }));
  t.false(knowsFields(properties, { o: { c: false } }));
});
