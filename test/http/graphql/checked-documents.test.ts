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
    const checked = checkedDocuments(() => schema, limits)(query);
    if (checked.kind !== 'refused') return t.fail();
    t.deepEqual(
      checked.errors.map(({ extensions }) => extensions['code']),
      codes,
    );
  });

test('too many tokens are an error that names the limit', (t) => {
  const checked = checkedDocuments(() => schema, limits)(`{ ${'title '.repeat(100_000)} }`);
  t.like(checked, {
    kind: 'refused',
    errors: {
      0: {
        message: 'the document has more than the 100000 tokens allowed: send a long filter in a variable',
        extensions: { code: 'GRAPHQL_PARSE_FAILED' },
      },
    },
  });
});

test('a document that comes again, refused or not, is not checked again', (t) => {
  const documentOf = checkedDocuments(() => schema, limits);
  for (const query of ['{ title }', '{ titles }', '{ title']) t.is(documentOf(query), documentOf(query));
});

test('one that is very long is not cached', (t) => {
  const documentOf = checkedDocuments(() => schema, limits);
  const query = `{ title }${' '.repeat(60_000)}`;
  t.is(documentOf(query).kind, 'valid');
  t.not(documentOf(query), documentOf(query));
});

test('the least recently used of very many are evicted', (t) => {
  const documentOf = checkedDocuments(() => schema, limits);
  const old = documentOf('query old { title }');
  const often = documentOf('query often { title }');
  for (let n = 0; n < 1_000; n++) {
    documentOf(`query q${n} { title }`);
    t.is(documentOf('query often { title }'), often);
  }
  t.not(documentOf('query old { title }'), old);
});

test('more fields than may be validated are an error that names the limit', (t) => {
  const fields = Array.from({ length: 20_001 }, (_, i) => `f${i}`).join(' ');
  const tooMany = checkedDocuments(() => schema, limits)(`{ ${fields} }`);
  t.is(
    tooMany.kind === 'refused' && tooMany.errors[0]!.message,
    '20001 fields in one document are more than the 20000 allowed',
  );
});

test('documents nested as deeply as they may be are validated', (t) => {
  const deep = `{ ${'shelf { '.repeat(799)}title${' }'.repeat(800)}`;
  const checked = checkedDocuments(() => schema, { ...limits, maxDepth: 1_000 })(deep);
  t.is(checked.kind, 'valid');
});
