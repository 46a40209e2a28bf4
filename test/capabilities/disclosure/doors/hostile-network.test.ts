import { createHash } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { folderWithRelease, serveRelease, throwingEngine } from '../served-release.ts';
import { documents, secret } from './doors.ts';

/** What a network, or whoever pretends to be one, may send to a guarded node. */
interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
  readonly path?: string;
}

const opened = async (t: ExecutionContext) => {
  const engine = throwingEngine(documents.length);
  const { url } = await serveRelease(t, await folderWithRelease(t, documents), engine);
  const send = async ({ headers = {}, query, body, path = '/graphql' }: Sent) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': 'same', ...headers },
      body: JSON.stringify(body ?? { query }),
    });
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  return { engine, send };
};

const total = '{ donor { hits { total upper_bound } } }';
const page = '{ donor { hits(first: 1) { edges { node { id surname } searchAfter } } } }';

/** Networks are told also which release it is, by its published hash. */
const withoutOrigin = (text: string): unknown =>
  JSON.parse(text, (key: string, value: unknown) => (key === 'node' ? undefined : value));

/** Nothing of these is believed: each question is answered as one without them. */
const claims: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a node': { 'tributary-node': '1', 'tributary-path': 'home', 'tributary-nodes': 'home' },
  'a tier': { 'x-tier': 'records', tier: 'records', 'tributary-tier': 'records', disclosure: 'records' },
  'a user of a proxy': {
    'x-forwarded-user': 'admin',
    'x-remote-user': 'admin',
    'x-access': 'everything',
    forwarded: 'for=127.0.0.1',
    'x-forwarded-for': '127.0.0.1',
  },
  'a token': { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJkaXNjbG9zdXJlIjoicmVjb3JkcyJ9.' },
  'another path': { 'x-original-url': '/download', 'x-rewrite-url': '/download', host: 'localhost' },
};

for (const [what, headers] of Object.entries(claims))
  test(`forged headers change nothing: ${what}`, async (t) => {
    const { engine, send } = await opened(t);
    for (const query of [total, page]) {
      const [plain, forged] = [await send({ query }), await send({ query, headers })];
      t.deepEqual(withoutOrigin(forged.text), withoutOrigin(plain.text));
      t.is(forged.status, plain.status);
    }
    t.is(engine.calls(), 0);
  });

const cursorOf = (values: unknown): string => Buffer.from(JSON.stringify(values)).toString('base64url');

const refusedQueries: Readonly<Record<string, string>> = {
  'records under another name': '{ a: donor { b: hits(first: 1) { c: edges { d: node { e: surname } } } } }',
  'records beside bounds': `{ donor { hits(first: 1) { total upper_bound edges { node { id } } } } }`,
  'records of which none are left': '{ donor { hits(first: 1, offset: 100000) { edges { node { id } } } } }',
  'a cursor of values': '{ donor { hits(first: 1, searchAfter: ["D1", 5]) { edges { node { id } } } } }',
  'a cursor of text': `{ donor { hits(first: 1, after: "${cursorOf(['D1', 5])}") { edges { node { id } } } } }`,
  'an order and no rows':
    '{ donor { hits(first: 0, sort: [{ fieldName: "surname" }]) { total upper_bound } } }',
  'unreleased fields by an alias of a facet':
    '{ donor { aggregations { sex: surname { buckets { key doc_count upper_bound } } } } }',
  'a fragment with records':
    'fragment F on donor { hits(first: 1) { edges { node { surname } } } } { donor { ...F } }',
  'records where a directive hides the bounds':
    '{ donor { hits { total upper_bound @skip(if: true) } aggregations { sex { buckets { key doc_count upper_bound @include(if: false) } } } } }',
  'distinct values': '{ donor { aggregations { sex { cardinality } } } }',
  'a mutation': 'mutation { saveSet(type: donor, userId: "a", path: "donor_id", sqon: {}) { setId } }',
};

for (const [what, query] of Object.entries(refusedQueries))
  test(`a question for more than counts gets nothing: ${what}`, async (t) => {
    const { engine, send } = await opened(t);
    const { text, status } = await send({ query, headers: { 'tributary-node': '1' } });
    t.regex(text, /"errors":/);
    t.notRegex(text.replaceAll(/Cannot query field[^.]*/g, ''), secret, text);
    t.true(status < 500, text);
    t.is(engine.calls(), 0);
  });

test('a thousand aliases are refused or answered with the same bounds', async (t) => {
  const { engine, send } = await opened(t);
  const aliases = (count: number) =>
    `{ ${Array.from({ length: count }, (_, index) => `a${index}: donor { hits { total upper_bound } }`).join(' ')} }`;
  t.regex((await send({ query: aliases(1_000) })).text, /"code":"/);
  const { data } = JSON.parse((await send({ query: aliases(3) })).text) as { data: Record<string, unknown> };
  t.deepEqual(new Set(Object.values(data).map((one) => JSON.stringify(one))).size, 1);
  t.is(engine.calls(), 0);
});

test('a filter of 100 000 values and a body of megabytes are answered or refused, not passed on', async (t) => {
  const { engine, send } = await opened(t);
  const value = Array.from({ length: 100_000 }, (_, index) => `V${index}`);
  const query = 'query($f: JSON) { donor { hits(filters: $f) { total upper_bound } } }';
  const variables = { f: { op: 'in', content: { fieldName: 'site', value } } };
  const { text } = await send({ body: { query, variables } });
  t.regex(text, /"total":0,"upper_bound":\d+|"code":"/);
  t.is((await send({ body: { query, padding: 'x'.repeat(30_000_000) } })).status, 413);
  t.is(engine.calls(), 0);
});

test('a document kept by its hash is answered by the tier of who names it, not of who sent it', async (t) => {
  const seen: string[] = [];
  const engine = {
    ...throwingEngine(),
    search: async () => {
      seen.push('queried');
      const source = { surname: 'Name 1' };
      return {
        hits: { total: 417, hits: [{ id: 'D1', source, cursor: [1] }] },
        facets: [],
        tookMs: 1,
        warnings: [],
      };
    },
  };
  const { url } = await serveRelease(t, await folderWithRelease(t, documents), engine, {
    tierOf: ({ headers }) => (headers['x-tier'] === 'records' ? 'records' : 'counts'),
  });
  const extensions = {
    persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(page).digest('hex') },
  };
  const runQuery = async (tier: string, body: object): Promise<string> =>
    (
      await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-tier': tier },
        body: JSON.stringify(body),
      })
    ).text();
  t.regex(await runQuery('records', { query: page, extensions }), /Name 1/);
  t.deepEqual(seen, ['queried']);
  const guarded = await runQuery('counts', { extensions });
  t.regex(guarded, /"errors":/);
  t.notRegex(guarded, /Name \d|\b417\b/);
  t.deepEqual(seen, ['queried']);
  t.regex(await runQuery('records', { extensions }), /Name 1/);
});
