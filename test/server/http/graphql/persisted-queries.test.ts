import { createHash } from 'node:crypto';
import test from 'ava';
import { runApp, type RunningApp } from '../running-app.ts';

const query = '{ book { hits { total } } }';
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const persisted = (sha256Hash: unknown, version: unknown = 1) => ({
  persistedQuery: { version, sha256Hash },
});

const post = (app: RunningApp, body: unknown): Promise<Response> =>
  fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

test('a document is requested once, then named by its hash', async (t) => {
  const app = await runApp(t);
  const extensions = persisted(hashOf(query));
  const first = await post(app, { extensions });
  t.is(first.status, 200);
  const { errors } = (await first.json()) as { errors: { message: string; extensions: { code: string } }[] };
  t.is(errors[0]?.message, 'PersistedQueryNotFound');
  t.is(errors[0]?.extensions.code, 'PERSISTED_QUERY_NOT_FOUND');

  const answer = { data: { book: { hits: { total: 3 } } } };
  t.deepEqual(await (await post(app, { query, extensions })).json(), answer);
  t.deepEqual(await (await post(app, { extensions })).json(), answer);
  const address = `/graphql?extensions=${encodeURIComponent(JSON.stringify(extensions))}`;
  t.deepEqual(await (await app.get(address)).json(), answer);
});

const malformed: readonly (readonly [string, unknown])[] = [
  ['a hash of another document', { query, extensions: persisted(hashOf('{ __typename }')) }],
  ['no hash', { query, extensions: persisted(undefined) }],
  ['a hash in other letters', { query, extensions: persisted(hashOf(query).toUpperCase()) }],
  ['another version', { query, extensions: persisted(hashOf(query), 2) }],
  ['no object', { query, extensions: { persistedQuery: 'x' } }],
  ['text that is no JSON', { query, extensions: '{' }],
];

for (const [what, body] of malformed)
  test(`refused: ${what}`, async (t) => {
    const app = await runApp(t);
    const response = await post(app, body);
    t.is(response.status, 400);
    const { errors } = (await response.json()) as { errors: { extensions: { code: string } }[] };
    t.is(errors[0]?.extensions.code, 'BAD_USER_INPUT');
    const after = await post(app, { extensions: persisted(hashOf(query)) });
    t.regex(await after.text(), /PersistedQueryNotFound/, 'nothing was remembered');
  });
