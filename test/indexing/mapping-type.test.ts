import test from 'ava';
import { mappingType } from '../../src/indexing/mapping-body.ts';

test('the type at a path, through objects and nested ones', (t) => {
  const properties = { a: { type: 'nested', properties: { b: { type: 'long' }, c: { properties: {} } } } };
  t.deepEqual(
    ['a', 'a.b', 'a.c', 'a.d', 'x', 'a.b.c'].map((path) => mappingType(properties, path)),
    ['nested', 'long', 'object', null, null, null],
  );
});
