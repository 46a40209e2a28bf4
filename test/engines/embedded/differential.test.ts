import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import type { Engine, SearchQuery, WriteOperation } from '../../../src/engines/engine.ts';
import { openEngine } from '../../../src/engines/open.ts';
import { TributaryError } from '../../../src/errors.ts';
import { openNaiveEngine } from '../naive.ts';
import { mixedMapping, randomDocument, seeded, type Random } from '../random-documents.ts';
import { randomFacet, randomHits } from '../random-queries.ts';

const collections = 20;
const queriesEach = 100;

test('the embedded engine answers as the naive one on random documents and queries', async (t) => {
  const dataPath = await mkdtemp(join(tmpdir(), 'tributary-'));
  let embedded = await openEngine({ kind: 'embedded', dataPath });
  const naive = openNaiveEngine();
  t.teardown(async () => {
    await embedded.close();
    await rm(dataPath, { recursive: true });
  });
  for (let seed = 1; seed <= collections; seed++) {
    const random = seeded(seed);
    const index = `random-${seed}`;
    for (const engine of [embedded, naive])
      await engine.manage({ kind: 'create', index, mapping: mixedMapping });
    for (let batch = 0; batch < 3; batch++) {
      const operations = randomOperations(random);
      const outcomes = await Promise.all([embedded, naive].map((engine) => engine.write(index, operations)));
      t.deepEqual(
        outcomes[0]!.map(({ status }) => status),
        outcomes[1]!.map(({ status }) => status),
      );
    }
    for (let i = 0; i < queriesEach; i++) {
      if (seed % 5 === 0 && i === queriesEach / 2) {
        // the second half from a snapshot
        await embedded.close();
        embedded = await openEngine({ kind: 'embedded', dataPath });
      }
      const query = { hits: randomHits(random), facets: [randomFacet(random), randomFacet(random)] };
      const [got, expected] = await Promise.all([
        answer(embedded, index, query),
        answer(naive, index, query),
      ]);
      t.deepEqual(got, expected, `seed ${seed}, query ${i}: ${JSON.stringify(query)}`);
      const next = await nextPage(random, naive, index, query);
      if (next === null) continue;
      const pages = await Promise.all([answer(embedded, index, next), answer(naive, index, next)]);
      t.deepEqual(pages[0], pages[1], `seed ${seed}, query ${i}, next page: ${JSON.stringify(next)}`);
    }
  }
});

/** Creations, updates and deletions of 40 keys. */
const randomOperations = (random: Random): readonly WriteOperation[] =>
  Array.from({ length: 30 }, (): WriteOperation => {
    const id = `d${random.below(40)}`;
    if (random.chance(0.1)) return { kind: 'delete', id };
    return { kind: 'upsert', id, document: randomDocument(random) };
  });

/** The same query from the cursor of a hit on, with or without its tie-break; null without sort or hits. */
const nextPage = async (random: Random, engine: Engine, index: string, query: SearchQuery) => {
  if (query.hits === undefined || query.hits.sort.length === 0) return null;
  const hits = { ...query.hits, size: 40, offset: 0 };
  const result = await engine.search(index, { hits, facets: [] }).catch(() => null);
  if (!result?.hits || result.hits.hits.length === 0) return null;
  const { cursor } = random.pick(result.hits.hits);
  const searchAfter = random.chance(0.3) ? cursor.slice(0, -1) : cursor;
  return { hits: { ...query.hits, offset: 0, searchAfter }, facets: [] };
};

/** What can be compared: the result without its timing and the last digits of sums, or the error's code. */
const answer = async (engine: Engine, index: string, query: SearchQuery): Promise<unknown> => {
  try {
    const { hits, facets } = await engine.search(index, query);
    return JSON.parse(JSON.stringify({ hits, facets }), (key, value: unknown) =>
      (key === 'sum' || key === 'avg') && typeof value === 'number' ? value.toPrecision(6) : value,
    );
  } catch (error) {
    return error instanceof TributaryError && error.code !== 'ENGINE_ERROR' ? error.code : error;
  }
};
