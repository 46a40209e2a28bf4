import { DatabaseSync } from 'node:sqlite';
import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { LiveIndex } from '../../../../src/engines/embedded/index/live-index.ts';
import { createStore } from '../../../../src/engines/embedded/store/store-file.ts';

const defaultLogBytes = 4_000_000;

const storeIn = async (t: ExecutionContext): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const path = join(folder, 'x.sqlite');
  createStore(path, { properties: { name: { type: 'keyword' } } });
  return path;
};

const logLength = (path: string): number => statSync(`${path}-wal`).size;

test('the first write finds a log of the usual length, of which nothing gets into the file', async (t) => {
  const path = await storeIn(t);
  const index = new LiveIndex(path, `${path}.snapshot`);
  t.teardown(() => index.close());
  t.true(logLength(path) < defaultLogBytes, 'an index that is only read needs no log');
  index.write([{ id: 'a', text: '{"name":"x"}' }]);
  t.true(logLength(path) > defaultLogBytes);
  const length = logLength(path);
  for (let i = 0; i < 50; i++) index.write([{ id: 'a', text: '{"name":"y"}' }]);
  t.is(logLength(path), length);
  const other = new DatabaseSync(path);
  t.teardown(() => other.close());
  t.is(other.prepare("SELECT count(*) AS count FROM meta WHERE k = 'log'").get()!['count'], 0);
  t.deepEqual(index.verify(), []);
});

test('a second process finds the log long enough, and both write on', async (t) => {
  const path = await storeIn(t);
  const both = [0, 1].map(() => new LiveIndex(path, `${path}.snapshot`));
  both.forEach((index, i) => index.write([{ id: `of ${i}`, text: '{"name":"x"}' }]));
  const length = logLength(path);
  t.true(length > defaultLogBytes && length < 2 * defaultLogBytes);
  for (const index of both) {
    index.catchUp(Infinity);
    t.is(index.columns.liveCount, 2);
    index.close();
  }
});
