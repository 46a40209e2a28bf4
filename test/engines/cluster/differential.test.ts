import { isDeepStrictEqual } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import type { Engine, SearchQuery, SortKey, WriteOperation } from '../../../src/engines/engine.ts';
import { openEngine } from '../../../src/engines/open.ts';
import { TributaryError } from '../../../src/errors.ts';
import { isJsonObject, type JsonObject } from '../../../src/json.ts';
import { openNaiveEngine } from '../naive.ts';
import { mixedMapping, randomDocument, seeded, type Random } from '../random-documents.ts';
import { randomFacet, randomHits } from '../random-queries.ts';
import { testServers } from './servers.ts';

/** Queries in all, and the first seed to repeat a failure with. */
const cases = Number(process.env['ENGINE_CASES'] ?? 600);
const firstSeed = Number(process.env['FUZZ_SEED'] ?? 1);
const queriesEach = 100;
const index = 'tributary-random';

const servers = await testServers();
if (servers.length === 0) test.skip('no search server', () => undefined);

for (const server of servers) {
  if (server.kind === 'absent') {
    test.skip(`${server.name}: ${server.reason}`, () => undefined);
    continue;
  }
  test.serial(`${server.name}: answers as the naive engine over 5 shards`, async (t) => {
    t.timeout(60_000 + cases * 200);
    const engine = await openEngine({
      ...{ kind: 'detect', url: server.url, user: undefined, password: undefined },
      ...{ apiKey: undefined, caFile: undefined },
    });
    t.teardown(async () => {
      await engine.close();
      await server.stop();
    });
    for (let seed = firstSeed, done = 0; done < cases; seed++, done += queriesEach)
      await compareCollection(t, engine, server.url, seed);
  });
}

const compareCollection = async (
  t: ExecutionContext,
  engine: Engine,
  url: string,
  seed: number,
): Promise<void> => {
  const random = seeded(seed);
  const naive = openNaiveEngine();
  await naive.manage({ kind: 'create', index, mapping: comparableMapping });
  await engine.manage({ kind: 'delete', index });
  await createWithShards(url);
  for (let batch = 0; batch < 3; batch += 1) {
    const operations = Array.from({ length: 30 }, () => randomOperation(random));
    const outcomes = await Promise.all([engine, naive].map((one) => one.write(index, operations)));
    const [got, expected] = outcomes.map((list) => list.map(({ status }) => status));
    t.deepEqual(got, expected, `seed ${seed}: ${JSON.stringify(operations)}`);
  }
  for (let number = 0; number < queriesEach; number += 1) {
    const query = exact(
      comparable({
        hits: randomHits(random),
        facets: [randomFacet(random), randomFacet(random)],
      }),
    );
    if (isUnaskable(query)) continue;
    const [got, expected] = await Promise.all([answer(engine, query), answer(naive, query)]);
    if (!isDeepStrictEqual(got, expected))
      t.deepEqual(got, expected, `seed ${seed}, query ${number}: ${JSON.stringify(query)}`);
  }
};

/** Without types that not every server brings along; these servers read an empty text as the null_value of a number. */
const comparableMapping: JsonObject = {
  ...mixedMapping,
  properties: {
    ...Object.fromEntries(
      Object.entries(mixedMapping['properties'] as JsonObject).filter(
        ([name]) => name !== 'huge' && name !== 'price',
      ),
    ),
    n: { type: 'integer' },
    key: { type: 'keyword' },
  },
};

const createWithShards = async (url: string): Promise<void> => {
  const response = await fetch(`${url}/${index}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      settings: { number_of_shards: 5, number_of_replicas: 0 },
      mappings: comparableMapping,
    }),
  });
  if (!response.ok) throw new Error(await response.text());
};

const randomOperation = (random: Random): WriteOperation => {
  const id = `d${random.below(40)}`;
  if (random.chance(0.1)) return { kind: 'delete', id };
  return { kind: 'upsert', id, document: exact({ ...randomDocument(random), key: id }) };
};

/** With whole numbers past 2^53 as all of their digits: JSON would round them. */
const exact = <Value>(value: Value): Value =>
  JSON.parse(
    JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === 'number' && Number.isInteger(inner) && !Number.isSafeInteger(inner)
        ? BigInt(inner).toString()
        : inner,
    ),
  ) as Value;

/** Engines break ties in their own ways, so the last sort key leaves none. */
const comparable = ({ hits, facets }: SearchQuery): SearchQuery => ({
  facets: facets.filter(({ field }) => field.path !== '_id'),
  hits: {
    ...hits!,
    sort: [
      ...hits!.sort.filter(isComparableKey),
      {
        field: { path: 'key', type: 'keyword', nestedIn: [] },
        order: 'asc',
        missing: 'first',
        mode: 'min',
      },
    ],
    searchAfter: null,
  },
});

/** No sorting by key on Elasticsearch, no median of nested objects; sums and means of floats are floats there. */
const isComparableKey = ({ field, mode }: SortKey): boolean => {
  if (field.path === '_id' || field.type === 'unsigned_long') return false;
  if (mode === 'min' || mode === 'max') return true;
  return !['float', 'half_float'].includes(field.type) && (mode !== 'median' || field.nestedIn.length === 0);
};

/**
 * These servers find documents by their whole key only, take one bound on each side, count a text as there even if
 * it has no token, and have tokens of symbols too.
 */
const isUnaskable = (query: SearchQuery): boolean =>
  unaskable.some((form) => form.test(JSON.stringify(query)));

const unaskable = [
  /"kind":"(pattern|range)","field":\{"path":"_id"/,
  /"gt":[^{}]*"gte":|"lt":[^{}]*"lte":/,
  /"kind":"(exists|range)","field":\{"path":"[^"]*","type":"text"/,
  /"type":"text","nestedIn":[^\]]*\]\},"(pattern|values":\[[^\]]*[^ -~])/,
];

const answer = async (engine: Engine, query: SearchQuery): Promise<unknown> => {
  try {
    const { hits, facets, warnings } = await engine.search(index, query);
    return JSON.parse(
      JSON.stringify({
        total: hits?.total,
        hits: hits?.hits.map(({ id, cursor }) => ({ id, cursor: cursor.slice(0, -1) })),
        facets,
        warnings,
      }),
      comparableValue,
    );
  } catch (error) {
    return error instanceof TributaryError ? error.code : String(error);
  }
};

/** Without the last digits of sums, and whichever document a bucket shows. */
const comparableValue = (key: string, value: unknown): unknown => {
  if ((key === 'sum' || key === 'avg') && typeof value === 'number') return value.toPrecision(6);
  return key === 'topHit' && isJsonObject(value) ? 'a document' : value;
};
