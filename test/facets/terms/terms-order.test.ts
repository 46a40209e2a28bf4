import test from 'ava';
import fc from '../../fast-check.ts';
import { utf8Order } from '../../../src/engines/semantics/utf8-order.ts';
import { termsOrder } from '../../../src/facets/terms/merge-terms.ts';

test('the order is that of comparing every two keys by count and then by UTF-8 bytes', (t) => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '7', 'é', '\uffee', '\u{1f600}'), maxLength: 3 });
  const count = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 2 ** 45 }));
  const terms = fc.uniqueArray(fc.tuple(text, count), { selector: ([key]) => key });
  const holds = fc.property(terms, (rows) => {
    const keys = rows.map(([key]) => key);
    const counts = Float64Array.from(rows, ([, one]) => one);
    const expected = rows.toSorted((a, b) => b[1] - a[1] || utf8Order(a[0], b[0])).map(([key]) => key);
    t.deepEqual([...termsOrder(keys, counts)].map((index) => keys[index]), expected);
  }); // prettier-ignore
  fc.assert(holds);
});
