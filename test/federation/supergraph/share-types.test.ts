import test from 'ava';
import type { GraphQLInputObjectType } from 'graphql';
import { buildSchema } from 'graphql';
import { isSharedType, shareTypes, sharedNamesIn } from '../../../src/federation/supergraph/share-types.ts';
import { orderEnum, sortInput } from '../../../src/local/schema/shared-types.ts';

const enums = 'enum Order { desc asc } enum Mode { avg max min sum } enum Missing { first last }';
const sort = 'input Sort { missing: Missing, fieldName: String!, order: Order, mode: Mode }';
const query =
  'scalar JSON scalar Colour type Query { a(sort: [Sort!]!, with: With, of: Colour): JSON } input With { keys: [Sort] }';
const sharedIn = (text: string): readonly string[] => [...sharedNamesIn(buildSchema(text))];

test('types that are equal but for order and descriptions are shared, with what they refer to', (t) => {
  t.deepEqual(sharedIn(`${enums} "What to sort by." ${sort} ${query}`), [
    'JSON',
    'Order',
    'Mode',
    'Missing',
    'Sort',
  ]);
});

for (const [what, text, shared] of [
  ['a value more', `${enums.replace('desc', 'desc random')} ${sort} ${query}`, ['JSON', 'Mode', 'Missing']],
  [
    'a field more',
    `${enums} ${sort.replace('{', '{ nested: String,')} ${query}`,
    ['JSON', 'Order', 'Mode', 'Missing'],
  ],
  [
    'another type of a field',
    `${enums} ${sort.replace('!', '')} ${query}`,
    ['JSON', 'Order', 'Mode', 'Missing'],
  ],
  [
    'another default',
    `${enums} ${sort.replace(': Order', ': Order = asc')} ${query}`,
    ['JSON', 'Order', 'Mode', 'Missing'],
  ],
  ['another kind', `type Query { Sort: Sort, d: Date } type Sort { a: Int } type Date { b: Int }`, []],
] as const)
  test(`${what}, and a type is the node's own`, (t) => {
    t.deepEqual(sharedIn(text), shared);
  });

test('one type of ours takes the place of the shared ones, in lists and inside other inputs', (t) => {
  const schema = buildSchema(`${enums} ${sort} ${query}`);
  shareTypes(schema, sharedNamesIn(schema));
  const [list, nested, own] = schema.getQueryType()!.getFields()['a']!.args;
  t.is(String(list!.type), '[Sort!]!');
  const inner = (nested!.type as GraphQLInputObjectType).getFields()['keys']!.type;
  t.is((inner as unknown as { ofType: unknown }).ofType, sortInput);
  t.true(isSharedType(orderEnum));
  t.false(isSharedType(own!.type as never));
});
