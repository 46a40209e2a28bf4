import test from 'ava';
import { buildCatalogueSchema } from '../../../../src/local/schema/schema.ts';
import { folderWithRelease, serveRelease, throwingEngine } from '../served-release.ts';
import { documents, graphql, secret, send } from './doors.ts';

test('every root field of a guarded schema is known here', async (t) => {
  const { parts } = await serveRelease(t, await folderWithRelease(t, documents), throwingEngine());
  const state = parts.registry.byId('cohort');
  const { substitute } = state?.status === 'available' ? state.catalogue : {};
  const schema = buildCatalogueSchema(substitute!);
  t.deepEqual(Object.keys(schema.getQueryType()!.getFields()), [
    'node',
    'viewer',
    'query',
    'hasValidConfig',
    'donor',
    'sets',
  ]);
  t.deepEqual(Object.keys(schema.getMutationType()!.getFields()), ['saveSet']);
});

const rootFields: Readonly<Record<string, string>> = {
  node: '{ node(id: "D1") { id } }',
  viewer: '{ viewer { donor { hits(first: 2) { edges { node { id } } } } } }',
  query: '{ query { total } }',
  hasValidConfig: '{ hasValidConfig(documentType: "donor", index: "donors") }',
  sets: '{ sets { hits { total } } }',
  saveSet: 'mutation { saveSet(type: donor, userId: "a", path: "donor_id", sqon: {}) { setId } }',
  source: '{ donor { hits { edges { node { _source } } } } }',
  topHits: '{ donor { aggregations { sex { buckets { top_hits(_source: ["surname"], size: 1) } } } } }',
  stats: '{ donor { aggregations { age { stats { min max } } } } }',
  mapping: '{ donor { mapping } }',
  extended: '{ donor { configs { extended table { columns { fieldName } } } } }',
  unreleased: '{ donor { aggregations { surname { bucket_count } } } }',
  variables: '{ __type(name: "donorAggregations") { fields { name } } }',
};

for (const [name, query] of Object.entries(rootFields))
  test(`the root field ${name} tells nothing of the records`, async (t) => {
    const engine = throwingEngine(documents.length);
    const { url } = await serveRelease(t, await folderWithRelease(t, documents), engine);
    const text = await (await send(url, graphql('/graphql', query, 'open'))).text();
    t.notRegex(text.replaceAll('Cannot query field \\"surname\\"', ''), secret, text);
    t.false(/"hasValidConfig":true|"index"/.test(text));
    t.is(engine.calls(), 0);
  });

test('the mapping of a guarded catalogue is that of the released fields', async (t) => {
  const { url } = await serveRelease(t, await folderWithRelease(t, documents), throwingEngine());
  const answer = await send(url, graphql('/graphql', '{ donor { mapping } }', 'open'));
  const { data } = (await answer.json()) as { data: { donor: { mapping: unknown } } };
  const keyword = { type: 'keyword' };
  t.deepEqual(data.donor.mapping, {
    sex: keyword,
    age: { type: 'integer' },
    weight: { type: 'double' },
    site: keyword,
    genes: keyword,
    consent: { type: 'boolean' },
    enrolled: { type: 'date' },
    samples: { type: 'nested', properties: { kind: keyword } },
  });
});
