import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import { openManifestStore } from '../../../src/federation/download/manifest-store.ts';

const folderOf = async (t: ExecutionContext): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-manifests-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'manifests');
};

const id = (letter: string): string => letter.repeat(32);

test('a manifest is there for its caller only, also after a restart', async (t) => {
  const folder = await folderOf(t);
  await openManifestStore(folder, 1_000).keep(id('a'), 'ann', { rows: 3 });
  const store = openManifestStore(folder, 1_000);
  t.deepEqual(await store.find(id('a'), 'ann'), { rows: 3 });
  t.is(await store.find(id('a'), 'bob'), null);
  t.is(await store.find(id('b'), 'ann'), null);
  for (const path of ['../manifests/' + id('a'), id('a') + '.json', '', '.'])
    t.is(await store.find(path, 'ann'), null);
});

test('it is kept for a day', async (t) => {
  const folder = await folderOf(t);
  let nowMs = Date.now();
  const store = openManifestStore(folder, 1_000, () => nowMs);
  await store.keep(id('a'), 'ann', 1);
  nowMs += 23 * 3_600_000;
  t.is(await store.find(id('a'), 'ann'), 1);
  nowMs += 2 * 3_600_000;
  t.is(await store.find(id('a'), 'ann'), null);
  await store.keep(id('b'), 'ann', 2);
  t.deepEqual(await readdir(folder), [`${id('b')}.json`]);
});

test('the oldest make room, and what is larger than all of it is not kept', async (t) => {
  const folder = await folderOf(t);
  const store = openManifestStore(folder, 200);
  for (const [at, letter] of [...'abc'].entries()) {
    await store.keep(id(letter), 'ann', 'x'.repeat(50));
    // in the order they were kept, however coarse the clock of the disk
    const time = Date.now() / 1_000 - 100 + at;
    await utimes(join(folder, `${id(letter)}.json`), time, time);
  }
  await store.keep(id('d'), 'ann', 'x'.repeat(1_000));
  t.deepEqual(
    (await readdir(folder)).sort(),
    ['b', 'c'].map((letter) => `${id(letter)}.json`),
  );
});

test('manifests that are kept at the same time all are', async (t) => {
  const store = openManifestStore(await folderOf(t), 10_000);
  await Promise.all([...'abcdef'].map((letter) => store.keep(id(letter), 'ann', letter)));
  for (const letter of 'abcdef') t.is(await store.find(id(letter), 'ann'), letter);
});
