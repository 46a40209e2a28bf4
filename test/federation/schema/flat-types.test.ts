import test from 'ava';
import { type GraphQLObjectType, getNamedType } from 'graphql';
import { flatFacetsType, flatHitsType } from '../../../src/federation/schema/schema.ts';
import { fieldsOf } from '../collection.ts';

const fields = fieldsOf({
  id: 'keyword',
  place: 'object',
  'place.grid-ref': 'double',
  owners: 'nested',
  'owners.since': 'date',
  note: 'text',
  sold: 'boolean',
  empty: 'nested',
});

const shown = (type: GraphQLObjectType) =>
  Object.values(type.getFields()).map((field) => `${field.name}: ${String(field.type)}`);

test('pages of a network are flat: one field for each path that holds values', (t) => {
  const page = flatHitsType(fields);
  const edge = getNamedType(page.getFields()['edges']!.type) as GraphQLObjectType;
  const hit = getNamedType(edge.getFields()['node']!.type) as GraphQLObjectType;
  const bounds = ['upper_bound: Int', 'exists: Boolean', 'exact: Boolean', 'estimate: Int'];
  t.deepEqual(
    [page.name, ...shown(page)],
    ['NetworkConnection', 'total: Int', ...bounds, 'edges: [NetworkEdge]'],
  );
  t.deepEqual(shown(edge), ['node: NetworkHit', 'nodeId: String', 'searchAfter: JSON']);
  t.deepEqual(shown(hit), [
    'id: ID!',
    'place__grid_ref: Number',
    'owners__since: String',
    'note: String',
    'sold: Boolean',
    'empty: JSON',
  ]);
});

test('its facets are those of values and those of numbers and dates, with none of nested objects', (t) => {
  const type = flatFacetsType(fields)!;
  t.deepEqual(
    [type.name, ...shown(type)],
    [
      'NodeAggregations',
      'id: Aggregations',
      'place: Aggregations',
      'place__grid_ref: NumericAggregations',
      'owners__since: NumericAggregations',
      'note: Aggregations',
      'sold: Aggregations',
    ],
  );
  t.is(flatFacetsType(fieldsOf({ owners: 'nested' })), null);
});
