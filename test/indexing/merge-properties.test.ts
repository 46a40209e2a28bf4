import test from 'ava';
import { mergeProperties } from '../../src/indexing/mapping-body.ts';

test('objects are merged by name and the arguments stay unchanged', (t) => {
  const before = { a: { properties: { x: { type: 'long' } } }, b: { type: 'keyword' } };
  const merged = mergeProperties(before, { a: { properties: { y: { type: 'date' } } }, c: { type: 'text' } });
  t.deepEqual(merged, {
    a: { properties: { x: { type: 'long' }, y: { type: 'date' } } },
    b: { type: 'keyword' },
    c: { type: 'text' },
  });
  t.deepEqual(before, { a: { properties: { x: { type: 'long' } } }, b: { type: 'keyword' } });
});
