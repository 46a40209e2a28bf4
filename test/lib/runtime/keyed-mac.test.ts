import { createHmac } from 'node:crypto';
import test from 'ava';
import fc from '../../fast-check.ts';
import { keyedMac } from '../../../src/lib/runtime/keyed-mac.ts';

test('a MAC is the HMAC of Node.js, for any key and text', (t) => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 64 }),
      fc.string({ unit: 'binary', maxLength: 300 }),
      (key, text) => {
        const expected = createHmac('sha256', key).update(text).digest('base64url');
        return keyedMac(key)(text) === expected && keyedMac(key)(Buffer.from(text)) === expected;
      },
    ),
  );
  t.throws(() => keyedMac(new Uint8Array(65)), { instanceOf: RangeError });
});
