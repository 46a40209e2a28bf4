import test from 'ava';
import fc from '../fast-check.ts';
import { jsonSize } from '../../src/indexing/bulk-writer.ts';
import type { JsonValue } from '../../src/lib/json/json.ts';

test('it is near the length of the text, for texts without escapes', (t) => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 30 });
  const property = fc.property(fc.object({ key: word, values: [word, fc.nat(), fc.boolean()] }), (value) => {
    const length = JSON.stringify(value).length;
    const size = jsonSize(value as JsonValue);
    return size >= length / 3 && size <= length * 5 + 8;
  });
  t.notThrows(() => fc.assert(property));
});
