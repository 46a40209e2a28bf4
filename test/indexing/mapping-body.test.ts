import test from 'ava';
import {
  isDynamic,
  readMappingBody,
  mappingType,
  mergeProperties,
  mappingCovers,
} from '../../src/indexing/mapping-body.ts';

const mapping = { properties: { a: { type: 'keyword' } } };

test('an index body, a mapping request’s answer and a bare mapping are the same', (t) => {
  t.deepEqual(readMappingBody({ settings: {}, mappings: mapping, aliases: { x: {}, y: {} } }, 'f'), {
    mapping,
    aliases: ['x', 'y'],
  });
  t.deepEqual(readMappingBody({ 'donors-1': { mappings: mapping, aliases: { x: {} } } }, 'f'), {
    mapping,
    aliases: ['x'],
  });
  t.deepEqual(readMappingBody({ mappings: mapping }, 'f'), { mapping, aliases: [] });
  t.deepEqual(readMappingBody(mapping, 'f'), { mapping, aliases: [] });
});

test('settings are kept, but for what belongs to one index', (t) => {
  const analysis = { normalizer: { small: { type: 'custom', filter: ['lowercase'] } } };
  const settings = {
    index: {
      analysis,
      number_of_shards: '5',
      uuid: 'x',
      creation_date: '1',
      provided_name: 'y',
      version: {},
    },
    'index.max_result_window': 50,
    'index.routing.allocation.include._tier_preference': 'data_content',
    refresh_interval: '1s',
  };
  t.deepEqual(readMappingBody({ settings, mappings: mapping }, 'f').settings, {
    ...{ analysis, number_of_shards: '5', max_result_window: 50, refresh_interval: '1s' },
  });
});

for (const content of [
  null,
  [],
  'x',
  {},
  { mappings: [] },
  { mappings: { properties: 5 } },
  { a: { type: 'keyword' } },
])
  test(`${JSON.stringify(content)} is refused, naming the file`, (t) => {
    t.throws(() => readMappingBody(content, 'donors.json'), {
      code: 'INPUT_INVALID',
      message: /^donors\.json is not a mapping/,
    });
  });

test('a mapping grows unless it is not dynamic', (t) => {
  t.deepEqual(
    [
      {},
      { dynamic: true },
      { dynamic: 'true' },
      { dynamic: false },
      { dynamic: 'false' },
      { dynamic: 'strict' },
    ].map(isDynamic),
    [true, true, true, false, false, false],
  );
});

test('the type at a path, through objects and nested ones', (t) => {
  const properties = { a: { type: 'nested', properties: { b: { type: 'long' }, c: { properties: {} } } } };
  t.deepEqual(
    ['a', 'a.b', 'a.c', 'a.d', 'x', 'a.b.c'].map((path) => mappingType(properties, path)),
    ['nested', 'long', 'object', null, null, null],
  );
});

test('objects are merged by name and the arguments stay unchanged', (t) => {
  const before = { a: { properties: { x: { type: 'long' } } }, b: { type: 'keyword' } };
  const merged = mergeProperties(before, { a: { properties: { y: { type: 'date' } } }, c: { type: 'text' } });
  t.deepEqual(merged, {
    a: { properties: { x: { type: 'long' }, y: { type: 'date' } } },
    b: { type: 'keyword' },
    c: { type: 'text' },
  });
  t.deepEqual(before, { a: { properties: { x: { type: 'long' } } }, b: { type: 'keyword' } });
});

const properties = {
  a: { type: 'long' },
  o: { type: 'nested', properties: { b: { type: 'keyword' } } },
  whole: { type: 'object', enabled: false },
};

test('fields with nothing in them need no mapping', (t) => {
  t.true(
    mappingCovers(properties, {
      a: 1,
      o: [{ b: 'x' }, { b: null, c: [] }],
      d: null,
      e: [],
      whole: { any: 1 },
    }),
  );
});

test('a field that holds something and is not mapped is found at any depth', (t) => {
  t.false(mappingCovers(properties, { d: 0 }));
  t.false(mappingCovers(properties, { o: [{ b: 'x' }, { c: '' }] }));
  t.false(mappingCovers(properties, { o: { c: false } }));
});
