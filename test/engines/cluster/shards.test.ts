import test from 'ava';
import type { Engine, FacetQuery, HitsQuery } from '../../../src/engines/engine.ts';
import type { Measure } from '../../../src/engines/measure.ts';
import { all } from '../../../src/sqon/filter.ts';
import { field, sort } from '../cases/case.ts';
import { onServers } from './on-servers.ts';

const index = 'tributary-shards';
const documents = 6_000;
const window = 1_000;
const word = field('word', 'keyword');
const number = field('number', 'long');
const inner = field('parts.word', 'keyword', 'parts');
const group = field('group', 'integer');
const key = field('_id', '_id');

/** Frequent words and a long tail of rare ones, spread unevenly: what shards send of their own first ones misleads. */
const wordAt = (index: number): string =>
  index % 3 === 0 ? `often${(index / 3) % 40}` : `rare${(index * 7919) % 2_900}`;
const documentAt = (index: number) => ({
  word: wordAt(index),
  number: index % 3 === 0 ? (index / 3) % 40 : 1_000 + ((index * 7919) % 2_900),
  parts: [{ word: wordAt(index) }, { word: wordAt(index + 3) }],
  group: index % 7,
});

/** How often each value occurs, most frequent first, then by bytes. */
const counted = (valuesOf: (index: number) => readonly string[]): readonly (readonly [string, number])[] => {
  const counts = new Map<string, number>();
  for (let index = 0; index < documents; index += 1)
    for (const value of new Set(valuesOf(index))) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(
    ([left, few], [right, many]) => many - few || Buffer.compare(Buffer.from(left), Buffer.from(right)),
  );
};

