import test from 'ava';
import { valuesAt } from '../../../src/local/download/column-path.ts';

const keys = (path: string) => path.split('.').map((key) => ({ key }));

test('lists on the way are opened, one at the end stays', (t) => {
  const document = { copies: [{ loans: [{ days: [1, 2] }, { days: 3 }] }, { loans: { days: 0 } }, {}] };
  t.deepEqual(valuesAt(document, keys('copies.loans.days')), [[1, 2], 3, 0]);
});

test('null and absent are nothing, false and the empty text are something', (t) => {
  t.deepEqual(valuesAt({ a: [{ b: null }, {}, { b: false }, { b: '' }] }, keys('a.b')), [false, '']);
  t.deepEqual(valuesAt(undefined, keys('a')), []);
});

test('a position takes one item, also of a single object', (t) => {
  const steps = [{ key: 'a' }, { at: 1 }, { key: 'b' }];
  t.deepEqual(valuesAt({ a: [{ b: 1 }, { b: 2 }] }, steps), [2]);
  t.deepEqual(valuesAt({ a: { b: 1 } }, [{ key: 'a' }, { at: 0 }, { key: 'b' }]), [1]);
  t.deepEqual(valuesAt({ a: { b: 1 } }, steps), []);
});

test('what every object inherits is not in the document', (t) => {
  t.deepEqual(valuesAt({}, keys('constructor')), []);
  t.deepEqual(valuesAt({}, keys('__proto__.toString')), []);
});
