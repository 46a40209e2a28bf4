import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { keptForReread } from '../../../../src/indexing/file-import/records/reread.ts';

const mebibyte = 1024 * 1024;
const part = (number: number): Buffer => Buffer.alloc(5 * mebibyte, `${String(number)};`);
const parts = async function* (count: number, broken = false): AsyncGenerator<Buffer> {
  for (let number = 0; number < count; number += 1) yield part(number);
  if (broken) throw new Error('cut off');
};

for (const [count, where] of [
  [2, 'memory'],
  [9, 'a file'],
] as const)
  // the folder for temporary files is of the process
  test.serial(
    `a stream is read a second time from ${where}, with what ended it, and leaves no file behind if its process ends`,
    async (t) => {
      const folder = (process.env['TMPDIR'] = await mkdtemp(join(tmpdir(), 'tributary-reread-')));
      for (const broken of [false, true]) {
        const kept = keptForReread(parts(count, broken));
        const read = async (bytes: AsyncIterable<Buffer>): Promise<void> => {
          const whole = Buffer.concat(Array.from({ length: count }, (_, number) => part(number)));
          const found: Buffer[] = [];
          const reading = (async () => {
            for await (const chunk of bytes) found.push(chunk);
          })();
          await (broken ? t.throwsAsync(reading, { message: 'cut off' }) : reading);
          t.true(Buffer.concat(found).equals(whole));
        };
        await read(kept.chunks);
        t.deepEqual(await readdir(folder), []);
        await read(kept.reread());
        await kept.release();
      }
    },
  );
