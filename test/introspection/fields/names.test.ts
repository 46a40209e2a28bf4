import test from 'ava';
import fc from '../../fast-check.ts';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { readFields } from '../../../src/introspection/mapping/mapping.ts';
import {
  aggregationName,
  assertUniqueNames,
  fieldByAggregationName,
  graphqlSegment,
  displayNameOf,
  pathsAbove,
} from '../../../src/introspection/fields/field.ts';

const keyword = { type: 'keyword' };

test('any segment becomes a name GraphQL accepts and does not keep for itself', (t) => {
  const property = fc.property(fc.string({ unit: 'binary' }), (segment) => {
    const name = graphqlSegment(segment);
    return /^[_A-Za-z][_A-Za-z0-9]*$/.test(name) && !name.startsWith('__');
  });
  t.notThrows(() => fc.assert(property));
});

test('other characters become _, a leading digit gets one, dots become __', (t) => {
  t.is(graphqlSegment('ca19-9_level'), 'ca19_9_level');
  t.is(graphqlSegment('1st'), '_1st');
  t.is(aggregationName('a.b-c.2d'), 'a__b_c___2d');
});

test('no path becomes a name that GraphQL keeps for itself', (t) => {
  t.deepEqual(['_.a', '.', '__x.y'].map(aggregationName), ['_a', '_', '_x__y']);
});

for (const [why, properties, first, second] of [
  ['sanitised alike', { 'a-b': keyword, a_b: keyword }, 'a-b', 'a_b'],
  [
    'sanitised alike inside a nested field',
    { n: { type: 'nested', properties: { 'x y': keyword, 'x-y': keyword } } },
    'n.x y',
    'n.x-y',
  ],
  ['two underscores read as a dot', { a: { properties: { b: keyword } }, a__b: keyword }, 'a.b', 'a__b'],
] as const) {
  test(`a collision names both fields and the cure: ${why}`, (t) => {
    const error = t.throws(() => assertUniqueNames(readFields(properties).fields), {
      instanceOf: TributaryError,
    });
    t.is(error.code, 'schema_build_error');
    t.deepEqual(error.details?.paths, [first, second]);
    t.true(error.message.includes(`"${first}" and "${second}"`));
    t.regex(error.message, /rename/);
  });
}

test('equal segments under different parents do not collide', (t) => {
  const part = { properties: { id: keyword } };
  t.notThrows(() => assertUniqueNames(readFields({ a: part, b: part, id: keyword }).fields));
});

test('a nested path is not a facet, so a field may have its aggregation name', (t) => {
  const nested = { type: 'nested', properties: { c: keyword } };
  t.notThrows(() =>
    assertUniqueNames(readFields({ a: { properties: { b: nested } }, a__b: keyword }).fields),
  );
});

test('fields are found by aggregation name, nested paths have none', (t) => {
  const { fields } = readFields({
    n: { type: 'nested', properties: { 'k-1': keyword } },
    o: { properties: { p: keyword } },
  });
  const byName = fieldByAggregationName(fields);
  t.deepEqual([...byName.keys()], ['n__k_1', 'o', 'o__p']);
  t.is(byName.get('n__k_1'), fields.get('n.k-1'));
});

test('of several fields with one aggregation name, as a network may have, the first is found', (t) => {
  const { fields } = readFields({ 'a-b': keyword, a_b: keyword, c: keyword, 'a b': keyword });
  const byName = fieldByAggregationName(fields);
  t.deepEqual([...byName.keys()], ['a_b', 'c']);
  t.is(byName.get('a_b'), fields.get('a-b'));
});

for (const [path, name] of [
  ['basket_name', 'Basket Name'],
  ['ca19-9_level', 'Ca 19 9 Level'],
  ['1st', '1st'],
  ['items.labels.k', 'Items Labels K'],
  ['acquisitionYear', 'Acquisition Year'],
  ['webURLPath', 'Web URL Path'],
  ['größe.名前', 'Größe 名前'],
  ['--', '--'],
] as const) {
  test(`${path} is shown as ${name}`, (t) => {
    t.is(displayNameOf(path), name);
  });
}

test('the paths above a path, outermost first', (t) => {
  t.deepEqual(pathsAbove('a.b.c'), ['a', 'a.b']);
  t.deepEqual(pathsAbove('a'), []);
});
