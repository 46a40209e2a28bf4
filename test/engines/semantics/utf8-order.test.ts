import test from 'ava';
import fc from '../../fast-check.ts';
import { utf8Order } from '../../../src/engines/semantics/utf8-order.ts';

test('strings are ordered as their bytes are', (t) => {
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(text, text, (left, right) => {
      t.is(Math.sign(utf8Order(left, right)), Buffer.compare(Buffer.from(left), Buffer.from(right)));
    }),
  );
});
