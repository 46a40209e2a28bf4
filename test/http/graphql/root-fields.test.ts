import test from 'ava';
import { rootFieldNames } from '../../../src/http/graphql/root-fields.ts';

const cases: readonly (readonly [string, string, readonly string[]])[] = [
  ['fields', '{ network { total } book { hits { total } } }', ['network', 'book']],
  ['an alias', '{ network: book { hits { total } } }', ['book']],
  ['an aliased field', '{ all: network { total } }', ['network']],
  ['the word elsewhere', 'query network($network: String = "network") { book { network } }', ['book']],
  ['fragments', 'query { ...a ... on Root { book } } fragment a on Root { ...b } fragment b on Root { network }', ['network', 'book']],
  ['a fragment that nothing uses', '{ book } fragment a on Root { network }', ['book']],
  ['fragments in a circle', '{ ...a } fragment a on Root { x ...b } fragment b on Root { ...a }', ['x']],
  ['no GraphQL', '{ network', []],
]; // prettier-ignore

for (const [what, query, names] of cases)
  test(`${what} at the root`, (t) => t.deepEqual([...rootFieldNames(query)].sort(), [...names].sort()));

test('thousands of fragments, in a row and in a circle', (t) => {
  const fragments = (last: string): string =>
    Array.from(
      { length: 10_000 },
      (_, at) => `fragment f${at} on Root { ${at < 9_999 ? `...f${at + 1}` : last} }`,
    ).join(' ');
  t.deepEqual([...rootFieldNames(`{ ...f0 } ${fragments('book { id }')}`)], ['book']);
  t.deepEqual([...rootFieldNames(`{ ...f0 } ${fragments('...f0')}`)], []);
});
