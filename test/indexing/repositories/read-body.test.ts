import test from 'ava';
import { maxBodyBytes, readBody } from '../../../src/indexing/repositories/repository-client.ts';

test('chunks may end inside a character', async (t) => {
  const bytes = Buffer.from('König Lear');
  const chunks = async function* () {
    for (const byte of bytes) yield Uint8Array.of(byte);
  };
  t.deepEqual(await readBody(chunks()), { kind: 'text', text: 'König Lear' });
});

test('a body that is not UTF-8', async (t) => {
  const chunks = async function* () {
    yield Uint8Array.of(0x22, 0xff, 0x22);
  };
  t.deepEqual(await readBody(chunks()), { kind: 'notUtf8' });
});

test('a body without end is read no further than the limit', async (t) => {
  const chunk = new Uint8Array(8 * 1024 * 1024);
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
  t.deepEqual(await readBody(chunks()), { kind: 'tooLarge' });
  t.true(supplied <= maxBodyBytes + chunk.byteLength);
  t.true(isEnded);
});

test('no body is an empty text', async (t) => {
  t.deepEqual(await readBody(null), { kind: 'text', text: '' });
});
