import test from 'ava';
import { buildSchema } from 'graphql';
import { checkedDocuments } from '../../../../src/server/http/graphql/graphql-endpoint.ts';
import { documentOf, fieldsIn } from '../../../../src/server/http/graphql/parse-document.ts';

const schema = buildSchema('type Query { title: String shelf: Query }');
const limits = { maxAliases: 1, maxDepth: 3, introspectionDisabled: false };

test('too many tokens are an error that names the limit', async (t) => {
  const checked = await checkedDocuments(
    () => schema,
    limits,
  )({
    query: `{ ${'title '.repeat(15_000)} }`,
  });
  t.like(checked, {
    kind: 'refused',
    errors: {
      0: {
        message: 'the document has more than the 15000 tokens allowed: send a long filter in a variable',
        extensions: { code: 'GRAPHQL_PARSE_FAILED' },
      },
    },
  });
});

test('a document that comes again, refused or not, is not checked again', async (t) => {
  const check = checkedDocuments(() => schema, limits);
  for (const query of ['{ title }', '{ titles }', '{ title'])
    t.is(await check({ query }), await check({ query }));
});

test('what was parsed to look at its fields is not parsed again', async (t) => {
  const operation = { query: '{ title }' };
  t.deepEqual(fieldsIn(operation)?.roots, ['title']);
  const parsed = documentOf(operation);
  const checked = await checkedDocuments(() => schema, limits)(operation);
  t.true(parsed.kind === 'parsed' && checked.kind === 'valid' && checked.document === parsed.document);
  t.is(fieldsIn(operation), fieldsIn(operation));
});

test('one that is very long is not cached', async (t) => {
  const check = checkedDocuments(() => schema, limits);
  const query = `{ title }${' '.repeat(60_000)}`;
  t.is((await check({ query })).kind, 'valid');
  t.not(await check({ query }), await check({ query }));
});

test('the least recently used of very many are evicted', async (t) => {
  const check = checkedDocuments(() => schema, limits);
  const old = await check({ query: 'query old { title }' });
  const often = await check({ query: 'query often { title }' });
  for (let n = 0; n < 1_000; n++) {
    await check({ query: `query q${n} { title }` });
    t.is(await check({ query: 'query often { title }' }), often);
  }
  t.not(await check({ query: 'query old { title }' }), old);
});

test('other requests are served between the steps of a long document', async (t) => {
  const { promise: turn, resolve } = Promise.withResolvers<string>();
  const slow = checkedDocuments(() => {
    // between parsing and validation
    setImmediate(() => resolve('turn'));
    return schema;
  }, limits);
  const checked = slow({ query: `{ title }${' '.repeat(5_000)}` }).then(() => 'checked');
  t.is(await Promise.race([checked, turn]), 'turn');
  t.is(await checked, 'checked');
});

test('documents nested as deeply as they may be are validated', async (t) => {
  const deep = `{ ${'shelf { '.repeat(799)}title${' }'.repeat(800)}`;
  const checked = await checkedDocuments(() => schema, { ...limits, maxDepth: 1_000 })({ query: deep });
  t.is(checked.kind, 'valid');
});
