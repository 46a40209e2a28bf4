import test from 'ava';
import type { RunningApp } from '../../server/http/running-app.ts';
import { runLibrary } from './million-books.ts';

const send = async (app: RunningApp, body: unknown) => {
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as unknown };
};

/** Fits the limit by itself, but not ten times. */
const dear = { query: '{ book { hits(first: 5000) { edges { node { _source } } } } }' };

test('a batch where batching is off is refused before any of it runs', async (t) => {
  const app = await runLibrary(t, false);
  for (const body of [[dear], Array.from({ length: 10 }, () => dear), []]) {
    const { status } = await send(app, body);
    t.is(status, 400);
  }
  t.deepEqual(app.engine.searches, []);
});

test('one that fits alone is answered, ten of them in one request cost too much together', async (t) => {
  const app = await runLibrary(t, true);
  const alone = await send(app, dear);
  t.like(alone, { status: 200, body: { data: { book: { hits: { edges: [] } } } } });
  const before = app.engine.searches.length;
  const { body } = await send(
    app,
    Array.from({ length: 10 }, () => dear),
  );
  const codes = (body as { errors: { extensions: { code: string } }[] }[]).map(
    ({ errors }) => errors[0]!.extensions.code,
  );
  t.deepEqual(
    codes,
    Array.from({ length: 10 }, () => 'BAD_USER_INPUT'),
  );
  t.is(app.engine.searches.length, before);
});

const malformed: readonly (readonly [string, unknown])[] = [
  ['more operations than ten', Array.from({ length: 11 }, () => ({ query: '{ __typename }' }))],
  ['very many operations', Array.from({ length: 50_000 }, () => ({ query: '{__typename}' }))],
  ['none', []],
  ['batches in a batch', [[{ query: '{ __typename }' }]]],
  ['operations that are none', [null, 1, 'x']],
];
for (const [what, body] of malformed)
  test(`a batch of ${what} is refused`, async (t) => {
    const app = await runLibrary(t, true);
    const { status } = await send(app, body);
    t.is(status, 400);
    t.deepEqual(app.engine.searches, []);
  });

test('each document of a batch has the limits of one', async (t) => {
  const app = await runLibrary(t, true);
  const queries = [
    `{ ${'__typename '.repeat(100_001)} }`,
    `{ ${'book { hits { total } } '.repeat(300)} }`,
    `{ ${Array.from({ length: 16 }, (_, at) => `a${at}: __typename`).join(' ')} }`,
  ];
  const { body } = await send(
    app,
    [...queries, '{ book { hits(first: 0) { total } } }'].map((query) => ({ query })),
  );
  const results = body as { data?: unknown; errors?: { extensions: { code: string } }[] }[];
  t.deepEqual(
    results.map(({ errors }) => errors?.[0]!.extensions.code),
    ['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED', 'GRAPHQL_VALIDATION_FAILED', undefined],
  );
});
