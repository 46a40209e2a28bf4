import test from 'ava';
import fc, { runs } from '../../fast-check.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import { growth, newInference } from '../../../src/introspection/mapping/infer.ts';
import { readFields } from '../../../src/introspection/mapping/mapping.ts';

const keyword = { type: 'keyword', ignore_above: 8000 };

const infer = (...documents: JsonObject[]) => {
  const inference = newInference();
  for (const document of documents) inference.add(document);
  return inference.mapping();
};

for (const [values, definition] of [
  [['a', 'b'], keyword],
  [['1999', '2020'], keyword],
  [['2020-01-05', '-0206-01-05', '2020-01-05T10:00:00Z'], { type: 'date' }],
  [['2020-01-05', 'unknown'], keyword],
  [['2020-13-05'], keyword],
  [[1, 0, -5], { type: 'long' }],
  [[1, 2.5], { type: 'double' }],
  [[1e30], { type: 'double' }],
  [[2 ** 63], { type: 'double' }],
  [[true, false], { type: 'boolean' }],
  [[1, 'x'], keyword],
  [[true, 1], keyword],
  [[null, 3, null], { type: 'long' }],
  [[['a'], 'b'], keyword],
  [['x'.repeat(8001)], { type: 'text' }],
  [['short', `${'line of prose '.repeat(20)}\nand one more`], { type: 'text' }],
  [['two\nlines'], keyword],
  [[{ x: 1 }, 'x'], { type: 'object', enabled: false }],
  [[{ x: 1 }, { y: 'a' }], { properties: { x: { type: 'long' }, y: keyword } }],
  [[{ x: 1 }, [{ x: 2.5 }]], { type: 'nested', properties: { x: { type: 'double' } } }],
  [[[{ x: true }], { x: false }], { type: 'nested', properties: { x: { type: 'boolean' } } }],
] as const) {
  test(`${JSON.stringify(values).slice(0, 60)} is ${JSON.stringify(definition)}`, (t) => {
    const documents = values.map((value) => ({ field: value }) as unknown as JsonObject);
    t.deepEqual(infer(...documents).properties, { field: definition });
  });
}

test('what has no value yet stays unmapped', (t) => {
  t.deepEqual(infer({ a: null, b: [], c: {}, d: [null], e: { f: [] } }).properties, {});
});

test('a key with dots is an object of fields', (t) => {
  t.deepEqual(infer({ 'a.b': 1, 'a.c': { 'd.e': true } }).properties, {
    a: {
      properties: {
        b: { type: 'long' },
        c: { properties: { d: { properties: { e: { type: 'boolean' } } } } },
      },
    },
  });
});

test('names no mapping can hold are left out', (t) => {
  t.deepEqual(infer({ _id: 'x', 'a..b': 1, '': 2, o: { _id: 'kept' } }).properties, {
    o: { properties: { _id: keyword } },
  });
});

test('a mapping grows by what it lacks, at any depth, and never changes a type', (t) => {
  const properties = {
    title: keyword,
    press: { properties: { name: keyword } },
    copies: { type: 'nested', properties: { shelf: keyword } },
    raw: { type: 'object', enabled: false },
  };
  const document = {
    title: 5,
    press: { name: 'x', town: 'y' },
    copies: [{ shelf: 's', worn: 1 }],
    raw: { any: 1 },
    pages: 10,
  };
  t.deepEqual(growth(properties, document), {
    press: { properties: { town: keyword } },
    copies: { type: 'nested', properties: { worn: { type: 'long' } } },
    pages: { type: 'long' },
  });
});

test('objects that are strict or not dynamic do not grow', (t) => {
  const closed = (dynamic: string | boolean) => ({ dynamic, properties: { name: keyword } });
  const properties = {
    one: closed('strict'),
    two: closed(false),
    three: closed('false'),
    four: closed(true),
  };
  const parts = { name: 'x', size: 1 };
  t.deepEqual(growth(properties, { one: parts, two: parts, three: parts, four: parts }), {
    four: { properties: { size: { type: 'long' } } },
  });
});

test('a field that a mapping lacks gets the type that fits all documents', (t) => {
  t.deepEqual(growth({}, { size: 1 }, { size: 1.5 }), { size: { type: 'double' } });
});

test('an inferred mapping knows its document, and all of it can be served', (t) => {
  const key = fc.constantFrom('a', 'b', 'c');
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<unknown>(1, 1.5, 'x', true, null, '2020-01-01'),
      tie('object'),
      fc.array(tie('any'), { maxLength: 3 }),
    ),
    object: fc.dictionary(key, tie('any'), { maxKeys: 3 }),
  })).object;
  const property = fc.property(value, (document) => {
    const { properties } = infer(document as JsonObject);
    return (
      growth(properties as JsonObject, document as JsonObject) === null &&
      readFields(properties as JsonObject).warnings.length === 0
    );
  });
  t.notThrows(() => fc.assert(property, { numRuns: runs(1_000) }));
});
