import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import type { Engine, SearchQuery, WriteOperation } from '../../../src/engines/engine.ts';
import { openEngine } from '../../../src/engines/open/open-engine.ts';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { compileSqon } from '../../../src/sqon/compile.ts';
import type { Filter } from '../../../src/sqon/filter.ts';
import { all } from '../../../src/sqon/filter.ts';
import { parseSqon } from '../../../src/sqon/parse.ts';
import { openNaiveEngine } from '../naive.ts';
import { mixedMapping, randomDocument, seeded, type Random } from '../random-documents.ts';
import { randomFacet, randomHits } from '../random-queries.ts';
import { mixedCatalogue, randomSqon } from '../random-sqon.ts';
import { shrink, type EngineCase } from '../shrink.ts';

/** Queries in all, ENGINE_CASES=10000 for the full measure, and the first seed to repeat a failure with. */
const cases = Number(process.env['ENGINE_CASES'] ?? 167);
const firstSeed = Number(process.env['FUZZ_SEED'] ?? 1);
const queriesEach = 100;
/** Queries that are under way together: the engine's own thread is busy then, so that some go to its readers. */
const atOnce = 10;

/** Both engines, over the same writes. */
interface Pair {
  embedded: Engine;
  readonly naive: Engine;
  readonly dataPath: string;
}

test('the embedded engine answers as the naive one on random documents and queries', async (t) => {
  t.timeout(5 * 60_000 + cases * 100);
  const dataPath = await mkdtemp(join(tmpdir(), 'tributary-'));
  const pair: Pair = {
    embedded: unnamed(await openEngine({ kind: 'embedded', dataPath })),
    naive: openNaiveEngine(),
    dataPath,
  };
  t.teardown(async () => {
    await pair.embedded.close();
    await rm(dataPath, { recursive: true });
  });
  for (let done = 0, seed = firstSeed; done < cases; done += queriesEach, seed++) {
    await compareCollection(t, pair, seed, Math.min(queriesEach, cases - done));
  }
});

const compareCollection = async (
  t: ExecutionContext,
  pair: Pair,
  seed: number,
  queries: number,
): Promise<void> => {
  const random = seeded(seed);
  const index = `random-${seed}`;
  const operations = await filledIndex(t, pair, random, index);
  for (let i = 0; i < queries; i += atOnce) {
    if (seed % 5 === 0 && i === 50) {
      // the second half from a snapshot
      await pair.embedded.close();
      pair.embedded = unnamed(await openEngine({ kind: 'embedded', dataPath: pair.dataPath }));
    }
    const requested: SearchQuery[] = [];
    for (let k = 0; k < Math.min(atOnce, queries - i); k++) {
      const query = randomQuery(random);
      const next = await nextPage(random, pair.naive, index, query);
      requested.push(query, ...(next === null ? [] : [next]));
    }
    const differences = await Promise.all(requested.map((query) => differenceIn(pair, index, query)));
    for (const [k, difference] of differences.entries()) {
      if (difference === null) continue;
      const found = { operations, query: requested[k]! };
      const smallest = await shrink(found, (attempt) => differs(pair, attempt));
      t.deepEqual(difference[0], difference[1], `seed ${seed}, query ${i}: ${JSON.stringify(smallest)}`);
    }
  }
  for (const engine of [pair.embedded, pair.naive]) await engine.manage({ kind: 'delete', index });
};

/** Creations, updates and deletions of 40 keys in three batches, whose outcomes must be the same too. */
const filledIndex = async (
  t: ExecutionContext,
  { embedded, naive }: Pair,
  random: Random,
  index: string,
): Promise<readonly WriteOperation[]> => {
  for (const engine of [embedded, naive])
    await engine.manage({ kind: 'create', index, mapping: mixedMapping });
  const batches = [0, 1, 2].map(() => Array.from({ length: 30 }, () => randomOperation(random)));
  for (const operations of batches) {
    const outcomes = await Promise.all([embedded, naive].map((engine) => engine.write(index, operations)));
    const [got, expected] = outcomes.map((list) => list.map(({ status }) => status));
    t.deepEqual(got, expected, `${index}: ${JSON.stringify(operations)}`);
  }
  return batches.flat();
};

