import test from 'ava';
import { readFields } from '../../../src/introspection/mapping/mapping.ts';
import { all } from '../../../src/sqon/filter.ts';
import { exists, field, terms } from '../cases/case.ts';
import { onServers } from './on-servers.ts';

const [one, two, alias] = ['tributary-fields-1', 'tributary-fields-2', 'tributary-fields'];

await onServers((server, engine) => {
  const isElasticsearch = server.name.startsWith('elasticsearch');

  test.serial(`${server.name}: every kind of field is served, or left out with a reason`, async (t) => {
    await engine.manage({ kind: 'delete', index: one });
    await engine.manage({
      kind: 'create',
      index: one,
      settings: { analysis: { normalizer: { small: { type: 'custom', filter: ['lowercase'] } } } },
      mapping: {
        ...(isElasticsearch && { runtime: { doubled: { type: 'keyword' } } }),
        properties: {
          code: {
            type: 'keyword',
            ignore_above: 5,
            fields: { small: { type: 'keyword', normalizer: 'small' } },
          },
          note: { type: 'text', fields: { raw: { type: 'keyword' } } },
          other: { type: 'alias', path: 'code' },
          labels: { type: isElasticsearch ? 'flattened' : 'flat_object' },
          place: { type: 'geo_point' },
          kept: { type: 'object', enabled: false },
          parts: { type: 'nested', properties: { color: { type: 'keyword' } } },
        },
      },
    });
    await engine.write(one, [
      { kind: 'upsert', id: 'a', document: { code: 'Short', note: 'Some words', labels: { x: 1 } } },
      { kind: 'upsert', id: 'b', document: { code: 'much longer', kept: { any: 'thing' } } },
    ]);
    const { properties, warnings: computed = [] } = await engine.describe(one);
    const { fields, warnings } = readFields(properties);
    t.deepEqual([...fields].map(([path, { kind }]) => `${path} ${kind}`).sort(), [
      'code keyword',
      'code.small keyword',
      'kept json',
      'labels flattened',
      'note text',
      'note.raw keyword',
      'other keyword',
      'parts nested',
      'parts.color keyword',
    ]);
    t.is(fields.get('other')?.indexField.path, 'code');
    t.is(warnings.length, 1);
    t.regex(warnings.join(), /"place" of type geo_point is left out/);
    t.is(computed.length, isElasticsearch ? 1 : 0);
    if (isElasticsearch) t.regex(computed[0]!, /^field "doubled" is left out: the search server computes it/);
    const code = field('code', 'keyword');
    const hits = {
      filter: all,
      size: 5,
      offset: 0,
      sort: [],
      searchAfter: null,
      source: null,
      trackTotal: true,
    };
    const measure = { kind: 'terms', size: null } as const;
    const found = await engine.search(one, {
      hits: { ...hits, filter: exists(code) },
      facets: [{ field: code, filter: all, objects: {}, measure }],
    });
    // a value longer than ignore_above is kept but cannot be found
    t.deepEqual(found.facets, [
      { kind: 'terms', buckets: [{ key: 'Short', count: 1 }], distinct: 1, missing: 1 },
    ]);
    t.is(found.hits!.total, 1);
    const word = await engine.search(one, {
      hits: { ...hits, filter: terms(field('note', 'text'), 'words') },
      facets: [],
    });
    t.deepEqual(
      word.hits!.hits.map(({ id, source }) => [id, source['note']]),
      [['a', 'Some words']],
    );
  });

  test.serial(
    `${server.name}: an alias over indexes is their mappings together, and leaves out fields that do not fit`,
    async (t) => {
      await engine.manage({ kind: 'delete', index: two });
      const properties = {
        code: { type: 'keyword' },
        parts: { type: 'nested', properties: { size: { type: 'long' } } },
      };
      await engine.manage({ kind: 'create', index: two, mapping: { properties } });
      await engine.manage({ kind: 'alias', alias, indices: [one, two] });
      const described = await engine.describe(alias);
      t.deepEqual([...described.indices].sort(), [one, two]);
      t.like(described.properties, {
        parts: { type: 'nested', properties: { color: { type: 'keyword' }, size: { type: 'long' } } },
      });
      t.is(described.documents, 2);
      await engine.manage({ kind: 'extend', index: two, properties: { note: { type: 'long' } } });
      const conflicting = await engine.describe(alias);
      t.false('note' in conflicting.properties);
      t.regex(
        conflicting.warnings?.[0] ?? '',
        /^field "note" is left out: it is (text|long) in index tributary-fields-[12] and (text|long) in index tributary-fields-[12]/,
      );
    },
  );

  return async () => {
    for (const index of [one, two]) await engine.manage({ kind: 'delete', index });
  };
});
