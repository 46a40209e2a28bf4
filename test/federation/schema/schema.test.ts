import test from 'ava';
import type { GraphQLObjectType, GraphQLSchema } from 'graphql';
import { validateSchema } from 'graphql';
import { nameCollisions, networkField, networkSchema } from '../../../src/federation/schema/schema.ts';
import { fieldsOf } from '../collection.ts';

const schemaOf = (types: Readonly<Record<string, string>>): GraphQLSchema =>
  networkSchema(networkField(fieldsOf(types), () => null));

const namesIn = (schema: GraphQLSchema, type: string): readonly string[] =>
  Object.keys((schema.getType(type) as GraphQLObjectType).getFields());

test('a field may be called as what every object inherits', (t) => {
  const schema = schemaOf({ constructor: 'keyword', toString: 'keyword', __proto: 'keyword' });
  t.deepEqual(namesIn(schema, 'NodeAggregations'), ['constructor', 'toString', '_proto']);
  t.deepEqual(namesIn(schema, 'NetworkHit'), ['id', 'constructor', 'toString', '_proto']);
});

test('whatever paths a node names, the schema stays valid', (t) => {
  const schema = schemaOf({
    '_.a': 'keyword',
    '.': 'keyword',
    '..': 'keyword',
    'ü b': 'long',
    '1': 'nested',
  });
  t.deepEqual(validateSchema(schema), []);
});

test('containers are hits of their own only when nothing is in them', (t) => {
  const schema = schemaOf({ a: 'nested', 'a.b': 'object', 'a.b.c': 'keyword', alone: 'nested' });
  t.deepEqual(namesIn(schema, 'NetworkHit'), ['id', 'a__b__c', 'alone']);
});

test('of two paths with one name the first is shown, and the other named', (t) => {
  const types = { 'a-b': 'keyword', a_b: 'long' };
  t.deepEqual(namesIn(schemaOf(types), 'NodeAggregations'), ['a_b']);
  const [line, ...others] = nameCollisions(fieldsOf(types));
  t.regex(line!, /"a_b" is not shown: "a-b"/);
  t.deepEqual(others, []);
});
