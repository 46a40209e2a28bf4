import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { openAuditTrail } from '../../../src/access/audit/audit-trail.ts';
import { auditedQuestions, verifyTrail } from '../../../src/access/audit/verify-trail.ts';
import type { Engine } from '../../../src/engines/engine.ts';
import type { AppParts } from '../../../src/http/app.ts';
import type { Tier } from '../../../src/introspection/fields/catalogue-config.ts';
import { temporaryFolder } from '../../config/temporary-folder.ts';
import { engineOver } from '../cohort.ts';
import { below, seeded } from '../random-units.ts';
import { folderWithRelease, serveRelease } from '../served-release.ts';
import { documents, download, graphql, send, type Door } from './doors.ts';

const { privateKey: signingKey } = generateKeyPairSync('ed25519');

const served = async (t: ExecutionContext, parts: Partial<AppParts> = {}, queryKey: Buffer | null = null, engine = engineOver(documents) as Engine) => {
  const folder = join(temporaryFolder(t, {}), 'audit');
  const trail = openAuditTrail({ folder, signingKey, required: true, days: 10, warn: (error) => t.fail(String(error)) });
  t.teardown(trail.close);
  const release = await folderWithRelease(t, documents);
  const { url } = await serveRelease(t, release, engine, { audit: { trail, queryKey }, ...parts });
  return { url, folder, lines: () => [...auditedQuestions(folder)] };
}; // prettier-ignore

const filter = 'filters: {op: "in", content: {fieldName: "sex", value: ["male"]}}';
const counts = `{ donor { hits(first: 0, ${filter}) { total upper_bound } aggregations(${filter}) { genes { buckets { key doc_count upper_bound } } } } }`;
const rows = '{ donor { hits(first: 3) { edges { node { id sex } } } } }';
const network = '{ network { hits(first: 0) { total upper_bound } } }';

/** Each is one question, and how its line begins. */
const questions: readonly (readonly [Door, object])[] = [
  [
    graphql('/graphql', '{ donor { hits(first: 0) { total upper_bound } } }', 'open'),
    { door: 'graphql', action: 'count', outcome: 'success', query: 'null', fields: [] },
  ],
  [graphql('/cohort/graphql', rows, 'refused'), { door: 'graphql', action: 'rows', outcome: 'failure' }],
  [graphql('/network/graphql', network, 'open'), { door: 'network graphql', action: 'count' }],
  [graphql('/network/network/graphql', network, 'open'), { door: 'network graphql', action: 'count' }],
  [graphql('/network/stream', network, 'open'), { door: 'network stream', action: 'count' }],
  [download('/download'), { door: 'download', action: 'download', outcome: 'failure' }],
  [download('/cohort/download'), { door: 'download', action: 'download', outcome: 'failure' }],
];

const short = (entry: Readonly<Record<string, unknown>>) => ({
  door: entry['tributary.door'],
  action: entry['event.action'],
  outcome: entry['event.outcome'],
  query: entry['tributary.query'],
  fields: entry['tributary.fields'],
});

test('each question through each door is one line, written before its answer leaves', async (t) => {
  const { url, folder, lines } = await served(t);
  const random = seeded(1);
  const count = Number(process.env['DISCLOSURE_CASES'] ?? 100);
  for (let asked = 0; asked < count; asked += 1) {
    const [door, expected] = questions[asked < questions.length ? asked : below(random, questions.length)]!;
    await (await send(url, door)).text();
    t.is(lines().length, asked + 1, door.path);
    t.like(short(lines().at(-1)!), expected);
    t.like(lines().at(-1), { 'tributary.catalogue': 'cohort', 'client.class': 'loopback' });
  }
  t.deepEqual(
    verifyTrail(folder, signingKey).flatMap(({ problems }) => problems),
    [],
  );
});

test('a line says who asked what, of which hub, and neither the answer nor the filter', async (t) => {
  const { url, lines } = await served(
    t,
    {
      accessFilter: ({ state }) => {
        state.subject = JSON.stringify(['https://id.example.org', 'ann']);
        return null;
      },
    },
    Buffer.alloc(32, 1),
  );
  const ask = (headers: Record<string, string>) =>
    fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer secret-token', ...headers },
      body: JSON.stringify({ query: counts }),
    });
  const hub = { 'tributary-node': '1', 'tributary-path': 'one,two', 'x-request-id': 'hub-7' };
  const answers = [await (await ask({})).text(), await (await ask(hub)).text()];
  t.is(new Set(lines().map((line) => line['tributary.query'])).size, 1, answers[0]);
  const last = lines().at(-1)!;
  t.like(last, {
    'user.issuer': 'https://id.example.org',
    'user.id': 'ann',
    'tributary.tier': 'counts',
    'tributary.hub': 'one,two',
    'tributary.hub_request_id': 'hub-7',
    'http.request.id': 'hub-7',
    'tributary.rows': 0,
  });
  t.deepEqual(last['tributary.fields'], ['genes']);
  t.regex(String(last['tributary.query']), /^[0-9a-f]{64}$/);
  const text = JSON.stringify(lines());
  t.notRegex(text, /secret-token|male|Bearer/);
  const total = /"total":(\d+)/.exec(answers[0]!)![1]!;
  t.false(new RegExp(`:${total}\\b`).test(text), text);
});

test('the pages of a download are one question, with the rows that were given', async (t) => {
  const paged: Engine = {
    ...engineOver(documents),
    search: async (_index, { hits: { size, searchAfter } = { size: 0, searchAfter: null } }) => {
      const from = searchAfter === null ? 0 : Number(searchAfter[0]) + 1;
      const page = documents.slice(from, from + Math.min(size, 150));
      const hits = page.map((source, index) => ({
        id: String(from + index),
        source,
        cursor: [from + index],
      }));
      return { facets: [], tookMs: 1, warnings: [], hits: { total: documents.length, hits } };
    },
  };
  const { url, lines } = await served(t, { tierOf: () => 'records' as Tier }, null, paged);
  t.regex(await (await send(url, download('/cohort/download', 'open'))).text(), /Name 1/);
  t.is(lines().length, 1);
  t.like(lines()[0], { 'event.action': 'download', 'event.outcome': 'success', 'tributary.tier': 'records' });
});

test('callers who are refused at the door are written down too', async (t) => {
  const { url, lines } = await served(t, { tierOf: () => 'none' as Tier });
  await (await send(url, graphql('/graphql', rows, 'refused'))).text();
  t.like(lines().at(-1), { 'error.code': 'FORBIDDEN', 'tributary.catalogue': 'cohort' });
});
