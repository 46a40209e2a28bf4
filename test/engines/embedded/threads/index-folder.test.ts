import fs, { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test from 'ava';
import { Columns } from '../../../../src/engines/embedded/columns/columns.ts';
import { LiveIndex } from '../../../../src/engines/embedded/index/live-index.ts';
import { IndexFolder } from '../../../../src/engines/embedded/threads/index-folder.ts';
import type { JsonObject } from '../../../../src/lib/json/json.ts';

test.serial('a write that the columns cannot follow stands, and other indexes go on', async (t) => {
  const path = await mkdtemp(join(tmpdir(), 'tributary-'));
  t.teardown(() => rm(path, { recursive: true }));
  const folder = new IndexFolder(path);
  const mapping = { properties: { name: { type: 'keyword' } } };
  for (const index of ['one', 'other']) {
    folder.manage({ kind: 'create', index, mapping });
    folder.write(index, [{ id: 'a', text: '{"name":"x"}' }]);
  }
  folder.follow();
  const { append } = Columns.prototype;
  const restore = () => void (Columns.prototype.append = append);
  t.teardown(restore);
  t.deepEqual(folder.write('one', [{ id: 'b', text: '{"name":"y"}' }]), [{ status: 'created' }]);
  Columns.prototype.append = () => {
    throw new RangeError('Array buffer allocation failed');
  };
  t.notThrows(() => folder.follow());
  restore();
  t.is(folder.describe('one').documents, 2);
  t.is(folder.describe('other').documents, 1);
  t.deepEqual(folder.close(), []);
});

test.serial('a damaged document keeps no other index from its work between requests', async (t) => {
  const path = await mkdtemp(join(tmpdir(), 'tributary-'));
  t.teardown(() => rm(path, { recursive: true }));
  const folder = new IndexFolder(path);
  const ids = Array.from({ length: 12_000 }, (_, number) => `d${number}`);
  for (const index of ['damaged', 'other']) {
    folder.manage({ kind: 'create', index, mapping: { properties: {} } });
    folder.write(
      index,
      ids.map((id) => ({ id, text: '{}' })),
    );
    folder.write(
      index,
      ids.slice(0, 9_000).map((id) => ({ id })),
    );
  }
  const store = new DatabaseSync(join(path, 'damaged.sqlite'));
  store.exec(`UPDATE docs SET src = '[]' WHERE id = 'd9999'`);
  store.close();
  const reported = new Set<string>();
  for (let steps = 0; folder.compact(({ message }) => reported.add(message)); steps++) t.true(steps < 100);
  t.deepEqual(
    [...reported],
    [
      'the space of deleted documents of index damaged cannot be reclaimed: the index file is damaged: restore it from a backup, or delete the index and load it again',
    ],
  );
  t.is(folder.describe('damaged').documents, 3_000);
  t.is(folder.describe('damaged').statistics!.documents, 12_000);
  t.is(folder.describe('other').statistics!.documents, 3_000);
  t.deepEqual(folder.close(), []);
});

test.serial(
  'an index whose file cannot be read keeps no other from the writes of other processes',
  async (t) => {
    const path = await mkdtemp(join(tmpdir(), 'tributary-'));
    t.teardown(() => rm(path, { recursive: true }));
    const [folder, other] = [new IndexFolder(path), new IndexFolder(path)];
    for (const index of ['one', 'two']) {
      folder.manage({ kind: 'create', index, mapping: { properties: {} } });
      folder.describe(index);
    }
    other.write('two', [{ id: 'a', text: '{}' }]);
    const { catchUp } = LiveIndex.prototype;
    t.teardown(() => void (LiveIndex.prototype.catchUp = catchUp));
    const caughtUp: number[] = [];
    LiveIndex.prototype.catchUp = function (limit) {
      if (caughtUp.push(limit) === 1) throw Object.assign(new Error('disk I/O error'), { errcode: 10 });
      return catchUp.call(this, limit);
    };
    folder.catchUp();
    t.is(caughtUp.length, 2);
    other.close();
    folder.close();
  },
);

test.serial('a field is copied to the same object, or to one around it', async (t) => {
  const path = await mkdtemp(join(tmpdir(), 'tributary-'));
  t.teardown(() => rm(path, { recursive: true }));
  const folder = new IndexFolder(path);
  const nested = (properties: JsonObject): JsonObject => ({ type: 'nested', properties });
  const name = (target: string): JsonObject => ({ type: 'keyword', copy_to: target });
  const number = { type: 'long' };
  const allowed = {
    all: number,
    rooms: nested({ no: name('all'), every: number, shelves: nested({ no: name('rooms.every') }) }),
  };
  folder.manage({ kind: 'create', index: 'one', mapping: { properties: allowed } });
  for (const properties of [
    { no: name('rooms.every') },
    { doors: nested({ no: name('rooms.every') }) },
    { rooms: nested({ no: number, door: name('rooms.shelves.all'), shelves: nested({ all: number }) }) },
  ]) {
    const refused = { code: 'BAD_USER_INPUT', message: /cannot be copied to rooms\..*other nested objects/ };
    const mapping = { properties: { rooms: nested({ every: number }), ...properties } };
    t.throws(() => folder.manage({ kind: 'create', index: 'other', mapping }), refused);
  }
  const extension = { no: name('rooms.every') };
  t.throws(() => folder.manage({ kind: 'extend', index: 'one', properties: extension }), {
    code: 'BAD_USER_INPUT',
  });
  const text = JSON.stringify({ rooms: { no: '1', shelves: [{ no: '2' }, { no: '3' }] }, no: '4' });
  t.deepEqual(folder.write('one', [{ id: 'a', text }]), [{ status: 'created' }]);
  t.is(folder.describe('one').documents, 1);
  folder.close();
});

test.serial(
  'a snapshot for which too many files are open is reported, and those of other indexes are written',
  async (t) => {
    const path = await mkdtemp(join(tmpdir(), 'tributary-'));
    t.teardown(() => rm(path, { recursive: true }));
    const folder = new IndexFolder(path);
    for (const index of ['one', 'two', 'other']) {
      folder.manage({ kind: 'create', index, mapping: { properties: {} } });
      folder.write(index, [{ id: 'a', text: '{}' }]);
    }
    const { openSync } = fs;
    const failing: typeof openSync = (file, ...rest) => {
      if (basename(String(file)).startsWith('one.snapshot'))
        throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
      if (basename(String(file)).startsWith('two.snapshot'))
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      return openSync(file, ...rest);
    };
    const replace = (open: typeof openSync): void => {
      Object.assign(fs, { openSync: open });
      syncBuiltinESMExports();
    };
    replace(failing);
    t.teardown(() => replace(openSync));
    const problems = folder.close().map(({ message }) => message);
    t.deepEqual(problems, [
      'too many files are open to read or write the snapshot of index one: raise the limit (ulimit -n)',
      'the disk has no room for the snapshot of index two: nothing is lost, but the next start reads all of its documents',
    ]);
    t.true(existsSync(join(path, 'other.snapshot')));
  },
);
