import test from 'ava';
import { collectBytes } from '../../../src/lib/net/bodies.ts';

test('a body of several pieces is put together, whatever they end in', async (t) => {
  const bytes = Buffer.from('König Lear');
  const chunks = async function* () {
    for (const byte of bytes) yield Uint8Array.of(byte);
  };
  t.deepEqual(await collectBytes(chunks(), bytes.length), bytes);
});

test('a body without end is read no further than the limit', async (t) => {
  const chunk = new Uint8Array(8 * 1024);
  const limit = 64 * 1024;
  let supplied = 0;
  let isEnded = false;
  const chunks = async function* () {
    try {
      for (;;) {
        supplied += chunk.byteLength;
        yield chunk;
      }
    } finally {
      isEnded = true;
    }
  };
  t.is(await collectBytes(chunks(), limit), null);
  t.true(supplied <= limit + chunk.byteLength);
  t.true(isEnded);
});
