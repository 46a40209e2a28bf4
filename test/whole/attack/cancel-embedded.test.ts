import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { SearchThreads } from '../../../src/engines/embedded/threads/search-threads.ts';
import type { FacetQuery, SearchQuery } from '../../../src/engines/engine.ts';
import { all } from '../../../src/sqon/filter.ts';

const index = 'stones';
const mapping = { properties: { weight: { type: 'long' } } };
const weight = { path: 'weight', type: 'long', nestedIn: [] };

const ranges = Array.from({ length: 1_000 }, (_, from) => ({ key: `from ${from}`, from }));
const facet: FacetQuery = { field: weight, filter: all, objects: {}, measure: { kind: 'range', ranges } };
/** Would take some minutes. */
const endless: SearchQuery = { facets: Array.from({ length: 3_000 }, () => facet) };
const quick: SearchQuery = {
  facets: [{ field: weight, filter: all, objects: {}, measure: { kind: 'cardinality' } }],
};
const count = 20_000;

const newThreads = async (t: ExecutionContext): Promise<SearchThreads> => {
  const dataPath = await mkdtemp(join(tmpdir(), 'tributary-'));
  const threads = new SearchThreads(dataPath, 0);
  t.teardown(async () => {
    await threads.close();
    await rm(dataPath, { recursive: true });
  });
  await threads.change({ kind: 'manage', action: { kind: 'create', index, mapping } });
  const operations = Array.from({ length: count }, (_, i) => ({ id: `${i}`, text: `{"weight":${i}}` }));
  await threads.change({ kind: 'write', index, operations });
  return threads;
};

const isStillWorking = async (threads: SearchThreads): Promise<boolean> => {
  const [facet] = (await threads.search(index, quick)).facets;
  return facet?.kind !== 'cardinality' || facet.value !== count;
};

test('a search whose client has gone is not worked on any more', async (t) => {
  const threads = await newThreads(t);
  const client = new AbortController();
  const cost = 2_000_000;
  const search = threads.search(index, endless, { signal: client.signal, cost });
  // a cheap one interrupts it once it is worked on
  while (threads.interruptions === 0) await threads.search(index, quick, { cost: 1_000 });
  client.abort();
  await t.throwsAsync(search, { code: 'ENGINE_TIMEOUT' });
  t.false(await isStillWorking(threads));
  t.is(threads.stopped, 1);
});

test('a search past its deadline is not worked on any more', async (t) => {
  const threads = await newThreads(t);
  await t.throwsAsync(threads.search(index, endless, { timeoutMs: 1_000 }), { code: 'ENGINE_TIMEOUT' });
  t.false(await isStillWorking(threads));
  t.is(threads.stopped, 1);
});

test('searches that are cancelled while queued take no time of the thread', async (t) => {
  const threads = await newThreads(t);
  const client = new AbortController();
  const { signal } = client;
  const searches = Array.from({ length: 40 }, () =>
    threads.search(index, endless, { signal, cost: 2_000_000 }),
  );
  const cost = 1_000;
  while (threads.interruptions === 0) await threads.search(index, quick, { cost });
  client.abort();
  for (const { status } of await Promise.allSettled(searches)) t.is(status, 'rejected');
  t.false(await isStillWorking(threads));
});
