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
  test(`refused: ${query}`, async (t) => {
    const checked = await checkedDocuments(() => schema, limits)(query);
    if (checked.kind !== 'refused') return t.fail();
    t.deepEqual(
      checked.errors.map(({ extensions }) => extensions['code']),
      codes,
    );
  });

test('too many tokens are an error that names the limit', async (t) => {
  const checked = await checkedDocuments(() => schema, limits)(`{ ${'title '.repeat(100_000)} }`);
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

test('a document that comes again, refused or not, is not checked again', async (t) => {
  const documentOf = checkedDocuments(() => schema, limits);
  for (const query of ['{ title }', '{ titles }', '{ title'])
    t.is(await documentOf(query), await documentOf(query));
});

test('one that is very long is not cached', async (t) => {
  const documentOf = checkedDocuments(() => schema, limits);
  const query = `{ title }${' '.repeat(60_000)}`;
  t.is((await documentOf(query)).kind, 'valid');
  t.not(await documentOf(query), await documentOf(query));
});

test('the least recently used of very many are evicted', async (t) => {
  const documentOf = checkedDocuments(() => schema, limits);
  const old = await documentOf('query old { title }');
  const often = await documentOf('query often { title }');
  for (let n = 0; n < 1_000; n++) {
    await documentOf(`query q${n} { title }`);
    t.is(await documentOf('query often { title }'), often);
  }
  t.not(await documentOf('query old { title }'), old);
});

const long = (fields: string, words = 1_000) => `{ ${fields} ${'# a word\n'.repeat(words)} }`;

test('long ones are checked like short ones', async (t) => {
  const documentOf = checkedDocuments(() => schema, limits);
  t.is((await documentOf(long('title'))).kind, 'valid');
  for (const [query, codes] of Object.entries(refusals)) {
    const checked = await documentOf(query.replace('{', `{ ${'# a word\n'.repeat(1_000)}`));
    if (checked.kind !== 'refused') return t.fail();
    t.deepEqual(
      checked.errors.map(({ extensions }) => extensions['code']),
      codes,
    );
  }
  const tooMany = await documentOf(long(Array.from({ length: 20_001 }, (_, i) => `f${i}`).join(' ')));
  t.is(
    tooMany.kind === 'refused' && tooMany.errors[0]!.message,
    '20001 fields in one document are more than the 20000 allowed',
  );
});

test('concurrent long ones are not all checked in one iteration of the event loop', async (t) => {
  const documentOf = checkedDocuments(() => schema, limits);
  let ticks = 0;
  const count = (): void => {
    ticks++;
    ticking = setImmediate(count);
  };
  let ticking = setImmediate(count);
  const checked = await Promise.all(
    Array.from({ length: 100 }, (_, i) => documentOf(long(`title # ${i}\n`, 10_000))),
  );
  clearImmediate(ticking);
  t.deepEqual(new Set(checked.map(({ kind }) => kind)), new Set(['valid']));
  t.true(ticks >= 3, `${ticks} ticks`);
});

test('very long ones are checked one after the other, also after one that is refused', async (t) => {
  const documentOf = checkedDocuments(() => schema, limits);
  const ended: number[] = [];
  const texts = Array.from(
    { length: 6 },
    (_, i) => `{ ${i % 3 === 1 ? 'titles' : 'title'} ${'#\n'.repeat(60_000 / (i + 1) + 51_000)} }`,
  );
  const kinds = await Promise.all(
    texts.map(async (text, i) => {
      const { kind } = await documentOf(text);
      ended.push(i);
      return kind;
    }),
  );
  t.deepEqual(kinds, ['valid', 'refused', 'valid', 'valid', 'refused', 'valid']);
  t.deepEqual(ended, [0, 1, 2, 3, 4, 5]);
});
