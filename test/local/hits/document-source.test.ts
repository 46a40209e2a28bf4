import test from 'ava';
import fc from '../../fast-check.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import {
  pickPaths,
  unwrapDocument,
  fieldValue,
  storedValues,
} from '../../../src/local/hits/stored-document.ts';
import { bookFields } from '../catalogue-fixture.ts';

test('without a prefix the document is what is stored', (t) => {
  t.deepEqual(unwrapDocument({ a: 1 }, null), { a: 1 });
});

test('a dotted prefix is opened level by level', (t) => {
  t.deepEqual(unwrapDocument({ outer: { inner: { a: 1 } }, other: 2 }, 'outer.inner'), { a: 1 });
});

test('a document without its envelope is empty', (t) => {
  t.deepEqual(unwrapDocument({ other: 2 }, 'outer'), {});
  t.deepEqual(unwrapDocument({ outer: 'text' }, 'outer'), {});
});

test('paths keep the positions in lists, and leave out other objects that hold nothing of them', (t) => {
  const document = { a: 1, b: { c: 2, d: 3 }, e: [{ f: 4, g: 5 }, { g: 6 }], h: { i: 7 } };
  t.deepEqual(pickPaths(document, ['a', 'b.c', 'e.f', 'h.none']), { a: 1, b: { c: 2 }, e: [{ f: 4 }, {}] });
});

test('a key that has dots itself is found by its path, below it and above it', (t) => {
  const document = { labels: { 'made.in': 'Ulm', 'made.by': { hand: true, foot: false }, color: 'red' } };
  t.deepEqual(pickPaths(document, ['labels.made.in']), { labels: { 'made.in': 'Ulm' } });
  t.deepEqual(pickPaths(document, ['labels.made.by.hand']), { labels: { 'made.by': { hand: true } } });
  const { color: _, ...made } = document.labels;
  t.deepEqual(pickPaths(document, ['labels.made']), { labels: made });
  t.deepEqual(pickPaths(document, ['labels.in', 'made.in']), {});
});

test('a path and one below it give the whole', (t) => {
  const document = { b: { c: 2, d: 3 } };
  t.deepEqual(pickPaths(document, ['b', 'b.c']), document);
  t.deepEqual(pickPaths(document, ['b.c', 'b']), document);
});

test('a path named like an object property picks data only', (t) => {
  t.deepEqual(pickPaths({ a: 1 }, ['constructor', '__proto__.a', 'toString']), {});
});

const key = fc.constantFrom('a', 'b', 'c');
const document = fc.letrec<{ value: unknown; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(0, '', null, 'x'),
    tie('object'),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
  object: fc.dictionary(key, tie('value'), { maxKeys: 3 }) as fc.Arbitrary<JsonObject>,
})).object;
const path = fc.array(key, { minLength: 1, maxLength: 3 }).map((segments) => segments.join('.'));

test('picking is idempotent, and its own keys pick the whole document', (t) => {
  fc.assert(
    fc.property(document, fc.array(path), (stored, paths) => {
      const once = pickPaths(stored, paths);
      t.deepEqual(pickPaths(once, paths), once);
      t.deepEqual(pickPaths(stored, Object.keys(stored)), { ...stored });
    }),
  );
});

const fields = bookFields();
const valueOf = (path: string, value: string | number | boolean | Record<string, number>) =>
  fieldValue(value, fields.get(path)!);

test('numeric strings of numeric fields are numbers', (t) => {
  t.is(valueOf('pages', '80'), 80);
  t.is(valueOf('price', '-2.5e3'), -2500);
});

test('what does not fit the type is null, never an error', (t) => {
  t.is(valueOf('pages', 'many'), null);
  t.is(valueOf('pages', ' '), null);
  t.is(valueOf('pages', true), null);
  t.is(valueOf('lendable', 'perhaps'), null);
  t.is(valueOf('title', { a: 1 }), null);
});

test('zero, false and the empty string are values', (t) => {
  t.is(valueOf('pages', 0), 0);
  t.is(valueOf('lendable', false), false);
  t.is(valueOf('title', ''), '');
});

test('text shows numbers and booleans as they are written', (t) => {
  t.is(valueOf('title', 7), '7');
  t.is(valueOf('printed', 1588291200000), '1588291200000');
  t.is(valueOf('title', true), 'true');
});

test('booleans may be stored as text', (t) => {
  t.is(valueOf('lendable', 'true'), true);
  t.is(valueOf('lendable', 'false'), false);
});

test('small integers are cut to whole numbers, as indexed, and are null past 32 bits', (t) => {
  t.is(valueOf('shelf', 3.7), 3);
  t.is(valueOf('shelf', 2 ** 40), null);
});

test('stored values are those of lists within lists, without nulls', (t) => {
  t.deepEqual(storedValues([1, [2, null, [3]], []]), [1, 2, 3]);
  t.deepEqual(storedValues('one'), ['one']);
  t.deepEqual(storedValues(null), []);
  t.deepEqual(storedValues(undefined), []);
});
