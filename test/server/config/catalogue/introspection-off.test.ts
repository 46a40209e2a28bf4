import test from 'ava';
import { introspectionOff } from '../../../../src/server/config/catalogue/switches.ts';
import { bookConfig } from '../../../local/catalogue-fixture.ts';
import { texts } from '../texts.ts';

const catalogue = (catalogueId: string, disableGraphQLIntrospection: boolean) =>
  bookConfig({ catalogueId, disableGraphQLIntrospection });

test('catalogues that other nodes cannot discover are named in one line, with what lets them', (t) => {
  const on = catalogue('on', false);
  t.deepEqual(introspectionOff([on]), []);
  t.deepEqual(texts(introspectionOff([catalogue('a', true), on, catalogue('b', true)])), [
    'GraphQL introspection is off for a, b: other nodes of a network cannot discover them; set DISABLE_GRAPHQL_INTROSPECTION=false, and not disableGraphQLIntrospection in base.json, to let them',
  ]);
  t.regex(texts(introspectionOff([catalogue('a', true)]))[0]!, /is off for a: .* cannot discover it;/);
});