const randomOperation = (random: Random): WriteOperation => {
  const id = `d${random.below(40)}`;
  return random.chance(0.1)
    ? { kind: 'delete', id }
    : { kind: 'upsert', id, document: randomDocument(random) };
};

/** A page and two facets; half of the filters come from a filter as clients write it. */
const randomQuery = (random: Random): SearchQuery => {
  const hits = randomHits(random);
  const facets = [randomFacet(random), randomFacet(random)];
  const filter = random.chance(0.5) ? compiledSqon(random) : null;
  if (filter === null) return { hits, facets };
  return { hits: { ...hits, filter }, facets: facets.map((facet) => ({ ...facet, filter })) };
};

/** An engine whose cursors do not name the index, so that they compare with those of another. */
const unnamed = (engine: Engine): Engine => {
  const nameOf = async (index: string): Promise<string> => {
    const hits = { filter: all, size: 1, offset: 0, sort: [], searchAfter: null, source: [] };
    const answer = await engine.search(index, { hits: { ...hits, trackTotal: false }, facets: [] });
    return String(answer.hits?.hits[0]?.cursor[0]).replace(/^.*@/, '@');
  };
  return {
    ...engine,
    search: async (index, query, options) => {
      const { searchAfter = null, sort = [] } = query.hits ?? {};
      const isWhole = searchAfter !== null && searchAfter.length > sort.length;
      const after = isWhole
        ? [...searchAfter.slice(0, -1), `${searchAfter.at(-1)}${await nameOf(index)}`]
        : searchAfter;
      const own = query.hits ? { ...query, hits: { ...query.hits, searchAfter: after } } : query;
      const result = await engine.search(index, own, options);
      if (result.hits === undefined) return result;
      const hits = result.hits.hits.map((hit) => {
        const tieBreak = String(hit.cursor.at(-1)).replace(/@[\w-]+$/, '');
        const printed = /^\d+$/.test(tieBreak) ? Number(tieBreak) : tieBreak;
        return { ...hit, cursor: [...hit.cursor.slice(0, -1), printed] };
      });
      return { ...result, hits: { ...result.hits, hits } };
    },
  };
};

/** null for a filter that does not fit the fields. */
const compiledSqon = (random: Random): Filter | null => {
  const sqon = randomSqon(random, 3);
  try {
    return compileSqon(parseSqon(sqon), mixedCatalogue);
  } catch (error) {
    if (error instanceof TributaryError && error.code === 'BAD_USER_INPUT') return null;
    throw error;
  }
};

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

/** What the engines answer when it is not the same. */
const differenceIn = async (
  { embedded, naive }: Pair,
  index: string,
  query: SearchQuery,
): Promise<readonly [unknown, unknown] | null> => {
  const [got, expected] = await Promise.all([answer(embedded, index, query), answer(naive, index, query)]);
  return isDeepStrictEqual(got, expected) ? null : [got, expected];
};

/** Whether the engines differ on a case of its own, in an index of its own. */
const differs = async (pair: Pair, { operations, query }: EngineCase): Promise<boolean> => {
  const index = 'attempt';
  const both = [pair.embedded, pair.naive];
  for (const engine of both) await engine.manage({ kind: 'create', index, mapping: mixedMapping });
  for (const engine of both) await engine.write(index, operations);
  const difference = await differenceIn(pair, index, query);
  for (const engine of both) await engine.manage({ kind: 'delete', index });
  return difference !== null;
};

/** What can be compared: the result without its timing and the last digits of sums, or the error's code. */
const answer = async (engine: Engine, index: string, query: SearchQuery): Promise<unknown> => {
  try {
    const { hits, facets } = await engine.search(index, query);
    return JSON.parse(JSON.stringify({ hits, facets }), (key, value: unknown) =>
      (key === 'sum' || key === 'avg') && typeof value === 'number' ? value.toPrecision(6) : value,
    );
  } catch (error) {
    return error instanceof TributaryError && error.code !== 'ENGINE_ERROR' ? error.code : String(error);
  }
};
