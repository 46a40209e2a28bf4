import test from 'ava';
import type { Engine, HitsQuery, SortKey } from '../../../src/engines/engine.ts';
import { all } from '../../../src/sqon/filter.ts';
import { field, sort } from '../cases/case.ts';
import { onServers } from './on-servers.ts';

const alias = 'tributary-several';
const indexes = ['tributary-several-3', 'tributary-several-1', 'tributary-several-2'];
const ids = ['1', '10', '2', '7', '8', '9', '9#a'];
const [key, number, group] = [field('_id', '_id'), field('n', 'integer'), field('group', 'keyword')];

const sorts: Readonly<Record<string, readonly SortKey[]>> = {
  'no sort': [],
  'a number they share': [sort(number)],
  keys: [sort(key)],
  'keys, downwards': [sort(key, 'desc')],
  'keys within ties': [sort(group, 'desc'), sort(key)],
  'keys before another': [sort(key), sort(group)],
};

await onServers((server, engine) => {
  test.before(() => fill(engine));

  for (const [name, by] of Object.entries(sorts))
    for (const isDescribed of [true, false])
      test.serial(
        `${server.name}: pages over equal keys, by ${name}${isDescribed ? '' : ', undescribed'}`,
        async (t) => {
          // what an alias stands for is known once it was described
          const name = isDescribed ? alias : indexes.join(',');
          if (isDescribed) await engine.describe(alias);
          for (const size of [1, 2, 3, 5]) {
            const seen = await walked(engine, name, by, size);
            t.deepEqual(seen.toSorted(), expected.toSorted(), `pages of ${size}`);
          }
        },
      );

  return async () => {
    for (const index of indexes) await engine.manage({ kind: 'delete', index });
  };
});

const expected = indexes.flatMap((index) => ids.map((id) => `${index} ${id}`));

const walked = async (
  engine: Engine,
  name: string,
  by: readonly SortKey[],
  size: number,
): Promise<readonly string[]> => {
  const seen: string[] = [];
  let searchAfter: HitsQuery['searchAfter'] = null;
  for (;;) {
    const { hits } = await engine.search(name, {
      facets: [],
      hits: { filter: all, offset: 0, size, sort: by, searchAfter, source: null, trackTotal: false },
    });
    seen.push(...hits!.hits.map(({ source }) => String(source['label'])));
    if (hits!.hits.length < size || seen.length > 100) return seen;
    searchAfter = hits!.hits.at(-1)!.cursor;
  }
};

const fill = async (engine: Engine): Promise<void> => {
  for (const [at, index] of indexes.entries()) {
    await engine.manage({ kind: 'delete', index });
    await engine.manage({
      kind: 'create',
      index,
      settings: { number_of_shards: 1 + at, number_of_replicas: 0 },
      mapping: {
        properties: { label: { type: 'keyword' }, group: { type: 'keyword' }, n: { type: 'integer' } },
      },
    });
    await engine.write(
      index,
      ids.map((id, place) => ({
        kind: 'upsert' as const,
        id,
        document: { label: `${index} ${id}`, group: place % 2 === 0 ? 'even' : 'odd', n: 5 },
      })),
    );
  }
  await engine.manage({ kind: 'alias', alias, indices: indexes });
};
