import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { openEngine } from '../../src/engines/open/open-engine.ts';
import { readFields } from '../../src/introspection/mapping/mapping.ts';
import type { JsonObject } from '../../src/lib/json/json.ts';
import type { CatalogueQuery } from '../../src/search/query.ts';
import { catalogueSearch } from '../../src/local/search/search.ts';
import { bookConfig, contextWith } from './catalogue-fixture.ts';

const properties: JsonObject = {
  a: { properties: { b: { type: 'long' } } },
  items: { type: 'nested', properties: { part: { properties: { n: { type: 'long' } } } } },
  raw: { type: 'object', enabled: false },
};

const dataPath = await mkdtemp(join(tmpdir(), 'tributary-'));
const engine = await openEngine({ kind: 'embedded', dataPath });

test.after.always(async () => {
  await engine.close();
  await rm(dataPath, { recursive: true });
});

const query = (changes: Partial<CatalogueQuery>): CatalogueQuery => ({
  filters: null,
  filterThemselves: false,
  includeMissing: true,
  facets: [],
  hits: null,
  ...changes,
});

const hits = { first: 10, offset: 0, sort: [], searchAfter: null, trackTotal: true, fields: null };

/** Writes one document as it is and gives the search over it. */
const searchOver = async (index: string, mapped: JsonObject, document: JsonObject, prefix: string | null) => {
  await engine.manage({ kind: 'create', index, mapping: { properties: mapped } });
  await engine.write(index, [{ kind: 'upsert', id: '1', document }]);
  const { fields } = readFields(mapped, { nestingPrefix: prefix });
  const config = { ...bookConfig(), nestingPrefix: prefix };
  return catalogueSearch({ config, index, fields, engine, settings: {} });
};

test('hits show keys with dots as objects, and what is opaque as it is stored', async (t) => {
  const stored = { 'a.b': 1, a: { b: 2, c: 3 }, raw: { 'x.y': 1 }, 'other.key': 4 };
  const search = await searchOver('hits', properties, stored, null);
  const answer = await search(query({ hits }), contextWith(null));
  t.deepEqual(
    answer.hits.map(({ source }) => source),
    [{ a: { b: [1, 2], c: 3 }, raw: { 'x.y': 1 }, other: { key: 4 } }],
  );
});

test('fields that are requested by name come out of keys with dots', async (t) => {
  const search = await searchOver('named', properties, { 'a.b': 1, 'items.part.n': 2 }, null);
  const answer = await search(query({ hits: { ...hits, fields: ['a.b', 'items'] } }), contextWith(null));
  t.deepEqual(
    answer.hits.map(({ source }) => source),
    [{ a: { b: 1 }, items: { part: { n: 2 } } }],
  );
});

test('a key with dots may reach below a nesting prefix', async (t) => {
  const search = await searchOver(
    'prefixed',
    { doc: { properties } },
    { 'doc.a.b': 1, 'doc.raw': { 'x.y': 1 } },
    'doc',
  );
  const answer = await search(query({ hits }), contextWith(null));
  t.deepEqual(
    answer.hits.map(({ source }) => source),
    [{ a: { b: 1 }, raw: { 'x.y': 1 } }],
  );
});

test('top hits show keys with dots as objects, those of nested facets too', async (t) => {
  const stored = { 'a.b': 1, items: [{ 'part.n': 5 }] };
  const search = await searchOver('top', properties, stored, null);
  const measure = { kind: 'terms', max: null, topHits: { source: null, size: 1 } } as const;
  const { facets } = await search(
    query({
      facets: [
        { field: 'a.b', measure },
        { field: 'items.part.n', measure },
      ],
    }),
    contextWith(null),
  );
  t.deepEqual(
    facets.map((facet) => facet.kind === 'terms' && facet.buckets.map(({ topHit }) => topHit)),
    [[{ a: { b: 1 }, items: [{ part: { n: 5 } }] }], [{ part: { n: 5 } }]],
  );
});

test('hits show the value that the mapping gives all documents, where it is requested', async (t) => {
  const mapped = {
    site: { type: 'constant_keyword', value: 'A' },
    own: { properties: { site: { type: 'constant_keyword', value: 'B' }, name: { type: 'keyword' } } },
  };
  const stored = { 'doc.own.name': 'n' };
  const search = await searchOver('constants', { doc: { properties: mapped } }, stored, 'doc');
  const sourceOf = async (fields: readonly string[] | null) =>
    (await search(query({ hits: { ...hits, fields } }), contextWith(null))).hits[0]?.source;
  t.deepEqual(await sourceOf(null), { site: 'A', own: { name: 'n', site: 'B' } });
  t.deepEqual(await sourceOf(['site']), { site: 'A' });
  t.deepEqual(await sourceOf(['own']), { own: { name: 'n', site: 'B' } });
  t.deepEqual(await sourceOf(['own.name']), { own: { name: 'n' } });
  const measure = { kind: 'terms', max: null, topHits: { source: ['site'], size: 1 } } as const;
  const { facets } = await search(query({ facets: [{ field: 'own.name', measure }] }), contextWith(null));
  t.like(facets[0], { buckets: [{ topHit: { site: 'A' } }] });
});
