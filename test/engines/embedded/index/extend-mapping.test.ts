import test from 'ava';
import { extendMapping } from '../../../../src/engines/embedded/index/write-operation.ts';

const before = { a: { type: 'keyword' }, n: { type: 'nested', properties: { b: { type: 'long' } } } };

test('fields, nested ones and multi-fields are added', (t) => {
  const added = {
    a: { type: 'keyword', fields: { t: { type: 'text' } } },
    n: { properties: { c: { type: 'date' } } },
    d: { type: 'ip' },
  };
  t.deepEqual(extendMapping(before, added), {
    a: { type: 'keyword', fields: { t: { type: 'text' } } },
    n: { type: 'nested', properties: { b: { type: 'long' }, c: { type: 'date' } } },
    d: { type: 'ip' },
  });
});

test('what is there stays as it is', (t) => {
  for (const [added, words] of [
    [{ a: { type: 'text' } }, /field a has type "keyword", which cannot become "text"/],
    [{ n: { properties: { b: { type: 'date' } } } }, /field n\.b has type/],
    [{ n: { type: 'object' } }, /field n has type "nested"/],
    [{ a: { type: 'keyword', ignore_above: 5 } }, /field a has ignore_above unset/],
  ] as const)
    t.throws(() => extendMapping(before, added), { code: 'CONFLICT', message: words });
});
