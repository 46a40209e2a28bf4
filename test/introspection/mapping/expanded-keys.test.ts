import test from 'ava';
import {
  expandedKeys,
  keyProblem,
  keyProblemIn,
  opaqueIn,
} from '../../../src/introspection/mapping/expanded-keys.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';

const expanded = (document: JsonObject): JsonObject => expandedKeys(document);

test('a key with dots stands for objects within objects', (t) => {
  t.deepEqual(expanded({ 'a.b': 1, 'a.c.d': [2], e: 3 }), { a: { b: 1, c: { d: [2] } }, e: 3 });
});

test('keys with dots inside objects and lists are written out too', (t) => {
  t.deepEqual(expanded({ o: { 'p.q': 1, r: 2 }, list: [{ 'x.y': 1 }, 5, [{ 'x.y': 2 }]] }), {
    o: { p: { q: 1 }, r: 2 },
    list: [{ x: { y: 1 } }, 5, [{ x: { y: 2 } }]],
  });
});

test('the values of several keys for one field are a list in their order', (t) => {
  t.deepEqual(expanded({ 'a.b': 1, a: { b: 2, c: 3 } }), { a: { b: [1, 2], c: 3 } });
  t.deepEqual(expanded({ a: { b: [1, 2] }, 'a.b': 3 }), { a: { b: [1, 2, 3] } });
  t.deepEqual(expanded({ 'a.b': 1, a: 2 }), { a: [{ b: 1 }, 2] });
  t.deepEqual(expanded({ 'a.b.c': 1, 'a.b': { c: 2, 'd.e': 3 } }), { a: { b: { c: [1, 2], d: { e: 3 } } } });
  t.deepEqual(expanded({ items: [{ k: 1 }], 'items.n': 2 }), { items: [{ k: 1 }, { n: 2 }] });
});

test('a document without such keys is returned itself', (t) => {
  const document = { a: { b: [1, { c: null }] } };
  t.is(expanded(document), document);
});

test('names that every object inherits are keys like others', (t) => {
  const document = JSON.parse('{"__proto__.x": 1, "constructor.y": 2, "toString": 3}') as JsonObject;
  t.is(JSON.stringify(expanded(document)), '{"__proto__":{"x":1},"constructor":{"y":2},"toString":3}');
});

test('what is opaque stays as it is written', (t) => {
  const isOpaque = opaqueIn({
    raw: { type: 'object', enabled: false },
    o: { properties: { labels: { type: 'flattened' }, n: { type: 'long' } } },
  });
  const document = { 'raw.x': { 'a.b': 1 }, o: { labels: { 'c.d': 2, '.': 3 }, 'n.': 4 } };
  t.deepEqual(expandedKeys(document, isOpaque), { raw: { x: { 'a.b': 1 } }, o: document.o });
  t.is(keyProblemIn({ o: { labels: { '.': 3 } } }, isOpaque), null);
  t.regex(keyProblemIn(document, isOpaque) ?? '', /"n\."/);
});

for (const key of ['.a', 'a.', 'a..b', '.', '..', 'a. .b', 'a.b.'])
  test(`the key ${JSON.stringify(key)} stands for no field`, (t) => {
    t.is(
      keyProblem(key),
      `the key ${JSON.stringify(key)} has an empty part: dots stand between the names of objects and fields, as in "a.b"`,
    );
    t.is(keyProblemIn({ o: [{ [key]: 1 }] }), keyProblem(key));
    t.deepEqual(expanded({ [key]: 1, 'x.y': 2 }), { [key]: 1, x: { y: 2 } });
  });

test('a key of very many parts is refused instead of taken apart', (t) => {
  const key = Array.from({ length: 100_000 }, () => 'a').join('.');
  t.regex(keyProblem(key) ?? '', /has more than 100 parts/);
  t.deepEqual(expanded({ [key]: 1 }), { [key]: 1 });
  const ofParts = (count: number): string => Array.from({ length: count }, () => 'a').join('.');
  t.is(keyProblem(ofParts(100)), null);
  t.regex(keyProblem(ofParts(101)) ?? '', /has more than 100 parts/);
});
