import test from 'ava';
import { fieldValue, storedValues } from '../../../src/local/hits/stored-document.ts';
import { bookFields } from '../catalogue-fixture.ts';

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
