import test from 'ava';
import { introspectionOff } from '../../src/config/introspection-off.ts';
import { bookConfig } from '../local/catalogue-fixture.ts';

test('catalogues that other nodes cannot discover are named in one line', (t) => {
  const on = bookConfig({ catalogueId: 'on', disableGraphQLIntrospection: false });
  const off = (catalogueId: string) => bookConfig({ catalogueId, disableGraphQLIntrospection: true });
  t.deepEqual(introspectionOff([on]), []);
  const [line, ...others] = introspectionOff([off('a'), on, off('b')]);
  t.regex(
    line!,
    /^GraphQL introspection is off for a, b .* cannot discover them; DISABLE_GRAPHQL_INTROSPECTION=false/,
  );
  t.deepEqual(others, []);
});
