import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { LiveIndex } from '../../../../src/engines/embedded/index/live-index.ts';
import { createStore } from '../../../../src/engines/embedded/store/store-file.ts';
import type { TextOperation } from '../../../../src/engines/embedded/index/write-operation.ts';

interface Opened {
  readonly open: () => LiveIndex;
  readonly index: LiveIndex;
  readonly snapshotPath: string;
}

const opened = async (t: ExecutionContext): Promise<Opened> => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const path = join(folder, 'x.sqlite');
  createStore(path, { properties: { name: { type: 'keyword' } } });
  const open = (): LiveIndex => new LiveIndex(path, `${path}.snapshot`);
  return { open, index: open(), snapshotPath: `${path}.snapshot` };
};

const named = (id: string, name: string): TextOperation => ({ id, text: JSON.stringify({ name }) });

/** What each way of looking at the columns right after a write sees. */
const looks: readonly (readonly [name: string, look: (index: LiveIndex) => unknown])[] = [
  ['its columns', ({ columns }) => columns.root.count],
  ['the next write', (index) => index.write([{ id: 'a' }])],
  ['a look for the writes of others', (index) => index.catchUp(Infinity)],
  ['a new field', (index) => index.extend({ size: { type: 'long' } })],
  ['a check', (index) => rejectProblems(index.verify())],
  ['a snapshot', (index) => index.snapshot()],
  ['shrinking', (index) => index.shrink()],
];

const rejectProblems = (problems: readonly string[]): void => {
  if (problems.length > 0) throw new Error(problems.join());
};

for (const [name, look] of looks)
  test(`the columns have followed a write before: ${name}`, async (t) => {
    const { index, open } = await opened(t);
    index.write([named('a', 'x'), named('b', 'y')]);
    index.write([named('b', 'z'), named('c', 'x')]);
    look(index);
    t.deepEqual(index.verify(), []);
    const again = open();
    t.is(again.columns.liveCount, index.columns.liveCount);
    t.deepEqual(again.verify(), []);
    again.close();
    index.close();
  });

test('a process that ends before its columns have followed loses nothing', async (t) => {
  const { index, open } = await opened(t);
  index.write([named('a', 'x'), named('b', 'y')]);
  index.close();
  const again = open();
  t.is(again.columns.liveCount, 2);
  t.deepEqual(again.verify(), []);
  again.close();
});

test('a document written after the last one was deleted and the index reopened is not lost', async (t) => {
  const { index, open } = await opened(t);
  index.write([named('a', 'x'), named('b', 'y')]);
  index.write([{ id: 'b' }]);
  index.close();
  const again = open();
  again.write([named('c', 'z')]);
  t.is(again.columns.liveCount, 2);
  again.close();
  const last = open();
  t.is(last.columns.liveCount, 2);
  t.deepEqual(last.verify(), []);
  last.close();
});

test('documents that another process replaced meanwhile are not mistaken for those that are to follow', async (t) => {
  const { index, open } = await opened(t);
  const other = open();
  index.write([named('a', 'x'), named('b', 'y')]);
  other.write([named('a', 'z'), { id: 'b' }]);
  index.write([named('c', 'x')]);
  for (const each of [index, other]) {
    each.catchUp(Infinity);
    t.is(each.columns.liveCount, 2);
    t.deepEqual(each.verify(), []);
    each.close();
  }
});

test('a snapshot from before deletions that are forgotten is not taken', async (t) => {
  const { index, open, snapshotPath } = await opened(t);
  index.write([named('a', 'x'), named('b', 'y')]);
  index.snapshot();
  await copyFile(snapshotPath, `${snapshotPath}.old`);
  index.write([{ id: 'a' }]);
  // the deletion is in this one, and forgotten by the documents
  index.snapshot();
  index.close();
  await copyFile(`${snapshotPath}.old`, snapshotPath);
  const again = open();
  again.catchUp(Infinity);
  t.is(again.columns.liveCount, 1);
  t.deepEqual(again.verify(), []);
  again.close();
});

test('the last write is when documents changed, for whoever reads them', async (t) => {
  const { index, open } = await opened(t);
  const other = open();
  t.is(index.lastWriteMs, undefined);
  const startMs = Date.now();
  index.write([named('a', 'one'), named('b', 'two')]);
  const firstMs = index.lastWriteMs!;
  t.true(firstMs >= startMs && firstMs <= Date.now());
  await sleep(5);
  index.write([{ id: 'nobody' }]);
  index.extend({ size: { type: 'long' } });
  index.snapshot();
  index.shrink();
  t.is(index.lastWriteMs, firstMs);
  index.write([{ id: 'b' }]);
  t.true(index.lastWriteMs! > firstMs);
  other.catchUp(Infinity);
  t.is(other.lastWriteMs, index.lastWriteMs);
  const again = open();
  t.is(again.lastWriteMs, index.lastWriteMs);
  for (const each of [again, other, index]) each.close();
});

test('a generation names the documents and the mapping, whoever opens them', async (t) => {
  const { index, open } = await opened(t);
  const seen = new Set<string>();
  const isNew = (): boolean => seen.size < seen.add(index.generation).size;
  t.true(isNew());
  index.write([named('a', 'one'), named('b', 'two')]);
  t.true(isNew());
  index.write([named('a', 'three')]);
  t.true(isNew());
  index.write([{ id: 'b' }]);
  t.true(isNew());
  index.extend({ size: { type: 'long' } });
  t.true(isNew());
  t.regex(index.generation, /^[0-9a-f]{32}$/);
  index.write([{ id: 'nobody' }]);
  index.snapshot();
  t.false(isNew());
  index.shrink();
  t.false(isNew());
  const other = open();
  t.is(other.generation, index.generation);
  other.close();
  index.close();
});