await onServers((server, engine) => {
  test.before(() => fill(engine));

  for (const [name, on, valuesOf] of [
    ['keywords', word, (index: number) => [wordAt(index)]],
    ['numbers', number, (index: number) => [String(documentAt(index).number)]],
    ['nested keywords', inner, (index: number) => documentAt(index).parts.map((part) => part.word)],
  ] as const)
    test(`${server.name}: counts of ${name} are exact over 5 shards`, async (t) => {
      const all = counted(valuesOf);
      for (const more of [{ distinct: false, missing: false }, { distinct: false }, {}] as const)
        for (const size of [3, 50, 200]) {
          const measure: Measure = { kind: 'terms', size, ...more };
          const [result] = await facetsOf(engine, { field: on, measure });
          if (result?.kind !== 'terms') return t.fail();
          t.deepEqual(
            result.buckets.map((bucket) => [bucket.key, bucket.count]),
            all.slice(0, size).map(([value, count]) => [value, count]),
            JSON.stringify(measure),
          );
          if (!('distinct' in more)) t.is(result.distinct, all.length);
        }
    });

  test(`${server.name}: the index's own window is read, and pages behind it are walked to`, async (t) => {
    await engine.describe(index);
    const near = await pageOf(engine, { sort: [sort(group), sort(number)], offset: 900, size: 100 });
    const deep = await pageOf(engine, { sort: [sort(group), sort(number)], offset: 950, size: 1_100 });
    t.is(deep.length, 1_100);
    t.deepEqual(
      deep.slice(0, 50).map(({ id }) => id),
      near.slice(50).map(({ id }) => id),
    );
    t.is(new Set(deep.map(({ id }) => id)).size, 1_100);
  });

  for (const [name, by] of [
    ['a sort with many ties', [sort(group)]],
    ['no sort', []],
    ['keys', [sort(key)]],
    ['keys within ties, downwards', [sort(group, 'desc'), sort(key, 'desc')]],
  ] as const)
    test(`${server.name}: cursors over ${name} skip and repeat nothing`, async (t) => {
      const seen: string[] = [];
      let searchAfter: HitsQuery['searchAfter'] = null;
      for (;;) {
        const hits: Awaited<ReturnType<typeof pageOf>> = await pageOf(engine, {
          sort: by,
          size: 700,
          searchAfter,
        });
        seen.push(...hits.map(({ id }) => id));
        if (hits.length < 700) break;
        searchAfter = hits.at(-1)!.cursor;
      }
      t.is(seen.length, documents);
      t.is(new Set(seen).size, documents);
      if (name === 'keys') t.deepEqual(seen, [...seen].sort());
      const place = (id: string) => [-(Number(id) % 7), id] as const;
      if (name.startsWith('keys within'))
        t.deepEqual(
          seen,
          [...seen].sort((left, right) => place(left)[0] - place(right)[0] || (left < right ? 1 : -1)),
        );
    });

  test.serial(`${server.name}: pages stay in order over a merge of the index's segments`, async (t) => {
    const query = { sort: [sort(group)], size: 900 };
    const first = await pageOf(engine, query);
    const before = await pageOf(engine, { ...query, searchAfter: first.at(-1)!.cursor });
    await fetch(`${server.url}/${index}/_forcemerge?max_num_segments=1`, { method: 'POST' });
    const after = await pageOf(engine, { ...query, searchAfter: first.at(-1)!.cursor });
    const ids = (hits: typeof first) => hits.map(({ id }) => id);
    t.is(new Set([...ids(first), ...ids(after)]).size, 1_800);
    t.deepEqual([...ids(after)].sort(), [...ids(before)].sort());
  });

  test.serial(`${server.name}: an alias takes an index's name in one step`, async (t) => {
    const [old, fresh] = [`${index}-name`, `${index}-fresh`];
    for (const name of [old, fresh]) {
      await engine.manage({ kind: 'delete', index: name });
      await engine.manage({ kind: 'create', index: name, mapping: {} });
    }
    await engine.manage({ kind: 'alias', alias: old, indices: [fresh], replacesIndex: true });
    t.deepEqual((await engine.describe(old)).indices, [fresh]);
    await engine.manage({ kind: 'delete', index: fresh });
    await t.throwsAsync(engine.describe(old), { code: 'index_not_found' });
  });

  test(`${server.name}: an index describes the settings another can be made with`, async (t) => {
    const copy = `${index}-copy`;
    const { settings, properties } = await engine.describe(index);
    t.like(settings, { number_of_shards: '5', max_result_window: String(window) });
    await engine.manage({ kind: 'delete', index: copy });
    await engine.manage({ kind: 'create', index: copy, mapping: { properties }, settings: settings! });
    t.deepEqual((await engine.describe(copy)).settings, settings);
    await engine.manage({ kind: 'delete', index: copy });
  });

  return async () => {
    await engine.manage({ kind: 'delete', index });
  };
});

const facetsOf = async (engine: Engine, facet: Pick<FacetQuery, 'field' | 'measure'>) =>
  (await engine.search(index, { facets: [{ filter: all, objects: {}, ...facet }] })).facets;

const pageOf = async (engine: Engine, page: Pick<HitsQuery, 'sort' | 'size'> & Partial<HitsQuery>) =>
  (
    await engine.search(index, {
      facets: [],
      hits: { filter: all, offset: 0, searchAfter: null, source: [], trackTotal: false, ...page },
    })
  ).hits!.hits;

const fill = async (engine: Engine): Promise<void> => {
  await engine.manage({ kind: 'delete', index });
  await engine.manage({
    kind: 'create',
    index,
    settings: { number_of_shards: 5, number_of_replicas: 0, max_result_window: window },
    mapping: {
      dynamic: false,
      properties: {
        word: { type: 'keyword' },
        number: { type: 'long' },
        group: { type: 'integer' },
        parts: { type: 'nested', properties: { word: { type: 'keyword' } } },
      },
    },
  });
  for (let from = 0; from < documents; from += 2_000)
    await engine.write(
      index,
      Array.from({ length: 2_000 }, (_, at) => {
        return {
          kind: 'upsert' as const,
          id: String(from + at).padStart(5, '0'),
          document: documentAt(from + at),
        };
      }),
    );
};
