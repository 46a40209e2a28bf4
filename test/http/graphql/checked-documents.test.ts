import test from 'ava';
import { buildSchema } from 'graphql';
import { checkedDocuments } from '../../../src/http/graphql/checked-documents.ts';

const schema = buildSchema('type Query { title: String shelf: Query }');
const limits = { maxAliases: 1, maxDepth: 3, introspectionDisabled: false };

const refusals = {
  '{ title': ['GRAPHQL_PARSE_FAILED'],
  '{ titles }': ['GRAPHQL_VALIDATION_FAILED'],
  '{ titles novels }': ['GRAPHQL_VALIDATION_FAILED', 'GRAPHQL_VALIDATION_FAILED'],
  '{ a: title b: title }': ['GRAPHQL_VALIDATION_FAILED'],
  '{ shelf { shelf { shelf { title } } } }': ['GRAPHQL_VALIDATION_FAILED'],
};
for (const [query, codes] of Object.entries(refusals))
  test(`refused: ${query}`, (t) => {
    const checked = checkedDocuments(schema, limits)(query);
    if (checked.kind !== 'refused') return t.fail();
    t.deepEqual(
      checked.errors.map(({ extensions }) => extensions['code']),
      codes,
    );
  });

test('a document that comes again, refused or not, is not read again', (t) => {
  const documentOf = checkedDocuments(schema, limits);
  for (const query of ['{ title }', '{ titles }', '{ title']) t.is(documentOf(query), documentOf(query));
});

test('one that is very long is not kept', (t) => {
  const documentOf = checkedDocuments(schema, limits);
  const query = `{ title }${' '.repeat(60_000)}`;
  t.is(documentOf(query).kind, 'valid');
  t.not(documentOf(query), documentOf(query));
});

test('of very many, those that were asked long ago are not kept', (t) => {
  const documentOf = checkedDocuments(schema, limits);
  const [old, often] = [documentOf('query old { title }'), documentOf('query often { title }')];
  for (let n = 0; n < 1_000; n++) {
    documentOf(`query q${n} { title }`);
    t.is(documentOf('query often { title }'), often);
  }
  t.not(documentOf('query old { title }'), old);
});
