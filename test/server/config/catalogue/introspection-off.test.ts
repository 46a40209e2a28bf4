import test from 'ava';
import { readEnvironment } from '../../../../src/server/config/environment.ts';
import { introspectionOff } from '../../../../src/server/config/catalogue/switches.ts';
import { bookConfig } from '../../../local/catalogue-fixture.ts';
import { texts } from '../texts.ts';

const on = bookConfig({ catalogueId: 'on', disableGraphQLIntrospection: false });
const off = (catalogueId: string) => bookConfig({ catalogueId, disableGraphQLIntrospection: true });

for (const [env, line] of [
  [
    { NODE_ENV: 'production' },
    'GraphQL introspection is off for a, b (the default in production): other nodes of a network cannot discover them; DISABLE_GRAPHQL_INTROSPECTION=false turns it on where disableGraphQLIntrospection in their files does not hold',
  ],
  [
    { DISABLE_GRAPHQL_INTROSPECTION: 'true' },
    'GraphQL introspection is off for a, b (DISABLE_GRAPHQL_INTROSPECTION=true): other nodes of a network cannot discover them; DISABLE_GRAPHQL_INTROSPECTION=false turns it on where disableGraphQLIntrospection in their files does not hold',
  ],
  [
    { DISABLE_GRAPHQL_INTROSPECTION: 'false', NODE_ENV: 'production' },
    'GraphQL introspection is off for a, b (disableGraphQLIntrospection in their files): other nodes of a network cannot discover them; take it out there to let them do so',
  ],
] as const)
  test(`catalogues that other nodes cannot discover are named in one line, with ${JSON.stringify(env)}`, (t) => {
    const { variables } = readEnvironment(env);
    t.deepEqual(introspectionOff([on], variables), []);
    t.deepEqual(texts(introspectionOff([off('a'), on, off('b')], variables)), [line]);
  });

test('a catalogue that disables it itself is reported with its file', (t) => {
  t.deepEqual(texts(introspectionOff([off('a')], readEnvironment({}).variables)), [
    'GraphQL introspection is off for a (disableGraphQLIntrospection in its files): other nodes of a network cannot discover it; take it out there to let them do so',
  ]);
});
