import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { openEngine } from '../../src/engines/open/open-engine.ts';
import { openNearAndFar } from './download/galleries.ts';

const dataPath = await mkdtemp(join(tmpdir(), 'tributary-'));
const engine = await openEngine({ kind: 'embedded', dataPath });

test.after.always(async () => {
  await engine.close();
  await rm(dataPath, { recursive: true });
});

const settings = {
  analysis: { normalizer: { low: { type: 'custom', filter: ['lowercase', 'asciifolding'] } } },
};

const properties = {
  id: { type: 'keyword' },
  ip: { type: 'ip' },
  city: { type: 'keyword', normalizer: 'low' },
  at: { type: 'date_nanos' },
  v: { type: 'version' },
  title: { type: 'text', fields: { keyword: { type: 'keyword' } } },
  place: { type: 'alias', path: 'city' },
  tags: { type: 'flattened' },
};

const extended = [{ fieldName: 'tags.color' }, { fieldName: 'tags.made.in' }];

const gallery = (documentType: string, site: string, documents: readonly { readonly id: string }[]) => ({
  documentType,
  config: { extended },
  engine,
  settings,
  properties: { ...properties, site: { type: 'constant_keyword', value: site } },
  documents: documents as never,
});

const near = gallery('near', 'A', [
  {
    id: 'a',
    site: 'A',
    ip: '192.168.1.5',
    city: 'Lyon',
    at: '2021-06-04T13:50:00.000000003Z',
    v: '1.10',
    title: 'Red Fox',
    tags: { color: ['red', 'blue'], made: { in: 'Oslo' }, rest: 1 },
  },
  {
    id: 'b',
    ip: '2001:0DB8::0001',
    city: 'Oslo',
    at: '2021-06-04T13:50:00.000000001Z',
    v: '1.9',
    title: 'Hen',
  },
] as never);
const far = gallery('far', 'B', [
  {
    id: 'c',
    ip: '2001:db8:0:0::1',
    city: 'LYÖN',
    at: '2021-06-04T13:50:00.000000002Z',
    v: '1.9-rc1',
    title: 'Red Fox',
    tags: { color: 'red', in: 'Oslo' },
  },
  { id: 'd', ip: '::ffff:10.0.0.1', tags: [{ made: { in: ['Rome'] } }, { rest: 'red' }] },
] as never);

const open = async (t: ExecutionContext) => {
  const portal = await openNearAndFar(t, near, far);
  const runQuery = async (query: string, filters: unknown = null, path = '/network/graphql') => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ query, variables: { filters } });
    const response = await fetch(portal.url + path, { method: 'POST', headers, body });
    const { data, errors } = (await response.json()) as { data: Record<string, never>; errors?: unknown };
    return errors ?? Object.values(data)[0];
  };
  return { ...portal, runQuery };
};

const where = (op: string, fieldName: string, value: unknown) => ({ op, content: { fieldName, value } });

