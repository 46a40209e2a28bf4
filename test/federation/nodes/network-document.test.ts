import test from 'ava';
import { networkFields } from '../../../src/federation/nodes/network-fields.ts';
import { documentTranslator, leafPaths } from '../../../src/federation/nodes/network-document.ts';
import { fieldsOf } from '../collection.ts';
import { nodeView } from '../node-fixtures.ts';

const first = nodeView(
  'first',
  fieldsOf({
    id: 'keyword',
    sex: 'keyword',
    samples: 'nested',
    'samples.kind': 'keyword',
    'samples.tests': 'nested',
    'samples.tests.code': 'keyword',
    'place.city': 'keyword',
  }),
);
const values = new Map([
  ['sex', new Map([['F', 'female']])],
  ['samples.kind', new Map([['B', 'blood']])],
]);
const second = nodeView(
  'second',
  fieldsOf({
    id: 'keyword',
    gender: 'keyword',
    parts: 'nested',
    'parts.origin': 'keyword',
    'parts.assays': 'nested',
    'parts.assays.c': 'keyword',
    town: 'keyword',
  }),
  undefined,
  {
    fields: new Map([
      ['sex', 'gender'],
      ['samples', 'parts'],
      ['samples.kind', 'parts.origin'],
      ['samples.tests', 'parts.assays'],
      ['samples.tests.code', 'parts.assays.c'],
      ['place.city', 'town'],
    ]),
    values,
  },
);
const flat = nodeView('flat', fieldsOf({ id: 'keyword', kinds: 'keyword', codes: 'keyword' }), undefined, {
  fields: new Map([
    ['samples.kind', 'kinds'],
    ['samples.tests.code', 'codes'],
  ]),
});
const network = networkFields(new Map(), [first, second, flat]);
const paths = leafPaths(['sex', 'samples', 'place.city'], network);
const shown = (
  node: typeof first,
  source: Parameters<ReturnType<typeof documentTranslator>>[0],
  shownPaths = paths,
): unknown => JSON.parse(JSON.stringify(documentTranslator(node, shownPaths, network)(source)));

test('containers are selected by what is in them', (t) => {
  t.deepEqual(paths, ['sex', 'samples.kind', 'samples.tests.code', 'place.city']);
});

test('nested objects stay apart under the names of the network', (t) => {
  t.deepEqual(
    shown(second, {
      gender: 'F',
      parts: [{ origin: 'B', assays: [{ c: '1' }, { c: '2' }] }, { origin: ['B', 'skin'] }],
      town: 'Lyon',
      rest: 1,
    }),
    {
      sex: 'female',
      samples: [{ kind: 'blood', tests: [{ code: '1' }, { code: '2' }] }, { kind: ['blood', 'skin'] }],
      place: { city: 'Lyon' },
    },
  );
});

test('nested objects that are shown without any value keep those that have some', (t) => {
  const source = { samples: [{ kind: 'B', tests: [{ code: '1' }, {}] }, {}] };
  t.deepEqual(shown(first, source, [...paths, 'samples', 'samples.tests']), source);
});

test('a node that has the names of the network is shown as it is', (t) => {
  const source = { sex: 'F', samples: [{ kind: 'B', tests: [{ code: '1' }] }], place: { city: 'Oslo' } };
  t.deepEqual(shown(first, source), source);
});

test('nested objects are a list at every node, at any depth, however a node stores a single one', (t) => {
  t.deepEqual(shown(first, { samples: { kind: 'B', tests: { code: '1' } } }), {
    samples: [{ kind: 'B', tests: [{ code: '1' }] }],
  });
  t.deepEqual(shown(second, { parts: [{ origin: 'B', assays: { c: '1' } }] }), {
    samples: [{ kind: 'blood', tests: [{ code: '1' }] }],
  });
  t.deepEqual(shown(first, { samples: {} }, [...paths, 'samples']), { samples: [{}] });
});

test('a field has one form at every node: a list where it is one at any node, else a single value', (t) => {
  const fields = fieldsOf({ tags: 'keyword', sex: 'keyword' });
  const tags = { ...fields.get('tags')!, isArray: true };
  const lists = nodeView('lists', new Map([...fields, ['tags', tags]]));
  const singles = nodeView('singles', fields);
  const network = networkFields(new Map(), [lists, singles]);
  for (const node of [lists, singles]) {
    const translate = documentTranslator(node, ['tags', 'sex'], network);
    t.deepEqual(translate({ tags: 'a', sex: ['F'] }), { tags: ['a'], sex: 'F' });
    t.deepEqual(translate({ tags: [], sex: [] }), { tags: [] });
    t.deepEqual(translate({ tags: ['a', null, 'b'], sex: ['F', 'M'] }), {
      tags: ['a', 'b'],
      sex: ['F', 'M'],
    });
  }
});

test('flat values stand in one object where the network has nested ones', (t) => {
  t.deepEqual(shown(flat, { kinds: ['a', 'b'], codes: 'x' }), {
    samples: [{ kind: ['a', 'b'], tests: [{ code: 'x' }] }],
  });
});

test('established nodes give values under dotted keys', (t) => {
  t.deepEqual(shown(second, { gender: null, town: 'Lyon', 'parts.origin': ['B'] }), {
    place: { city: 'Lyon' },
  });
  t.deepEqual(shown(first, { 'place.city': ['Oslo', 'Bergen'] }), { place: { city: ['Oslo', 'Bergen'] } });
});

test('names that objects inherit are names like others', (t) => {
  const node = nodeView('odd', fieldsOf({ constructor: 'keyword', __proto__x: 'keyword' }));
  const fields = networkFields(new Map(), [node]);
  const translate = documentTranslator(node, ['constructor', '__proto__x'], fields);
  t.deepEqual({ ...translate({ constructor: 'c' }) }, { constructor: 'c' } as never);
  t.deepEqual(translate({}), {});
});
