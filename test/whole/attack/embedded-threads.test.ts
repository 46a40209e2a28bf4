import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { SearchThreads } from '../../../src/engines/embedded/threads/search-threads.ts';
import type { FacetQuery, SearchQuery } from '../../../src/engines/engine.ts';
import { all } from '../../../src/sqon/filter.ts';

const index = 'stones';
const mapping = { properties: { weight: { type: 'long' }, colour: { type: 'keyword' } } };
const weight = { path: 'weight', type: 'long', nestedIn: [] };

const ranges = Array.from({ length: 1_000 }, (_, from) => ({ key: `from ${from}`, from }));
const facet: FacetQuery = { field: weight, filter: all, objects: {}, measure: { kind: 'range', ranges } };
/** Would take some minutes. */
const endless: SearchQuery = { facets: Array.from({ length: 3_000 }, () => facet) };
const page: SearchQuery = {
  hits: {
    filter: { kind: 'terms', field: { path: 'colour', type: 'keyword', nestedIn: [] }, values: ['red'] },
    size: 3,
    offset: 0,
    sort: [{ field: weight, order: 'desc', missing: 'last', mode: 'max' }],
    searchAfter: null,
    source: null,
    trackTotal: true,
  },
  facets: [],
};
const count = 20_000;

const newThreads = async (t: ExecutionContext, readers: number): Promise<SearchThreads> => {
  const dataPath = await mkdtemp(join(tmpdir(), 'tributary-'));
  const threads = new SearchThreads(dataPath, readers);
  t.teardown(async () => {
    await threads.close();
    await rm(dataPath, { recursive: true });
  });
  await threads.change({ kind: 'manage', action: { kind: 'create', index, mapping } });
  const operations = Array.from({ length: count }, (_, i) => ({
    id: `${i}`,
    text: JSON.stringify({ weight: i, colour: i % 2 === 0 ? 'red' : 'blue' }),
  }));
  await threads.change({ kind: 'write', index, operations });
  return threads;
};

for (const readers of [0, 1]) {
  test(`a cheap question is answered while dear ones are worked on, which stop when nobody waits, beside ${readers} readers`, async (t) => {
    const threads = await newThreads(t, readers);
    const gone = new AbortController();
    // the thread cannot be closed before it has ended what it works on
    t.teardown(() => gone.abort());
    const dear = Array.from({ length: 20 }, () => {
      const options = { signal: gone.signal, cost: 2_000_000 };
      return threads.search(index, endless, options);
    });
    const settled = Promise.allSettled(dear);
    for (let time = 0; time < 5; time++) {
      const reply = await threads.search(index, page, { cost: 1_000 });
      t.is(reply.total, count / 2);
      t.deepEqual(JSON.parse(reply.sources.join()), [
        { weight: 19_998, colour: 'red' },
        { weight: 19_996, colour: 'red' },
        { weight: 19_994, colour: 'red' },
      ]);
    }
    gone.abort();
    for (const { status } of await settled) t.is(status, 'rejected');
    t.is((await threads.search(index, page)).total, count / 2);
  });
}

for (const readers of [0, 1])
  test(`concurrent cheap queries are all answered beside a single expensive one, with ${readers} readers`, async (t) => {
    const threads = await newThreads(t, readers);
    const gone = new AbortController();
    t.teardown(() => gone.abort());
    const options = { signal: gone.signal, cost: 2_000_000 };
    const dear = t.throwsAsync(threads.search(index, endless, options), { code: 'ENGINE_TIMEOUT' });
    for (let time = 0; time < 3; time++) {
      const cheap = Array.from({ length: 8 }, (_, i) => threads.search(index, page, { cost: 1_000 + i }));
      for (const { total } of await Promise.all(cheap)) t.is(total, count / 2);
    }
    gone.abort();
    await dear;
  });

test('a write waits for an expensive query, which sees the state before; then the write is visible', async (t) => {
  const threads = await newThreads(t, 0);
  const gone = new AbortController();
  t.teardown(() => gone.abort());
  const options = { signal: gone.signal, cost: 2_000_000 };
  const dear = t.throwsAsync(threads.search(index, endless, options), { code: 'ENGINE_TIMEOUT' });
  const cost = 1_000;
  // the first may come before it is worked on, the next one interrupts it
  for (let time = 0; time < 2; time++) await threads.search(index, page, { cost });
  const written = threads.change({
    kind: 'write',
    index,
    operations: [{ id: 'new', text: '{"weight":1000000,"colour":"red"}' }],
  });
  const during = await threads.search(index, page, { cost });
  t.is(during.total, count / 2);
  gone.abort();
  await Promise.all([dear, written]);
  t.is((await threads.search(index, page, { cost })).total, count / 2 + 1);
});
