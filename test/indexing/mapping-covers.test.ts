import test from 'ava';
import { mappingCovers } from '../../src/indexing/mapping-body.ts';

const properties = {
  a: { type: 'long' },
  o: { type: 'nested', properties: { b: { type: 'keyword' } } },
  whole: { type: 'object', enabled: false },
};

test('fields with nothing in them need no mapping', (t) => {
  t.true(
    mappingCovers(properties, {
      a: 1,
      o: [{ b: 'x' }, { b: null, c: [] }],
      d: null,
      e: [],
      whole: { any: 1 },
    }),
  );
});

test('a field that holds something and is not mapped is found at any depth', (t) => {
  t.false(mappingCovers(properties, { d: 0 }));
  t.false(mappingCovers(properties, { o: [{ b: 'x' }, { c: '' }] }));
  t.false(mappingCovers(properties, { o: { c: false } }));
});
