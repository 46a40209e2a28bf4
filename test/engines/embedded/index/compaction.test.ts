import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { isMostlyDead } from '../../../../src/engines/embedded/index/replay.ts';
import { LiveIndex } from '../../../../src/engines/embedded/index/live-index.ts';
import type { TextOperation } from '../../../../src/engines/embedded/index/write-operation.ts';
import { uninterrupted } from '../../../../src/engines/embedded/columns/search-run.ts';
import { search } from '../../../../src/engines/embedded/query/search.ts';
import { createStore } from '../../../../src/engines/embedded/store/store-file.ts';
import { terms, field } from '../../cases/case.ts';

const mapping = {
  properties: { n: { type: 'integer' }, items: { type: 'nested', properties: { k: { type: 'keyword' } } } },
};

const twoProcesses = async (t: ExecutionContext): Promise<[LiveIndex, LiveIndex]> => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-'));
  const path = join(folder, 'x.sqlite');
  createStore(path, mapping);
  const both = [0, 1].map(() => new LiveIndex(path, join(folder, 'x.snapshot')));
  t.teardown(async () => {
    both.forEach((index) => index.close());
    await rm(folder, { recursive: true });
  });
  return both as [LiveIndex, LiveIndex];
};

const upserts = (from: number, to: number, round: number): readonly TextOperation[] =>
  Array.from({ length: to - from }, (_, i) => ({
    id: `d${from + i}`,
    text: JSON.stringify({ n: round, items: [{ k: `k${i % 7}` }, { k: `r${round}` }] }),
  }));

const idsIn = (index: LiveIndex, round: number): readonly string[] => {
  const inItems = terms(field('items.k', 'keyword', 'items'), `r${round}`);
  const hits = {
    filter: { kind: 'nested', path: 'items', of: inItems },
    size: 20_000,
    offset: 0,
    sort: [],
    searchAfter: null,
    source: [],
    trackTotal: false,
  } as const;
  const { page } = search(index.columns, index.documents, { hits, facets: [] }, uninterrupted);
  return page.map(({ ordinal }) => index.columns.idOf(ordinal));
};

test('the room of deleted documents is freed while both of two processes write', async (t) => {
  const [index, other] = await twoProcesses(t);
  for (let round = 1; round <= 3; round++) index.write(upserts(0, 5_000, round));
  t.true(isMostlyDead(index.columns));
  let steps = 0;
  for (; index.compact(500) && steps < 100; steps++) {
    // each step leaves something to follow: documents it has passed, documents it has not, and new ones
    other.write([...upserts(steps * 10, steps * 10 + 5, 4), { id: `d${4_999 - steps}` }]);
    index.write([...upserts(6_000 + steps, 6_001 + steps, 4), { id: `d${2_500 + steps}` }]);
  }
  t.true(steps >= 10 && steps < 100, String(steps));
  t.false(isMostlyDead(index.columns));
  t.true(index.columns.root.count < 5_200, String(index.columns.root.count));
  for (const one of [index, other]) one.catchUp(Infinity);
  for (const round of [1, 2, 3, 4]) t.deepEqual(idsIn(index, round), idsIn(other, round), `round ${round}`);
  t.is(idsIn(index, 4).length, steps * 6);
  t.deepEqual([index.verify(), other.verify()], [[], []]);
});

test('a mapping that grows meanwhile starts the work anew', async (t) => {
  const [index] = await twoProcesses(t);
  for (let round = 1; round <= 3; round++) index.write(upserts(0, 4_000, round));
  t.true(index.compact(500));
  index.extend({ n: { type: 'integer' }, later: { type: 'keyword' } });
  index.write([{ id: 'new', text: '{"later": "x", "items": {"k": "r9"}}' }]);
  for (let steps = 0; index.compact(500) && steps < 100; steps++);
  t.is(index.columns.root.count, 4_001);
  t.not(index.columns.column('later'), undefined);
  t.deepEqual(idsIn(index, 9), ['new']);
});

test('what is mostly alive is left alone', async (t) => {
  const [index] = await twoProcesses(t);
  index.write(upserts(0, 10_000, 1));
  index.write(upserts(0, 4_000, 2));
  const { columns } = index;
  t.false(index.compact(500));
  t.is(index.columns, columns);
});
