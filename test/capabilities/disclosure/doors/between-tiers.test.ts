import { Writable } from 'node:stream';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import type { Engine } from '../../../../src/engines/engine.ts';
import type { AppParts } from '../../../../src/server/http/app.ts';
import type { JsonObject } from '../../../../src/lib/json/json.ts';
import type { Tier } from '../../../../src/introspection/fields/catalogue-config.ts';
import { cohort, engineOver } from '../cohort.ts';
import { folderWithRelease, serveRelease } from '../served-release.ts';
import { documents, doors, everyRoute, secret, send } from './doors.ts';

/** An engine that gives pages of documents. */
const paged = (all: readonly JsonObject[]): Engine => {
  const engine = engineOver(all);
  return {
    ...engine,
    search: async (index, query, options) => {
      const { hits, ...rest } = await engine.search(index, query, options);
      const { size = 0, searchAfter = null } = query.hits ?? {};
      const from = searchAfter === null ? 0 : Number(searchAfter[0]) + 1;
      return { ...rest, hits: { total: all.length, hits: hits!.hits.slice(from, from + size) } };
    },
  };
};

/** A server whose callers say their tier, over records that are not those of the release. */
const opened = async (t: ExecutionContext, parts: Partial<AppParts> = {}, engine?: Engine) => {
  const live = cohort(417, 99);
  const folder = await folderWithRelease(t, documents);
  const { url } = await serveRelease(t, folder, engine ?? paged(live), {
    tierOf: ({ headers }) => (headers['x-tier'] ?? null) as Tier | null,
    ...parts,
  });
  const runQuery = async (tier: Tier, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json', 'x-tier': tier, ...headers },
    });
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  return { url, runQuery };
};

test('the manifest before a download of records has no number for a guarded tier', async (t) => {
  const { runQuery } = await opened(t);
  const files = [
    { fileName: 'all', fileType: 'tsv', columns: [{ fieldName: 'sex', show: true }], sqon: null, sort: [] },
  ];
  const requested = (tier: Tier, suffix: string) =>
    runQuery(tier, `/network/download${suffix}`, { params: { files } });
  t.regex((await requested('records', '?manifest')).text, /"matches":417/);
  for (const tier of ['counts', 'boolean', 'none'] as const) {
    const guarded = await requested(tier, '?manifest');
    t.notRegex(guarded.text, /\b417\b/);
    t.is(guarded.status, (await requested(tier, '')).status);
    t.true(guarded.status >= 400, guarded.text);
  }
});

test('no answer has an entity tag, and what a client claims to hold changes none', async (t) => {
  let generation = 'one';
  const records = paged(cohort(417, 99));
  const search: Engine['search'] = async (...query) => ({ ...(await records.search(...query)), generation });
  const engine: Engine = { ...records, search };
  const { runQuery } = await opened(t, {}, engine);
  const body = { query: '{ donor { hits(first: 0) { total upper_bound } } }' };
  t.is((await runQuery('records', '/graphql', body, { 'if-none-match': '*' })).headers.get('etag'), null);
  const answers = [];
  for (const known of ['*', 'W/"guess"'])
    for (generation of ['one', 'two'])
      answers.push(
        await runQuery('counts', '/graphql', body, { 'if-none-match': known, 'tributary-node': '1' }),
      );
  t.deepEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1);
  t.regex(answers[0]!.text, /"total":400,"upper_bound":409/);
  t.true(answers.every(({ headers }) => headers.get('etag') === null));
});

test('a cursor that a caller with records got opens nothing to a caller without', async (t) => {
  const { runQuery } = await opened(t);
  const { text } = await runQuery('records', '/graphql', {
    query: '{ donor { hits(first: 2) { edges { searchAfter node { id } } } } }',
  });
  const { data } = JSON.parse(text) as {
    data: { donor: { hits: { edges: readonly { searchAfter: unknown }[] } } };
  };
  const variables = { after: data.donor.hits.edges[0]!.searchAfter };
  for (const page of ['first: 1', 'first: 0']) {
    const query = `query($after: JSON) { donor { hits(${page}, searchAfter: $after) { total upper_bound edges { node { id } } } } }`;
    t.regex((await runQuery('counts', '/graphql', { query, variables })).text, /NOT_DISCLOSED/);
  }
});