test('one value over nodes however they write it, in filters, facets, sorts and downloads', async (t) => {
  const { runQuery, download } = await open(t);
  const found = async (op: string, fieldName: string, value: unknown) =>
    runQuery('query($filters: JSON) { network(filters: $filters) { total } }', where(op, fieldName, value));
  for (const [op, field, value, total] of [
    ['in', 'ip', '2001:db8::1', 2],
    ['in', 'ip', ['10.0.0.0/8', '192.168.0.0/16'], 2],
    ['gt', 'ip', '192.168.1.4', 3],
    ['in', 'city', 'lyon', 2],
    ['in', 'place', 'Lyön', 2],
    ['in', 'site', 'B', 2],
    ['not-in', 'site', ['A'], 2],
    ['gt', 'at', '2021-06-04T13:50:00.000000001Z', 2],
    ['lt', 'v', '1.9', 1],
    ['in', 'title.keyword', 'Red Fox', 2],
    ['in', 'tags', 'red', 3],
    ['in', 'tags', 'Oslo', 2],
    ['in', 'tags.color', 'red', 2],
    ['in', 'tags.made.in', ['Oslo', 'Rome'], 2],
    ['in', 'tags.rest', [1], 1],
    ['not-in', 'tags.rest', 'red', 3],
    ['in', 'tags.color', '__missing__', 2],
    ['not-in', 'tags.nothing', '__missing__', 0],
  ] as const)
    t.deepEqual(await found(op, field, value), { total }, `${op} ${field} ${JSON.stringify(value)}`);

  const counted = (await runQuery(
    '{ network { aggregations { ip { buckets { key doc_count } } city { buckets { key doc_count } } site { buckets { key doc_count } } title__keyword { buckets { key doc_count } } tags { buckets { key doc_count } } tags__color { buckets { key doc_count } } place { buckets { key doc_count } } } } }',
  )) as { aggregations: Record<string, { buckets: { key: string; doc_count: number }[] }> };
  const bucketsOf = (name: string) =>
    counted.aggregations[name]?.buckets.flatMap(({ key, doc_count }) =>
      key === '__missing__' ? [] : [[key, doc_count]],
    );
  t.deepEqual(bucketsOf('ip'), [
    ['2001:db8::1', 2],
    ['10.0.0.1', 1],
    ['192.168.1.5', 1],
  ]);
  t.deepEqual(bucketsOf('city'), [
    ['lyon', 2],
    ['oslo', 1],
  ]);
  t.deepEqual(bucketsOf('place'), bucketsOf('city'));
  t.deepEqual(bucketsOf('site'), [
    ['A', 2],
    ['B', 2],
  ]);
  t.deepEqual(bucketsOf('tags'), [
    ['red', 3],
    ['Oslo', 2],
    ['1', 1],
    ['Rome', 1],
    ['blue', 1],
  ]);
  t.deepEqual(bucketsOf('tags__color'), [
    ['red', 2],
    ['blue', 1],
  ]);
  t.deepEqual(bucketsOf('title__keyword'), [
    ['Red Fox', 2],
    ['Hen', 1],
  ]);

  const shown = (await runQuery(
    '{ network { hits(first: 1, sort: [{ fieldName: "id" }]) { edges { node { id site title__keyword place tags tags__color } } } } }',
  )) as { hits: { edges: { node: object }[] } };
  t.deepEqual(shown.hits.edges[0]?.node, {
    id: 'a',
    site: 'A',
    title__keyword: 'Red Fox',
    place: 'Lyon',
    tags: { color: ['red', 'blue'], made: { in: 'Oslo' }, rest: 1 },
    tags__color: 'red',
  });

  const sorted = async (fieldName: string) => {
    const hits = (await runQuery(
      `{ network { hits(first: 4, sort: [{ fieldName: "${fieldName}" }, { fieldName: "id" }]) { edges { node { id } } } } }`,
    )) as { hits: { edges: { node: { id: string } }[] } };
    return hits.hits.edges.map(({ node }) => node.id).join('');
  };
  t.is(await sorted('ip'), 'dabc');
  t.is(await sorted('at'), 'dbca');
  t.is(await sorted('v'), 'dcba');
  t.is(await sorted('site'), 'abcd');
  t.is(await sorted('tags.color'), 'bdac');
  t.is(await sorted('tags.rest'), 'bcad');

  const file = async (path: string) => {
    const columns = ['id', 'title.keyword', 'place', 'tags.color', 'tags.made.in', 'tags.rest'].map(
      (fieldName) => ({ fieldName }),
    );
    const files = [{ fileName: 'x', fileType: 'tsv', columns, sort: [{ fieldName: 'id' }] }];
    const text = await (await download({ files }, path)).text();
    return text
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.replace(/^(near|far)\t/, ''));
  };
  t.deepEqual(await file('/download'), ['a\tRed Fox\tLyon\tred, blue\tOslo\t1', 'b\tHen\tOslo\t--\t--\t--']);
  t.deepEqual(await file('/network/download'), [
    'a\tRed Fox\tLyon\tred, blue\tOslo\t1',
    'b\tHen\tOslo\t--\t--\t--',
    'c\tRed Fox\tLYÖN\tred\t--\t--',
    'd\t--\t--\t--\tRome\tred',
  ]);
});
