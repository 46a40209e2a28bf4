import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import test from 'ava';
import type { ArchiveFile } from '../../../src/local/download/spool.ts';
import { archive, openSpoolStorage } from '../../../src/local/download/spool.ts';
import { tarEntries } from './tar-entries.ts';

const { signal } = new AbortController();

const folder = mkdtempSync(join(tmpdir(), 'archive-test-'));
test.after.always(() => rmSync(folder, { recursive: true }));

const zip = (files: readonly ArchiveFile[], room = openSpoolStorage(folder, 10_000_000)) =>
  archive(files, room, signal);

const parts = async function* (count: number, part: string, failing = false): AsyncGenerator<string> {
  for (let supplied = 0; supplied < count; supplied++) yield part;
  if (failing) throw new Error('no more');
};

test('files come whole and in order, empty and long ones too', async (t) => {
  const long = 'é'.repeat(400_000);
  const zipped = await zip([
    { name: 'a.tsv', text: parts(2, 'row\n') },
    { name: 'none.json', text: parts(0, '') },
    { name: 'ü.csv', text: parts(5, long) },
  ]);
  const entries = await tarEntries(zipped);
  t.deepEqual(
    entries.map(([name, content]) => [name, content.length]),
    [
      ['a.tsv', 8],
      ['none.json', 0],
      ['ü.csv', 2_000_000],
    ],
  );
  t.is(entries[0]![1], 'row\nrow\n');
});

test('a file that fails destroys the archive', async (t) => {
  const zipped = await zip([
    { name: 'a.tsv', text: parts(1, 'row\n') },
    { name: 'b.tsv', text: parts(1, 'row\n', true) },
  ]);
  await t.throwsAsync(
    async () => {
      for await (const bytes of zipped) t.truthy(bytes);
    },
    { message: 'no more' },
  );
});

test('an archive that nobody reads on asks for no further file', async (t) => {
  const noise = Array.from({ length: 300_000 }, (_, at) => Math.imul(at, 2_654_435_761).toString(36)).join(
    '',
  );
  let requested = false;
  const second = async function* (): AsyncGenerator<string> {
    requested = true;
    yield 'row\n';
  };
  const zipped = await zip([
    { name: 'a.tsv', text: parts(1, noise) },
    { name: 'b.tsv', text: second() },
  ]);
  zipped.on('error', () => {});
  await new Promise((resolve) => zipped.once('readable', resolve));
  zipped.destroy();
  await wait(50);
  t.false(requested);
});

test('a file that is being written when nobody reads on is given up', async (t) => {
  const room = openSpoolStorage(folder, 1_000);
  const [begun, ended] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const endless = async function* (): AsyncGenerator<string> {
    try {
      for (let parts = 0; parts < 500; parts += 1) {
        yield '.';
        begun.resolve(undefined);
        await wait(1);
      }
      t.fail('written to its end');
    } finally {
      ended.resolve(undefined);
    }
  };
  const zipped = await zip(
    [
      { name: 'a.tsv', text: parts(1, 'row\n') },
      { name: 'b.tsv', text: endless() },
    ],
    room,
  );
  zipped.on('error', () => {}).resume();
  await begun.promise;
  zipped.destroy();
  await ended.promise;
  await wait(0);
  t.notThrows(() => room.take(1_000));
});

test('a first file without room is refused before there is an archive', async (t) => {
  const room = openSpoolStorage(folder, 10);
  await t.throwsAsync(zip([{ name: 'a.tsv', text: parts(3, 'row\n') }], room), { code: 'NOT_READY' });
});

test('an archive that is destroyed gives its room back', async (t) => {
  const noise = Array.from({ length: 300_000 }, () => Math.random().toString(36)).join('');
  const ownFolder = join(folder, 'own');
  const room = openSpoolStorage(ownFolder, noise.length + 10);
  const zipped = await zip([{ name: 'a.tsv', text: parts(1, noise) }], room);
  t.is(readdirSync(ownFolder).length, 1);
  const closed = new Promise((resolve) => zipped.once('close', resolve));
  zipped.destroy();
  await closed;
  while (readdirSync(ownFolder).length > 0) await wait(5);
  t.notThrows(() => room.take(noise.length));
});