test('a guarded question over a network is answered with intervals', async (t) => {
  const { runQuery } = await opened(t);
  const query =
    '{ network { total upper_bound nodes { nodeId state hits upper_bound withheld } aggregations { sex { buckets { key doc_count upper_bound } } } } }';
  const { text } = await runQuery('counts', '/network/graphql', { query });
  t.regex(text, /"total":400,"upper_bound":409/);
  t.notRegex(text, /\b417\b/);
});

test('several questions in one request are guarded each', async (t) => {
  const { runQuery } = await opened(t);
  const page = '{ donor { hits(first: 1) { edges { node { id } } } } }';
  const total = '{ donor { hits(first: 0) { total upper_bound } } }';
  const { text } = await runQuery('counts', '/graphql', [{ query: total }, { query: page }]);
  t.notRegex(text, /\b417\b|"D\d/);
  const requested = `/graphql?query=${encodeURIComponent(page)}`;
  t.notRegex((await runQuery('counts', requested)).text, /"D\d/);
});

test('how many distinct values a guarded node has is not shown', async (t) => {
  const { runQuery } = await opened(t);
  for (const facet of ['sex { cardinality }', 'sex { cardinality_bounds { upper exact } cardinality }']) {
    const { text } = await runQuery('counts', '/network/graphql', {
      query: `{ network { aggregations { ${facet} } } }`,
    });
    t.notRegex(text, /"(cardinality|upper)":\d|"exact":true/, text);
  }
});

test('values that the release does not list, there or not, are answered alike', async (t) => {
  const { runQuery } = await opened(t);
  const answers = async (form: (value: string) => string): Promise<readonly string[]> =>
    Promise.all(
      ['BRAF', 'MYC', 'NEVER'].map(
        async (value) => (await runQuery('counts', '/graphql', { query: form(value) })).text,
      ),
    );
  const filtered = (op: string) => (value: string) =>
    `{ donor { hits(first: 0, filters: { op: "${op}", content: { fieldName: "genes", value: ["${value}"] } }) { total upper_bound estimate } } }`;
  for (const op of ['in', 'not-in', 'all', 'some-not-in'])
    t.is(new Set(await answers(filtered(op))).size, 1, op);
  const matching = (value: string) =>
    `{ donor { aggregations { genes { buckets(matching: "${value}") { key doc_count upper_bound } } } } }`;
  t.is(new Set(await answers(matching)).size, 1);
});

test('logs of every door at every level hold nothing of the records', async (t) => {
  const lines: string[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  const { url } = await opened(t, { ...everyRoute(t), log: pino({ level: 'trace' }, stream) });
  const asked = Object.values(doors).flat();
  for (const end of ['', '-again'])
    for (const [at, door] of asked.entries())
      await (await send(url, door, { 'x-request-id': `door-${at}${end}` })).text();
  const reported = lines.join('').replaceAll(/"(time|tookMs|status|bytes)":\d+/g, '');
  t.true(lines.length > 10);
  t.notRegex(reported, /\b417\b/);
  t.notRegex(reported, secret, reported.slice(0, 500));
  const lengths = new Map(
    lines.map((line) => {
      const { requestId, bytes } = JSON.parse(line) as { requestId?: string; bytes?: number };
      return [requestId, bytes];
    }),
  );
  // the length of an answer may be the number of records by chance, but not with two ids of other lengths
  for (const at of asked.keys())
    t.notDeepEqual([lengths.get(`door-${at}`), lengths.get(`door-${at}-again`)], [417, 417]);
});
