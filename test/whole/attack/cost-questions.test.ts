import test from 'ava';
import { read } from '../../server/http/running-app.ts';
import { maxQueryCost, runLibrary } from './million-books.ts';

const aliases = (count: number, field: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => `a${i}: ${field(i)}`).join(' ');
const wildcards = Array.from({ length: 1_000 }, (_, i) => ({
  op: 'filter',
  pivot: 'copies',
  content: { fieldNames: ['copies.state'], value: `*w${i}*` },
}));

const attacks: readonly (readonly [name: string, query: string, dearest: string, variables?: unknown])[] = [
  ['pages', `{ book { ${aliases(15, () => 'hits(first: 10000) { edges { node { _source } } }')} } }`, 'hits'],
  [
    'pages of 10 000 documents',
    `{ book { ${aliases(14, () => 'hits(first: 10000) { edges { node { id title pages } } }')} hits(first: 10000) { edges { node { id } } } } }`,
    'hits',
  ],
  [
    'top hits',
    '{ book { aggregations { title { buckets { key top_hits(_source: ["title"]) } } } } }',
    'buckets with top_hits',
  ],
  [
    'top hits of many sizes and paths',
    `{ book { aggregations { title { buckets(max: 4000) { ${aliases(12, (i) => `top_hits(size: ${i}, _source: ["p${i}"])`)} } } } } }`,
    'buckets with top_hits',
  ],
  [
    'top hits of very many paths',
    `{ book { aggregations { title { buckets(max: 3000) { top_hits(_source: [${Array.from({ length: 2_000 }, (_, i) => `"p${i}"`).join()}]) } } } } }`,
    'buckets with top_hits',
  ],
  [
    'histograms',
    `{ book { aggregations { price { ${aliases(15, (i) => `histogram(interval: ${0.014 + i / 10_000}) { buckets { key doc_count } }`)} } } } }`,
    'buckets of histograms',
  ],
  ['every value', '{ book { aggregations { title { buckets { key } } } } }', 'buckets'],
  [
    'ranges',
    `{ book { aggregations { pages { range(ranges: [${Array.from({ length: 1_000 }, (_, i) => `{from: ${i}}`).join()}]) { buckets { key } } } } } }`,
    'ranges of facets',
  ],
  [
    'pivoted wildcards',
    'query($f: JSON) { book { hits(filters: $f) { total } } }',
    'wildcard conditions',
    { f: { op: 'or', content: wildcards } },
  ],
];

for (const [name, query, dearest, supplied] of attacks) {
  test(`a question that would take long is refused before any of it runs: ${name}`, async (t) => {
    const app = await runLibrary(t);
    const { body } = await read(app.query('/graphql', query, supplied));
    const errors = body['errors'] as readonly { message: string; extensions: Record<string, unknown> }[];
    t.true(Array.isArray(errors), JSON.stringify(body).slice(0, 500));
    for (const { message, extensions } of errors) {
      t.is(extensions['code'], 'BAD_USER_INPUT', message);
      t.regex(
        message,
        new RegExp(`^the query costs \\d+, more than the ${maxQueryCost} allowed, .* would fit$`),
      );
      const details = extensions['details'] as { readonly dearest: { readonly what: string } };
      t.is(details.dearest.what, dearest);
    }
    t.deepEqual(app.engine.searches, []);
  });
}

test('top hits of different sizes are one question', async (t) => {
  const app = await runLibrary(t);
  const sizes = aliases(15, (i) => `top_hits(size: ${i}, _source: ["title"])`);
  await app.query('/graphql', `{ book { aggregations { genres { buckets(max: 5) { ${sizes} } } } } }`);
  t.deepEqual(
    app.engine.searches.map(({ facets }) => facets.length),
    [1],
  );
});

test('the queries of a portal are answered', async (t) => {
  const app = await runLibrary(t);
  const facets = 'genres { bucket_count buckets { key doc_count } } pages { stats { min max } }';
  const { body } = await read(
    app.query(
      '/graphql',
      `{ book { hits(first: 100, sort: [{ fieldName: "title", order: desc }]) { total edges { node { id title pages genres } } }
         aggregations { ${facets} copies__state { buckets { key doc_count } } } } }`,
    ),
  );
  t.is(body['errors'], undefined);
  t.is(app.engine.searches.length, 2);
});
