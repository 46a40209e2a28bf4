import { isDeepStrictEqual } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import type { Engine, SearchQuery, WriteOperation } from '../../../src/engines/engine.ts';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { isJsonObject } from '../../../src/lib/json/json.ts';
import { openNaiveEngine } from '../naive.ts';
import { randomDocument, seeded, type Random } from '../random-documents.ts';
import { shrink, type EngineCase } from '../shrink.ts';
import { comparableMapping, comparableQuery, exact, isUnaskable } from './comparable-query.ts';
import { onServers } from './on-servers.ts';

/** Queries in all for each number of shards (half of them for one shard), and the first seed to repeat a failure with. */
const cases = Number(process.env['ENGINE_CASES'] ?? 400);
const firstSeed = Number(process.env['FUZZ_SEED'] ?? 1);
const queriesEach = 100;
/** How long a failing case is made smaller. */
const shrinkingMs = 60_000;

await onServers((server, engine) => {
  for (const shards of [1, 5])
    test.serial(`${server.name}: answers as the naive engine over shards: ${shards}`, async (t) => {
      t.timeout(300_000 + shrinkingMs + cases * 400);
      const ofShards = shards === 1 ? cases / 2 : cases;
      const seeds = Array.from(
        { length: Math.ceil(ofShards / queriesEach) },
        (_, index) => firstSeed + index,
      );
      t.log(`seeds ${seeds[0]} to ${seeds.at(-1)}; FUZZ_SEED=n ENGINE_CASES=${queriesEach} repeats one`);
      for (const seed of seeds)
        await compareCollection(t, { engine, naive: openNaiveEngine(), shards }, seed);
    });
});

/** Both engines, over the same writes. */
interface Pair {
  readonly engine: Engine;
  readonly naive: Engine;
  readonly shards: number;
}

const compareCollection = async (t: ExecutionContext, pair: Pair, seed: number): Promise<void> => {
  const random = seeded(seed);
  const index = `tributary-random-${pair.shards}`;
  const operations = Array.from({ length: 90 }, () => randomOperation(random));
  const [got, expected] = await filled(pair, index, operations);
  t.deepEqual(got, expected, `seed ${seed}: ${JSON.stringify(operations)}`);
  for (let number = 0; number < queriesEach; number += 1) {
    const query = comparableQuery(random);
    if (isUnaskable(query)) continue;
    const difference = await differenceIn(pair, index, query);
    if (difference === null) continue;
    const until = performance.now() + shrinkingMs;
    const smallest = await shrink(
      { operations, query },
      async (attempt) => performance.now() < until && differs(pair, attempt),
    );
    t.deepEqual(difference[0], difference[1], `seed ${seed}, query ${number}: ${JSON.stringify(smallest)}`);
  }
};

/** Writes to an index made anew in both engines. @returns the outcomes of the operations in each */
const filled = async (
  { engine, naive, shards }: Pair,
  index: string,
  operations: readonly WriteOperation[],
): Promise<readonly (readonly string[])[]> => {
  const settings = { number_of_shards: shards, number_of_replicas: 0 };
  return Promise.all(
    [engine, naive].map(async (one) => {
      await one.manage({ kind: 'delete', index });
      await one.manage({ kind: 'create', index, mapping: comparableMapping, settings });
      const outcomes = await one.write(index, operations);
      return outcomes.map(({ status }) => status);
    }),
  );
};

const randomOperation = (random: Random): WriteOperation => {
  const id = `d${random.below(40)}`;
  if (random.chance(0.1)) return { kind: 'delete', id };
  return { kind: 'upsert', id, document: exact({ ...randomDocument(random), key: id }) };
};

/** What the engines answer when it is not the same; of pages also what comes after their first hit. */
const differenceIn = async (
  { engine, naive }: Pair,
  index: string,
  query: SearchQuery,
): Promise<readonly [unknown, unknown] | null> => {
  const runQuery = (one: Engine): Promise<unknown> => answer(one, index, query);
  const [got, expected] = await Promise.all([runQuery(engine), runQuery(naive)]);
  return isDeepStrictEqual(got, expected) ? null : [got, expected];
};

/** Whether the engines differ on a case of its own, in an index of its own. */
const differs = async (pair: Pair, { operations, query }: EngineCase): Promise<boolean> => {
  if (isUnaskable(query) || !breaksTies(query)) return false;
  const index = 'tributary-random-attempt';
  await filled(pair, index, operations);
  return (await differenceIn(pair, index, query)) !== null;
};

/** Engines put equal hits in orders of their own. */
const breaksTies = ({ hits }: SearchQuery): boolean =>
  hits === undefined || hits.sort.at(-1)?.field.path === 'key';

const answer = async (engine: Engine, index: string, query: SearchQuery): Promise<unknown> => {
  try {
    const { hits, facets, warnings } = await engine.search(index, query);
    const after = hits?.hits[0]?.cursor;
    const next =
      query.hits === undefined || after === undefined
        ? undefined
        : await engine.search(index, { facets: [], hits: { ...query.hits, offset: 0, searchAfter: after } });
    const page = (found: typeof hits) =>
      found?.hits.map(({ id, cursor }) => ({ id, cursor: cursor.slice(0, -1) }));
    const seen = { total: hits?.total, hits: page(hits), next: page(next?.hits), facets, warnings };
    return JSON.parse(JSON.stringify(seen), comparableValue);
  } catch (error) {
    return error instanceof TributaryError && error.code !== 'ENGINE_ERROR' ? error.code : String(error);
  }
};

/** Without the last digits of sums, and whichever document a bucket shows. */
const comparableValue = (key: string, value: unknown): unknown => {
  if ((key === 'sum' || key === 'avg') && typeof value === 'number') return value.toPrecision(6);
  return key === 'topHit' && isJsonObject(value) ? 'a document' : value;
};
