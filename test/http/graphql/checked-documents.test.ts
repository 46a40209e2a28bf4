import test from 'ava';
import { buildSchema } from 'graphql';
import { checkedDocuments } from '../../../src/http/graphql/checked-documents.ts';
import { documentOf, fieldsIn } from '../../../src/http/graphql/parse-document.ts';

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
    const checked = checkedDocuments(() => schema, limits)({ query });
    if (checked.kind !== 'refused') return t.fail();
    t.deepEqual(
      checked.errors.map(({ extensions }) => extensions['code']),
      codes,
    );
  });

test('too many tokens are an error that names the limit', (t) => {
  const checked = checkedDocuments(
    () => schema,
    limits,
  )({
    query: `{ ${'title '.repeat(100_000)} }`,
  });
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
  const check = checkedDocuments(() => schema, limits);
  for (const query of ['{ title }', '{ titles }', '{ title']) t.is(check({ query }), check({ query }));
});

test('what was parsed to look at its fields is not parsed again', (t) => {
  const operation = { query: '{ title }' };
  t.deepEqual(fieldsIn(operation)?.roots, ['title']);
  const parsed = documentOf(operation);
  const checked = checkedDocuments(() => schema, limits)(operation);
  t.true(parsed.kind === 'parsed' && checked.kind === 'valid' && checked.document === parsed.document);
  t.is(fieldsIn(operation), fieldsIn(operation));
});

test('one that is very long is not cached', (t) => {
  const check = checkedDocuments(() => schema, limits);
  const query = `{ title }${' '.repeat(60_000)}`;
  t.is(check({ query }).kind, 'valid');
  t.not(check({ query }), check({ query }));
});

test('the least recently used of very many are evicted', (t) => {
  const check = checkedDocuments(() => schema, limits);
  const old = check({ query: 'query old { title }' });
  const often = check({ query: 'query often { title }' });
  for (let n = 0; n < 1_000; n++) {
    check({ query: `query q${n} { title }` });
    t.is(check({ query: 'query often { title }' }), often);
  }
  t.not(check({ query: 'query old { title }' }), old);
});

test('more fields than may be validated are an error that names the limit', (t) => {
  const fields = Array.from({ length: 20_001 }, (_, i) => `f${i}`).join(' ');
  const tooMany = checkedDocuments(() => schema, limits)({ query: `{ ${fields} }` });
  t.is(
    tooMany.kind === 'refused' && tooMany.errors[0]!.message,
    '20001 fields in one document are more than the 20000 allowed',
  );
});

test('documents nested as deeply as they may be are validated', (t) => {
  const deep = `{ ${'shelf { '.repeat(799)}title${' }'.repeat(800)}`;
  const checked = checkedDocuments(() => schema, { ...limits, maxDepth: 1_000 })({ query: deep });
  t.is(checked.kind, 'valid');
});
