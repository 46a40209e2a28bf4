import test from 'ava';
import type { Engine } from '../../../../src/engines/engine.ts';
import type { JsonObject } from '../../../../src/lib/json/json.ts';
import { sampled } from '../../../fast-check.ts';
import { cohort, engineOver } from '../cohort.ts';
import {
  throughTunnel,
  type Sent,
  folderWithRelease,
  nodeKinds,
  serveRelease,
  type ServedRelease,
} from '../served-release.ts';
import type { Door } from './doors.ts';
import { documents, doors, everyRoute, graphql, metricsToken } from './doors.ts';

/** Records, a state of the index that follows them, and when they were written. */
const indexed = (records: readonly JsonObject[], generation: string, lastWriteMs: number): Engine => {
  const engine = engineOver(records);
  return {
    ...engine,
    search: async (...query) => ({ ...(await engine.search(...query)), generation, lastWriteMs }),
  };
};

interface Question {
  readonly served: ServedRelease;
  /** Which way the question goes. */
  readonly way: 'clients' | 'hub';
}

/** What a door answers whoever asks as this server's callers do; and what only follows clocks and chance is one word. */
const exchange = async (
  { served, way }: Question,
  { method, path, body }: Door,
  headers: Record<string, string>,
) => {
  const sent: Sent = {
    method,
    headers: {
      'x-request-id': 'same',
      ...(path === '/metrics' && { authorization: `Bearer ${metricsToken}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(path === '/mcp' && { accept: 'application/json, text/event-stream' }),
      ...headers,
    },
    body: body === undefined ? null : JSON.stringify(body),
  };
  const response = await (way === 'clients'
    ? fetch(served.url + path, { ...sent, redirect: 'manual' })
    : throughTunnel(served.tunnel!, path, sent));
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = String(bytes).replaceAll(new URL(served.url).host, '(host)');
  const length = response.headers.get('content-length');
  // the hash of a body with a time or the address of this process
  const left = new Set(['date', 'content-length', ...(timeless(text) === String(bytes) ? [] : ['etag'])]);
  return {
    status: response.status,
    headers: [...response.headers].filter(([name]) => !left.has(name)),
    // a latency of one more digit is not an answer of the release
    lengthFits: length === null || Number(length) === bytes.length,
    body: path === '/metrics' && way === 'clients' ? withoutClocks(text) : timeless(text),
  };
};

const timeless = (text: string): string =>
  text
    .replaceAll(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g, (date) => (isRecent(date) ? '"(now)"' : date))
    .replaceAll(/"latencyMs":(\{[^}]*\}|null)/g, '"latencyMs":null')
    .replaceAll(/\{"id":"[\w-]+"\}/g, '{"id":"(link)"}');

const isRecent = (date: string): boolean =>
  Math.abs(Date.now() - Date.parse(JSON.parse(date) as string)) < 3_600_000;

/** The series that count what was queried: those of time and of the process differ from moment to moment. */
const withoutClocks = (text: string): string =>
  text
    .split('\n')
    .filter((line) => /^tributary_/.test(line))
    .filter((line) => !/_(bucket|sum)|seconds\{?.* \d+\.\d/.test(line))
    .join('\n');

const bounds = 'doc_count upper_bound exact estimate';
/** What is answered with intervals, beside the doors that refuse. */
const answered: readonly Door[] = [
  graphql(
    '/graphql',
    `{ donor { configs { disclosure extended } mapping hits { total upper_bound exact estimate nodes { nodeId hits upper_bound lastUpdated } }
      aggregations { sex { bucket_count buckets { key ${bounds} } } genes { buckets(max: 2) { key ${bounds} } }
        age { histogram(interval: 20) { buckets { key ${bounds} } } }
        enrolled { date_histogram(interval: "year") { buckets { key ${bounds} } } } } } }`,
    'open',
  ),
  ...['/network/graphql', '/cohort/network/graphql'].map((path) =>
    graphql(
      path,
      `{ network { total upper_bound exact estimate nodes { nodeId state withheld hits upper_bound disclosure errors lastUpdated }
        aggregations { site { buckets { key ${bounds} } coverage { nodeId state docs } } } } }`,
      'open',
    ),
  ),
  graphql('/graphql', '{ __schema { types { name fields { name description } } } }', 'open'),
  graphql('/network/graphql', '{ __schema { types { name fields { name description } } } }', 'open'),
];

for (const node of nodeKinds)
  for (const tier of ['counts', 'boolean', 'none'] as const)
    test(`${tier}: every door answers alike over two data sets with one release, headers included, with a node that ${node}`, async (t) => {
      const folder = await folderWithRelease(t, documents);
      const serve = async (engine: Engine) =>
        serveRelease(t, folder, engine, { ...everyRoute(t), tierOf: () => tier, node });
      const one = await serve(indexed(documents, 'one', Date.UTC(2024, 0)));
      const other = await serve(indexed(cohort(977, 99), 'two', Date.UTC(2025, 0)));
      const intervals = { clients: 0, hub: 0 };
      for (const way of node === 'is here' ? (['clients'] as const) : (['clients', 'hub'] as const))
        for (const headers of sampled(callers))
          for (const door of [...Object.values(doors).flat(), ...answered]) {
            const left = await exchange({ served: one, way }, door, headers);
            const right = await exchange({ served: other, way }, door, headers);
            t.deepEqual(right, left, `${way}: ${door.method} ${door.path} ${JSON.stringify(headers)}`);
            t.true(left.lengthFits, door.path);
            if (door.path === '/mcp' && way === 'clients') t.is(left.status, 200);
            t.false(
              left.headers.some(
                ([name]) => name === 'etag' && !/assets|^\/$|\/introspection|^\/fdp/.test(door.path),
              ),
              `${door.path} has an entity tag`,
            );
            if (way === 'hub')
              t.is(
                left.body.includes('a hub may query the catalogue'),
                !isOpenToHubs(door),
                `${door.method} ${door.path}`,
              );
            if (/"upper_bound":\d/.test(left.body)) intervals[way] += 1;
          }
      t.is(
        intervals.clients > 0,
        tier === 'counts',
        'intervals are shown in the tier counts, and there only',
      );
      t.is(intervals.hub > 0, tier === 'counts' && node === 'dials in');
    });

const callers: readonly Record<string, string>[] = [
  {},
  { 'tributary-node': '1' },
  { 'if-none-match': '*', 'tributary-node': '1' },
];

/** Whether a door is one of those that a tunnel leads to. */
const isOpenToHubs = ({ method, path }: Door): boolean =>
  method === 'POST' ? path === '/graphql' : ['/introspection', '/service-info'].includes(path);
