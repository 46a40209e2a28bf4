import { mkdtemp, readdir, rm, truncate, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import { openManifestStore, type ManifestStore } from '../../../src/federation/download/manifest-store.ts';

const folderOf = async (t: ExecutionContext): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-manifests-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'manifests');
};

const id = (letter: string): string => letter.repeat(32);

test('a manifest is there for its caller only, also after a restart', async (t) => {
  const folder = await folderOf(t);
  await openManifestStore(folder, 8_000).keep(id('a'), 'ann', { rows: 3 });
  const store = openManifestStore(folder, 8_000);
  t.deepEqual(await store.find(id('a'), 'ann'), { rows: 3 });
  t.is(await store.find(id('a'), 'bob'), null);
  t.is(await store.find(id('b'), 'ann'), null);
  for (const path of ['../manifests/' + id('a'), id('a') + '.json', '', '.'])
    t.is(await store.find(path, 'ann'), null);
});

/** What is in the folder, whoever owns it. */
const idsIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder)).map((name) => name.split('.')[1]!).sort();

test('it is kept for a day', async (t) => {
  const folder = await folderOf(t);
  let nowMs = Date.now();
  const store = openManifestStore(folder, 8_000, () => nowMs);
  await store.keep(id('a'), 'ann', 1);
  nowMs += 23 * 3_600_000;
  t.is(await store.find(id('a'), 'ann'), 1);
  nowMs += 2 * 3_600_000;
  t.is(await store.find(id('a'), 'ann'), null);
  await store.keep(id('b'), 'ann', 2);
  t.deepEqual(await idsIn(folder), [id('b')]);
});

/** Keeps one manifest after the other, each of about 100 bytes with its caller. */
const keepEach = async (folder: string, store: ManifestStore, of: readonly string[]): Promise<void> => {
  for (const [at, who] of of.entries()) {
    await store.keep(id(who[0]!), who.slice(1), 'x'.repeat(60));
    // in the order they were kept, however coarse the clock of the disk
    const time = Date.now() / 1_000 - 1_000 + at;
    const [name] = (await readdir(folder)).filter((one) => one.includes(id(who[0]!)));
    await utimes(join(folder, name!), time, time);
  }
};

test('the oldest of a caller make room for its own, and what is larger than its share is not kept', async (t) => {
  const folder = await folderOf(t);
  const store = openManifestStore(folder, 1_600);
  await keepEach(folder, store, ['aann', 'bann', 'cann']);
  await store.keep(id('d'), 'ann', 'x'.repeat(500));
  t.deepEqual(await idsIn(folder), [id('b'), id('c')]);
});

test('no caller pushes out the manifests of others, and of all it is the largest part that gives way', async (t) => {
  const folder = await folderOf(t);
  const store = openManifestStore(folder, 1_600);
  await keepEach(folder, store, ['abob', ...[...'bcdefghijklm'].map((letter) => `${letter}ann`)]);
  t.deepEqual(await idsIn(folder), [id('a'), id('l'), id('m')]);
  const crowd = [...'nopqrstuvwxyz01'].map((letter) => `${letter}${letter.repeat(3)}`);
  await keepEach(folder, store, crowd);
  t.deepEqual(await store.find(id('a'), 'bob'), 'x'.repeat(60));
  t.deepEqual(await store.find(id('l'), 'ann'), null);
  t.deepEqual(await store.find(id('m'), 'ann'), 'x'.repeat(60));
});

test('manifests stored concurrently are all kept', async (t) => {
  const store = openManifestStore(await folderOf(t), 10_000);
  await Promise.all([...'abcdef'].map((letter) => store.keep(id(letter), 'ann', letter)));
  for (const letter of 'abcdef') t.is(await store.find(id(letter), 'ann'), letter);
});

test('a file that was cut short when the process ended is no manifest', async (t) => {
  const folder = await folderOf(t);
  const store = openManifestStore(folder, 8_000);
  await store.keep(id('a'), 'ann', { rows: 3 });
  const [name] = await readdir(folder);
  for (const length of [20, 0]) {
    await truncate(join(folder, name!), length);
    t.is(await store.find(id('a'), 'ann'), null);
  }
});
