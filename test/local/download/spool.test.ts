import { text } from 'node:stream/consumers';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import test from 'ava';
import { spool } from '../../../src/local/download/spool.ts';

const parts = async function* (part: string, count: number, failing = false): AsyncGenerator<string> {
  for (let given = 0; given < count; given++) yield part;
  if (failing) throw new Error('no more');
};

const temporaryFolders = (): number =>
  readdirSync(tmpdir()).filter((name) => name.startsWith('tributary-download-')).length;

test.serial('a short text is kept in memory', async (t) => {
  const kept = await spool(parts('né\n', 3));
  t.is(kept.sizeBytes, 12);
  t.is(await text(kept.read()), 'né\nné\nné\n');
  t.is(temporaryFolders(), 0);
  await kept.discard();
});

test.serial('a long text goes through a file, which is gone after', async (t) => {
  const part = 'x'.repeat(700_000);
  const kept = await spool(parts(part, 4));
  t.is(kept.sizeBytes, 2_800_000);
  t.is(temporaryFolders(), 1);
  t.is(await text(kept.read()), part.repeat(4));
  await kept.discard();
  t.is(temporaryFolders(), 0);
});

test.serial('a text that fails leaves nothing behind', async (t) => {
  await t.throwsAsync(spool(parts('x'.repeat(700_000), 4, true)), { message: 'no more' });
  t.is(temporaryFolders(), 0);
});
