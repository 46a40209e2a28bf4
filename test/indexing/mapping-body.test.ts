import test from 'ava';
import { isDynamic, readMappingBody } from '../../src/indexing/mapping-body.ts';

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
