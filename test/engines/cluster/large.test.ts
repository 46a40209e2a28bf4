import test from 'ava';
import type { Engine, HitsQuery } from '../../../src/engines/engine.ts';
import { all } from '../../../src/sqon/filter.ts';
import { field, sort, terms } from '../cases/case.ts';
import { onServers } from './on-servers.ts';

const index = 'tributary-large';
const documents = 12_000;
const name = field('name', 'keyword');
const group = field('group', 'integer');
const half = field('half', 'half_float');
const page: HitsQuery = {
  ...{ filter: all, size: 20, offset: 0, sort: [sort(group)] },
  ...{ searchAfter: null, source: ['name'], trackTotal: true },
};

await onServers((server, engine) => {
  test.before(() => fill(engine, server.url));

  test(`${server.name}: more distinct values than one answer holds are counted exactly`, async (t) => {
    const measure = { kind: 'terms', size: 2, filters: [terms(group, 1)] } as const;
    const { facets } = await engine.search(index, {
      facets: [{ field: name, filter: all, objects: {}, measure }],
    });
    t.deepEqual(facets, [
      {
        kind: 'terms',
        buckets: [
          { key: 'twice', count: 2, filtered: [1] },
          { key: 'n00002', count: 1, filtered: [0] },
        ],
        distinct: documents - 1,
        missing: 0,
      },
    ]);
  });

  test(`${server.name}: the number of distinct values says whether it is exact`, async (t) => {
    const measure = { kind: 'cardinality' } as const;
    const { facets } = await engine.search(index, {
      facets: [name, group].map((on) => ({ field: on, filter: all, objects: {}, measure })),
    });
    const [many, few] = facets;
    t.deepEqual(few, { kind: 'cardinality', value: 7, exact: true });
    t.true(
      many?.kind === 'cardinality' && !many.exact && Math.abs(many.value - documents) < documents * 0.02,
    );
  });

  test(`${server.name}: a page past the server's window`, async (t) => {
    const near = await idsOf(engine, { ...page, offset: 9_970 });
    const deep = await engine.search(index, { hits: { ...page, offset: 9_985 }, facets: [] });
    t.is(deep.hits!.total, documents);
    t.is(deep.hits!.hits.length, 20);
    t.deepEqual(
      deep.hits!.hits.slice(0, 5).map(({ id }) => id),
      near.slice(15),
    );
    t.deepEqual(Object.keys(deep.hits!.hits[0]!.source), ['name']);
  });

  for (const on of [group, half])
    test(`${server.name}: pages by cursor neither skip nor repeat a document: ${on.path}`, async (t) => {
      const seen = new Set<string>();
      let searchAfter: HitsQuery['searchAfter'] = null;
      for (;;) {
        const { hits }: Awaited<ReturnType<Engine['search']>> = await engine.search(index, {
          hits: { ...page, sort: [sort(on)], size: 1_700, searchAfter, source: [], trackTotal: false },
          facets: [],
        });
        if (hits!.hits.length === 0) break;
        for (const { id } of hits!.hits) seen.add(id);
        searchAfter = hits!.hits.at(-1)!.cursor;
      }
      t.is(seen.size, documents);
    });

  test(`${server.name}: a terms filter of more values than one clause holds`, async (t) => {
    const values = Array.from({ length: 70_000 }, (_, number) => nameOf(number));
    const { hits } = await engine.search(index, {
      hits: { ...page, size: 0, filter: terms(name, ...values) },
      facets: [],
    });
    t.is(hits!.total, documents - 2);
  });

  test(`${server.name}: an alias, and what is behind it`, async (t) => {
    const alias = `${index}-alias`;
    await engine.manage({ kind: 'alias', alias, indices: [index] });
    const described = await engine.describe(alias);
    t.deepEqual(described.indices, [index]);
    t.is(described.documents, documents);
    t.like(described.properties, { name: { type: 'keyword' }, group: { type: 'integer' } });
    t.deepEqual((await engine.describe(index)).aliases, [alias]);
    await t.throwsAsync(engine.manage({ kind: 'create', index, mapping: {} }), { code: 'CONFLICT' });
    await t.throwsAsync(engine.manage({ kind: 'extend', index, properties: { name: { type: 'long' } } }), {
      code: 'CONFLICT',
    });
    await engine.manage({ kind: 'extend', index, properties: { more: { type: 'date' } } });
    t.like((await engine.describe(index)).properties, { more: { type: 'date' } });
  });

  test(`${server.name}: no such index`, async (t) => {
    await t.throwsAsync(engine.describe('tributary-nothing'), { code: 'index_not_found' });
    await t.throwsAsync(engine.search('tributary-nothing', { hits: page, facets: [] }), {
      code: 'index_not_found',
    });
  });
});

const nameOf = (number: number): string => `n${String(number).padStart(5, '0')}`;

/** Each name once, but for two documents. */
const fill = async (engine: Engine, url: string): Promise<void> => {
  await engine.manage({ kind: 'delete', index });
  const made = await fetch(`${url}/${index}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      settings: { number_of_shards: 3, number_of_replicas: 0 },
      mappings: {
        dynamic: false,
        properties: { name: { type: 'keyword' }, group: { type: 'integer' }, half: { type: 'half_float' } },
      },
    }),
  });
  if (!made.ok) throw new Error(await made.text());
  for (let from = 0; from < documents; from += 4_000)
    await engine.write(
      index,
      Array.from({ length: 4_000 }, (_, index) => ({
        kind: 'upsert' as const,
        id: String(from + index),
        document: {
          name: from + index < 2 ? 'twice' : nameOf(from + index),
          group: (from + index) % 7,
          ...((from + index) % 7 !== 3 && { half: (((from + index) * 7_919) % 401) / 4 - 50 }),
        },
      })),
    );
};

const idsOf = async (engine: Engine, hits: HitsQuery): Promise<readonly string[]> =>
  (await engine.search(index, { hits, facets: [] })).hits!.hits.map(({ id }) => id);
