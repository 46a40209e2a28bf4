import test from 'ava';
import fc, { runs } from '../../../fast-check.ts';
import { splitLines } from '../../../../src/indexing/file-import/records/decode-text.ts';
import { chunksOf, collect } from '../collect.ts';

const texts = async (text: string, size: number, maxBytes = 100): Promise<(string | null)[]> =>
  (await collect(splitLines(chunksOf(text, size), maxBytes))).map((line) => line.bytes?.toString() ?? null);

test('lines come out the same wherever the chunks are cut', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'grapheme' }).map((line) => line.replace(/[\r\n]/g, ' '))),
      fc.integer({ min: 1, max: 9 }),
      async (lines, size) => {
        const text = lines.map((line) => `${line}\n`).join('');
        t.deepEqual(await texts(text, size, 10_000), lines);
      },
    ),
    { numRuns: runs(60) },
  );
});

test('a last line without an end counts, and Windows line ends are cut', async (t) => {
  t.deepEqual(await texts('a\r\nb', 1), ['a', 'b']);
});

test('a line longer than the limit is passed over and the next ones keep their numbers', async (t) => {
  const lines = await collect(splitLines(chunksOf(`ab\n${'x'.repeat(50)}\ncd\n`, 3), 10));
  t.deepEqual(
    lines.map((line) => [line.number, line.bytes?.toString() ?? null]),
    [
      [1, 'ab'],
      [2, null],
      [3, 'cd'],
    ],
  );
});

test('a line of exactly the limit is kept, also before a Windows line end', async (t) => {
  t.deepEqual(await texts(`${'x'.repeat(10)}\r\n${'y'.repeat(11)}\r\n`, 4, 10), ['x'.repeat(10), null]);
});
