import { text } from 'node:stream/consumers';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { spool, openSpoolStorage } from '../../../src/local/download/spool.ts';

const parts = async function* (part: string, count: number, failing = false): AsyncGenerator<string> {
  for (let supplied = 0; supplied < count; supplied++) yield part;
  if (failing) throw new Error('no more');
};

const { signal } = new AbortController();

/** A data folder of its own, and how many files wait in it. */
const roomOf = (t: ExecutionContext, maxBytes = 10_000_000) => {
  const above = mkdtempSync(join(tmpdir(), 'spool-test-'));
  t.teardown(() => rmSync(above, { recursive: true, force: true }));
  const folder = join(above, 'data', 'spool');
  const isMade = () => statSync(folder, { throwIfNoEntry: false }) !== undefined;
  return {
    above,
    folder,
    room: openSpoolStorage(folder, maxBytes),
    waiting: () => (isMade() ? readdirSync(folder) : []),
  };
};

const part = 'x'.repeat(700_000);

test('a short text is kept in memory', async (t) => {
  const { room, above } = roomOf(t);
  const kept = await spool(parts('né\n', 3), room, signal);
  t.is(kept.sizeBytes, 12);
  t.is(await text(kept.read()), 'né\nné\nné\n');
  t.deepEqual(readdirSync(above), []);
  await kept.discard();
});

test('a long text goes through a file of this user, which is gone after', async (t) => {
  const { room, folder, waiting } = roomOf(t);
  const kept = await spool(parts(part, 4), room, signal);
  t.is(kept.sizeBytes, 2_800_000);
  t.is(waiting().length, 1);
  t.is(statSync(folder).mode & 0o777, 0o700);
  t.is(statSync(join(folder, waiting()[0]!)).mode & 0o777, 0o600);
  t.is(await text(kept.read()), part.repeat(4));
  await kept.discard();
  t.deepEqual(waiting(), []);
});

test('a text that fails leaves nothing behind', async (t) => {
  const { room, waiting } = roomOf(t);
  await t.throwsAsync(spool(parts(part, 4, true), room, signal), { message: 'no more' });
  t.deepEqual(waiting(), []);
});

test('a text that nobody wants any more is not read on', async (t) => {
  const { room, waiting } = roomOf(t);
  const left = new AbortController();
  let supplied = 0;
  const endless = async function* (): AsyncGenerator<string> {
    for (;;) {
      if (++supplied === 3) left.abort(new Error('gone'));
      yield part;
    }
  };
  await t.throwsAsync(spool(endless(), room, left.signal), { message: 'gone' });
  t.is(supplied, 3);
  t.deepEqual(waiting(), []);
});

test('texts beyond the bound over all are refused; discarded ones make room', async (t) => {
  const { room, waiting } = roomOf(t, 2_900_000);
  const first = await spool(parts(part, 2), room, signal);
  const second = await spool(parts(part, 2), room, signal);
  const refused = { code: 'NOT_READY', message: /more than the 2900000 bytes kept for them; try again soon/ };
  await t.throwsAsync(spool(parts(part, 1), room, signal), refused);
  t.is(waiting().length, 2);
  await first.discard();
  await first.discard();
  const third = await spool(parts(part, 2), room, signal);
  await t.throwsAsync(spool(parts(part, 1), room, signal), refused);
  await second.discard();
  await third.discard();
  t.deepEqual(waiting(), []);
});

test('a text that was refused half way leaves its room to others', async (t) => {
  const { room, waiting } = roomOf(t, 1_500_000);
  await t.throwsAsync(spool(parts(part, 3), room, signal), { code: 'NOT_READY' });
  t.deepEqual(waiting(), []);
  const kept = await spool(parts(part, 2), room, signal);
  t.is(kept.sizeBytes, 1_400_000);
  await kept.discard();
});

test('where no file can be made, the reason names no path', async (t) => {
  const { above } = roomOf(t);
  writeFileSync(join(above, 'file'), '');
  const room = openSpoolStorage(join(above, 'file', 'spool'), 10_000_000);
  await t.throwsAsync(spool(parts(part, 4), room, signal), {
    code: 'NOT_READY',
    message: 'the files of this download cannot be kept until they are sent; download one file at a time',
  });
});

test('leftovers go, and what a running server reads stays readable', async (t) => {
  const { room, folder, waiting } = roomOf(t);
  await room.removeLeftovers();
  const kept = await spool(parts(part, 4), room, signal);
  writeFileSync(join(folder, 'other.txt'), '');
  await openSpoolStorage(folder, 1).removeLeftovers();
  t.deepEqual(waiting(), ['other.txt']);
  t.is(await text(kept.read()), part.repeat(4));
  await kept.discard();
});
