import test from 'ava';
import { readHits } from '../../../src/federation/remote/read-answer.ts';

test('a hit of our own nodes is its _source', (t) => {
  const node = { id: 't1', _source: { site: { town: 'Ulm' } } };
  t.deepEqual(readHits({ total: 9, edges: [{ searchAfter: [1.5, 'x', null, true], node }] }, []), {
    total: 9,
    hits: [{ id: 't1', source: { site: { town: 'Ulm' } }, cursor: [1.5, 'x', null, true] }],
  });
});

test('a hit of others is put together from its columns', (t) => {
  const columns = [
    { path: 'site.town', names: ['site', 'town'] },
    { path: 'leaf-form', names: ['leaf_form'] },
    { path: 'site.town.x', names: ['site', 'town', 'x'] },
  ];
  const node = { id: 't1', site: { town: 'Ulm' } };
  t.deepEqual(readHits({ edges: [{ node }] }, columns), {
    total: null,
    hits: [{ id: 't1', source: { 'site.town': 'Ulm', 'leaf-form': null, 'site.town.x': null }, cursor: [] }],
  });
});

const coats = { path: 'coat', names: ['coat'] };
const layers = {
  path: 'wall.layers',
  names: ['wall', 'layers'],
  below: [{ path: 'pig-ment', names: ['pig_ment'] }],
};
const marks = { path: 'marks', names: ['marks'], below: [coats] };

test('nested objects of others are put together from their connections', (t) => {
  const connection = (...nodes: readonly object[]) => ({ hits: { edges: nodes.map((node) => ({ node })) } });
  const columns = [
    { path: 'wall.height', names: ['wall', 'height'] },
    layers,
    { ...marks, below: [coats, { ...marks, path: 'more', names: ['more'] }] },
  ];
  const node = {
    id: 't1',
    wall: { height: 3, layers: connection({ pig_ment: 'ochre' }, { pig_ment: null }) },
    marks: connection(
      { coat: 1, more: null },
      { coat: 2, more: connection({ coat: 5 }) },
      { coat: 3, more: connection() },
    ),
  };
  const nothing = { id: 't2', wall: null, marks: { hits: null } };
  const shown = new Set<string>();
  readHits({ edges: [{ node }] }, columns, [], (path, value) => (shown.add(path), value));
  t.deepEqual([...shown], ['wall.height', 'wall.layers.pig-ment', 'marks.coat', 'marks.more.coat']);
  t.deepEqual(
    readHits({ edges: [{ node }, { node: nothing }] }, columns).hits.map(({ source }) => source),
    [
      {
        'wall.height': 3,
        wall: { layers: [{ 'pig-ment': 'ochre' }, { 'pig-ment': null }] },
        marks: [
          { coat: 1, more: null },
          { coat: 2, more: [{ coat: 5 }] },
          { coat: 3, more: [] },
        ],
      },
      { 'wall.height': null, wall: { layers: null }, marks: null },
    ],
  );
});

for (const [value, at] of [
  [{ hits: 1 }, ''],
  [{ hits: { edges: {} } }, ''],
  [{ hits: { edges: [null] } }, '.0'],
  [{ hits: { edges: [{ node: {} }, { node: [] }] } }, '.1'],
] as const)
  test(`malformed nested objects: ${JSON.stringify(value)}`, (t) => {
    t.throws(() => readHits({ edges: [{ node: { id: 't1', marks: value } }] }, [marks]), {
      code: 'NODE_BAD_RESPONSE',
      message: `the answer is malformed at hits.edges.node.marks.hits.edges${at}`,
    });
  });

test('a page without edges has none', (t) => {
  t.deepEqual(readHits({ total: 2, edges: null }, []), { total: 2, hits: [] });
});

test('an id is as long as a key of a search server at most', (t) => {
  t.throws(() => readHits({ edges: [{ node: { id: 'x'.repeat(1_000_000) } }] }, []), {
    code: 'NODE_BAD_RESPONSE',
  });
});

const edge = { node: { id: 't1' } };
const malformed: readonly (readonly [string, unknown])[] = [
  ['hits', null],
  ['hits.total', { total: -1 }],
  ['hits.total', { total: '1' }],
  ['hits.edges', { edges: {} }],
  ['hits.edges.1', { edges: [edge, null] }],
  ['hits.edges.0.node', { edges: [{ node: [] }] }],
  ['hits.edges.0.node', { edges: [{}] }],
  ['hits.edges.1.searchAfter', { edges: [edge, { ...edge, searchAfter: 'x' }] }],
  ['hits.edges.0.searchAfter', { edges: [{ ...edge, searchAfter: [{}] }] }],
  ['hits.edges.0.searchAfter', { edges: [{ ...edge, searchAfter: [Infinity] }] }],
  ['id', { edges: [{ node: { id: 1 } }] }],
];

for (const [index, [at, hits]] of malformed.entries())
  test(`malformed at ${at} (${index})`, (t) => {
    t.throws(() => readHits(hits, []), {
      code: 'NODE_BAD_RESPONSE',
      message: `the answer is malformed at ${at}`,
    });
  });

const half = '\ud83d';
for (const [what, edge] of Object.entries({
  'an id': { node: { id: half } },
  'a key there': { _key: half, node: { id: 't1' } },
}))
  test(`half of a surrogate pair is malformed, as keys of hits are made from ${what}`, (t) => {
    t.throws(() => readHits({ edges: [edge] }, []), { code: 'NODE_BAD_RESPONSE' });
  });
