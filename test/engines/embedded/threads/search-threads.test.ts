import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turnEnd } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import type { Engine, FacetQuery, SearchQuery } from '../../../../src/engines/engine.ts';
import { openEmbeddedEngine } from '../../../../src/engines/embedded/embedded-engine.ts';
import { SearchThreads } from '../../../../src/engines/embedded/threads/search-threads.ts';

const index = 'stones';
const mapping = { properties: { colour: { type: 'keyword' }, weight: { type: 'long' } } };

const newEngine = async (
  t: ExecutionContext,
  open = (dataPath: string): Engine => openEmbeddedEngine(dataPath),
): Promise<Engine> => {
  const dataPath = await mkdtemp(join(tmpdir(), 'tributary-'));
  const engine = open(dataPath);
  t.teardown(async () => {
    await engine.close();
    await rm(dataPath, { recursive: true });
  });
  await engine.manage({ kind: 'create', index, mapping });
  return engine;
};

const weight = { path: 'weight', type: 'long', nestedIn: [] };
const newest: SearchQuery = {
  hits: {
    filter: { kind: 'all' },
    size: 1,
    offset: 0,
    sort: [{ field: weight, order: 'desc', missing: 'last', mode: 'max' }],
    searchAfter: null,
    source: null,
    trackTotal: true,
  },
  facets: [],
};

const write = (engine: Engine, first: number, count: number, colour: string) =>
  engine.write(
    index,
    Array.from({ length: count }, (_, i) => ({
      kind: 'upsert' as const,
      id: `stone ${(first + i) % 300}`,
      document: { colour, weight: first + i },
    })),
  );

test('searches at once each see every write that was acknowledged before them', async (t) => {
  const engine = await newEngine(t);
  await write(engine, 0, 300, 'grey');
  for (let round = 1; round <= 40; round++) {
    await write(engine, 300 * round, 1 + (round % 7), `colour ${round}`);
    const last = 300 * round + (round % 7);
    for (let wave = 0; wave < 2; wave++) {
      const answers = await Promise.all(Array.from({ length: 8 }, () => engine.search(index, newest)));
      for (const { hits } of answers) {
        t.is(hits!.total, 300);
        t.deepEqual(hits!.hits[0]!.source, { colour: `colour ${round}`, weight: last }, `round ${round}`);
      }
    }
  }
});

test('searches beside writes see a state between two writes, never half of one', async (t) => {
  const engine = await newEngine(t);
  await write(engine, 0, 300, 'colour 0');
  const colours: SearchQuery = {
    facets: [
      {
        field: { path: 'colour', type: 'keyword', nestedIn: [] },
        filter: { kind: 'all' },
        objects: {},
        measure: { kind: 'terms', size: null },
      },
    ],
  };
  let done = false;
  const readers = Array.from({ length: 6 }, async () => {
    let answered = 0;
    for (; !done; answered++) {
      const [facet] = (await engine.search(index, colours)).facets;
      // each write gives all stones one colour
      t.deepEqual(facet!.kind === 'terms' && facet!.buckets.map(({ count }) => count), [300]);
    }
    return answered;
  });
  for (let round = 1; round <= 30; round++) await write(engine, 300 * round, 300, `colour ${round}`);
  done = true;
  for (const answered of await Promise.all(readers)) t.true(answered > 0);
});

test('an error keeps its details on the way from its thread', async (t) => {
  const engine = await newEngine(t);
  await write(engine, 0, 300, 'grey');
  const measure = { kind: 'histogram', interval: 1e-3 } as const;
  const facet: FacetQuery = { field: weight, filter: { kind: 'all' }, objects: {}, measure };
  const error = await t.throwsAsync(engine.search(index, { facets: [facet] }));
  t.like(error, { code: 'BAD_USER_INPUT', details: { field: 'weight', smallestInterval: 1 } });
});

/** A thread whose answers the test sends. */
const scriptedThread = () => {
  const requested: { readonly kind: string; readonly answer: (value: unknown) => void }[] = [];
  return {
    pending: 0,
    call: ({ kind }: { readonly kind: string }) =>
      new Promise<unknown>((answer) => void requested.push({ kind, answer })),
    close: async () => {},
    kinds: () => requested.map(({ kind }) => kind),
    answer: async (kind: string, value: unknown) => {
      requested.findLast((one) => one.kind === kind)!.answer(value);
      await turnEnd();
    },
  };
};

test('a search beside a description takes no reader, one beside a search does', async (t) => {
  const owner = scriptedThread();
  const reader = scriptedThread();
  const threads = new SearchThreads('', 1, { writer: owner, readers: [reader] });
  owner.pending = 1;
  void threads.call({ kind: 'describe', index });
  void threads.search(index, newest);
  await turnEnd();
  t.deepEqual(owner.kinds(), ['describe', 'search']);
  owner.pending = 2;
  void threads.search(index, newest);
  await turnEnd();
  t.deepEqual(owner.kinds(), ['describe', 'search', 'share', 'search']);
});

test('a reader that received the index while it was written to is not used', async (t) => {
  const owner = scriptedThread();
  const reader = scriptedThread();
  const threads = new SearchThreads('', 1, { writer: owner, readers: [reader] });
  owner.pending = 1;
  void threads.search(index, newest);
  await owner.answer('share', { token: 'before' });
  const written = threads.change({ kind: 'write', index, operations: [] });
  await owner.answer('write', []);
  await written;
  await reader.answer('attach', undefined);
  void threads.search(index, newest);
  await turnEnd();
  t.deepEqual(reader.kinds(), ['attach', 'forget']);
  t.deepEqual(
    owner.kinds().filter((kind) => kind === 'search'),
    ['search', 'search'],
  );
});

test('the thread that writes is closed although one that reads died', async (t) => {
  const closed: string[] = [];
  const thread = (name: string, failure?: Error) => ({
    pending: 0,
    call: () => Promise.resolve(null),
    close: () => (failure === undefined ? Promise.resolve(void closed.push(name)) : Promise.reject(failure)),
  });
  const readers = [thread('reader', new Error('died')), thread('other')];
  const threads = new SearchThreads('/nowhere', 2, { writer: thread('writer'), readers });
  await t.throwsAsync(threads.close(), { message: 'died' });
  t.deepEqual(closed, ['other', 'writer']);
});
