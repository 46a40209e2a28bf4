import test from 'ava';
import type { GraphQLObjectType } from 'graphql';
import { buildSchema } from 'graphql';
import type { NodeView } from '../../src/federation/nodes/node-view.ts';
import { networkField, networkSchema } from '../../src/federation/schema/schema.ts';
import { buildSupergraph } from '../../src/federation/supergraph/supergraph.ts';
import { undescribed } from '../undescribed.ts';
import { fieldsOf } from './collection.ts';
import { nodeView } from './node-fixtures.ts';
import { openTrees } from './trees.ts';

test('everything in the schema of a network and of its nodes says what it is', async (t) => {
  const { opened } = await openTrees(t);
  const schema = opened.schema();
  t.true(Object.keys(schema.getQueryType()!.getFields()).length > 1);
  t.deepEqual(undescribed(schema), []);
});

test('what a node describes nothing of is described for it, what it describes stays', (t) => {
  const field = networkField(fieldsOf({ genus: 'keyword', 'fruits.size': 'long' }), () => null);
  const schema = buildSchema(`
    enum Colour { green }
    input Wanted { colour: Colour = green }
    interface Named { name(in: Wanted): String }
    "Said by the node."
    type Tree implements Named { name(in: Wanted): String when: Date }
    scalar Date
    scalar Odd
    type Query { tree(odd: Odd): Tree }`);
  const park: NodeView = {
    ...nodeView('old-park', fieldsOf({})),
    status: {
      kind: 'up',
      fields: new Map(),
      aggregates: () => false,
      search: () => Promise.reject(new Error('not queried')),
      schema: { schema: () => schema, execute: null },
    },
  };
  const whole = buildSupergraph(networkSchema(field), [park], { displayName: 'parks', key: 'own' }).schema;
  t.deepEqual(undescribed(whole), []);
  t.is(whole.getType('old_park_Tree')?.description, 'Said by the node.');
  t.is(whole.getType('old_park_Colour')?.description, 'As node old_park has it.');
});

test('a field of the network says its name, type, and the filters that fit it', (t) => {
  const schema = networkSchema(networkField(fieldsOf({ 'fruits.size': 'long' }), () => null));
  const size = 'Fruits Size. `fruits.size`: long. Filters: in, not-in, gt, gte, lt, lte, between.';
  for (const type of ['NetworkHit', 'NodeAggregations'])
    t.is((schema.getType(type) as GraphQLObjectType).getFields()['fruits__size']?.description, size);
});
