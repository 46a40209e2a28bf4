import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { Engine, SearchQuery } from '../../../src/engines/engine.ts';
import { openEngine } from '../../../src/engines/open.ts';

const index = 'stones';
const mapping = { properties: { colour: { type: 'keyword' }, weight: { type: 'long' } } };

const newEngine = async (t: ExecutionContext): Promise<Engine> => {
  const dataPath = await mkdtemp(join(tmpdir(), 'tributary-'));
  const engine = await openEngine({ kind: 'embedded', dataPath });
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
