import { openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { keyedMac } from '../../../../src/lib/runtime/keyed-mac.ts';
import { openAuditTrail } from '../../../../src/capabilities/audit/audit-trail.ts';
import { auditedQuestions, verifyTrail } from '../../../../src/capabilities/audit/verify-trail.ts';
import { TributaryError } from '../../../../src/lib/errors/errors.ts';
import type { Engine } from '../../../../src/engines/engine.ts';
import type { AppParts } from '../../../../src/server/http/app.ts';
import type { Tier } from '../../../../src/introspection/fields/catalogue-config.ts';
import type { JsonObject } from '../../../../src/lib/json/json.ts';
import { openSets } from '../../../../src/local/sets/open-sets.ts';
import { trailKeys } from '../../audit/trail-fixture.ts';
import { temporaryFolder } from '../../../server/config/temporary-folder.ts';
import { openNaiveEngine } from '../../../engines/naive.ts';
import { defaultSettings } from '../../../server/http/running-app.ts';
import { cohortProperties, engineOver } from '../cohort.ts';
import { below, seeded } from '../random-units.ts';
import { folderWithRelease, serveRelease } from '../served-release.ts';
import { documents, download, get, graphql, mcp, records, send, type Door } from './doors.ts';

const served = async (
  t: ExecutionContext,
  parts: Partial<AppParts> & { readonly sets?: ReturnType<typeof openSets> } = {},
  queryMac: (query: string) => string = (query) => query,
  engine: Engine = engineOver(documents),
) => {
  const folder = join(temporaryFolder(t, {}), 'audit');
  const trail = openAuditTrail({
    ...{ ...trailKeys, folder, required: true, days: 10 },
    warn: (error) => t.fail(String(error)),
  });
  t.teardown(trail.close);
  const release = await folderWithRelease(t, documents);
  const audit = { parts: { trail, queryMac } };
  const { url } = await serveRelease(t, release, engine, { audit, ...parts });
  return { url, folder, lines: () => [...auditedQuestions(folder)] };
};

const counting = '(first: 0, filters: {op: "in", content: {fieldName: "sex", value: ["male"]}})';
const filter = 'filters: {op: "in", content: {fieldName: "sex", value: ["male"]}}';
const counts = `{ donor { hits(first: 0, ${filter}) { total upper_bound } aggregations(${filter}) { genes { buckets { key doc_count upper_bound } } } } }`;
const network = '{ network { hits(first: 0) { total upper_bound } } }';
const inNetwork = { network: 'Network', nodes: [{ id: 'home', state: 'ok' }] };
const ofNetwork = { catalogue: undefined, tier: undefined, ...inNetwork };
const set = (path: string) => `mutation { saveSet(type: donor, path: "${path}", sqon: {}) { setId size } }`;

/** A line as it is expected: what is not said is as of a count of a guarded caller that is answered. */
const line = (changes: object) => ({
  ...{ catalogue: 'cohort', tier: 'counts', door: 'graphql', action: 'count', outcome: 'success' },
  ...{ code: undefined, fields: [], rows: 0, network: undefined, nodes: undefined },
  ...changes,
});
const failure = (code: string) => ({ code, outcome: 'failure' });

interface TieredDoor extends Door {
  readonly tier: Tier;
}

const by = (tier: Tier, door: Door): TieredDoor => ({ ...door, tier });

/** What is queried, and all the lines that are written of it. */
const questions: readonly (readonly [TieredDoor, readonly object[]])[] = [
  [
    by('counts', graphql('/graphql', `{ donor { hits${counting} { total upper_bound } } }`, 'open')),
    [line({})],
  ],
  [by('counts', graphql('/graphql', counts, 'open')), [line({}), line({ fields: ['genes'] })]],
  [
    by('boolean', graphql('/cohort/graphql/download', `{ donor { hits${counting} { exists } } }`, 'open')),
    [line({ tier: 'boolean' })],
  ],
  [
    by('counts', graphql('/cohort/graphql', records, 'refused')),
    [line({ action: 'rows', ...failure('NOT_DISCLOSED'), fields: ['id'] })],
  ],
  [
    by(
      'counts',
      graphql(
        '/graphql',
        `{ a: donor { hits${counting} { total upper_bound } } b: donor { hits(first: 0) { total upper_bound } } }`,
        'open',
      ),
    ),
    [line({}), line({})],
  ],
  [by('none', graphql('/graphql', records, 'refused')), [line({ tier: null, ...failure('FORBIDDEN') })]],
  [
    by(
      'records',
      graphql(
        '/graphql',
        '{ donor { hits(first: 3, sort: [{fieldName: "age"}]) { edges { node { sex } } } } }',
        'open',
      ),
    ),
    [line({ tier: 'records', action: 'rows', fields: ['sex', 'age'], rows: 3 })],
  ],
  [
    by(
      'records',
      graphql(
        '/graphql',
        '{ donor { aggregations { sex { buckets { key top_hits(_source: ["surname"]) } } } } }',
        'open',
      ),
    ),
    [line({ tier: 'records', action: 'rows', fields: ['sex', 'surname'], rows: 3 })],
  ],
  [
    by('records', graphql('/graphql', set('donor_id'), 'open')),
    [line({ tier: 'records', action: 'set', fields: ['donor_id'], rows: 407 })],
  ],
  [
    by('records', graphql('/graphql', '{ sets { hits(first: 1) { edges { node { ids } } } } }', 'open')),
    [line({ tier: 'records', action: 'rows', fields: ['sets.ids'], rows: 1 })],
  ],
  [
    by('counts', download('/download')),
    [line({ tier: null, door: 'download', action: 'download', ...failure('NOT_DISCLOSED') })],
  ],
  [
    by('records', download('/cohort/download')),
    [line({ tier: 'records', door: 'download', action: 'download', fields: ['surname'], rows: 407 })],
  ],
  [
    by('counts', graphql('/network/graphql', network, 'open')),
    [line({ door: 'network graphql' }), line({ ...ofNetwork, door: 'network graphql' })],
  ],
  [
    by(
      'counts',
      graphql('/network/graphql', `{ home { donor { hits${counting} { total upper_bound } } } }`, 'open'),
    ),
    [line({ door: 'network graphql' }), line({ ...ofNetwork, door: 'network graphql', fields: ['donor'] })],
  ],
  [
    by('none', graphql('/network/graphql', network, 'open')),
    [
      line({ door: 'network graphql', tier: 'none', ...failure('FORBIDDEN') }),
      line({ ...ofNetwork, door: 'network graphql', nodes: [{ id: 'home', state: 'FORBIDDEN' }] }),
    ],
  ],
  [
    by('counts', download('/network/download')),
    [
      line({ door: 'network download', action: 'download', ...failure('NOT_DISCLOSED') }),
      line({
        ...ofNetwork,
        door: 'network download',
        action: 'download',
        ...failure('NOT_DISCLOSED'),
        nodes: [{ id: 'home', state: 'NOT_DISCLOSED' }],
      }),
    ],
  ],
  [
    by('counts', mcp('search', { catalogue: 'cohort', fields: ['sex'] }, 'refused')),
    [line({ door: 'mcp', action: 'rows', ...failure('NOT_DISCLOSED'), fields: ['sex'] })],
  ],
  [
    by('counts', mcp('get_record', { catalogue: 'cohort', id: 'D1' }, 'refused')),
    [line({ door: 'mcp', action: 'rows', ...failure('NOT_DISCLOSED'), fields: ['*'] })],
  ],
  [
    by('counts', download('/network/download?manifest')),
    [
      line({ door: 'network download', ...failure('NOT_DISCLOSED') }),
      line({
        ...{ ...ofNetwork, door: 'network download', ...failure('NOT_DISCLOSED') },
        nodes: [{ id: 'home', state: 'NOT_DISCLOSED' }],
      }),
    ],
  ],
  [
    by('records', {
      ...download('/network/download?manifest', 'open'),
      body: { files: [{ fileType: 'tsv', columns: [{ fieldName: 'sex' }] }] },
    }),
    [line({ tier: 'records', door: 'network download' }), line({ ...ofNetwork, door: 'network download' })],
  ],
];

const short = (entry: JsonObject) => ({
  catalogue: entry['tributary.catalogue'],
  tier: entry['tributary.tier'],
  door: entry['tributary.door'],
  action: entry['event.action'],
  outcome: entry['event.outcome'],
  code: entry['error.code'],
  fields: entry['tributary.fields'],
  rows: entry['tributary.rows'],
  network: entry['tributary.network'],
  nodes: entry['tributary.nodes'],
});

/** The lines that were added since the last time. */
const newLines = (folder: string): (() => readonly JsonObject[]) => {
  const handle = openSync(join(folder, readdirSync(folder)[0]!), 'r');
  const buffer = Buffer.alloc(1_000_000);
  return () => {
    const text = buffer.toString('utf8', 0, readSync(handle, buffer));
    return text
      .split('\n')
      .filter((one) => one !== '')
      .map((one) => JSON.parse(one) as JsonObject)
      .filter((entry) => entry['event.action'] !== 'opened');
  };
};

/** The cohort in an engine that searches, with saved sets; callers say their tier. */
const searchable = async () => {
  const engine = openNaiveEngine();
  await engine.manage({ kind: 'create', index: 'donors', mapping: { properties: cohortProperties } });
  await engine.write(
    'donors',
    documents.map((document, number) => ({
      ...({ kind: 'upsert', id: `K${number}` } as const),
      document: JSON.parse(JSON.stringify(document)) as JsonObject,
    })),
  );
  const sets = openSets(engine, 'kept-sets');
  return {
    engine,
    sets,
    tierOf: ({ headers }: { readonly headers: NodeJS.Dict<string | string[]> }) =>
      String(headers['x-tier']) as Tier,
  };
};

test('each of many mixed questions is written down once, before its answer leaves', async (t) => {
  const { engine, ...parts } = await searchable();
  const { url, folder } = await served(t, parts, keyedMac(Buffer.alloc(32, 1)), engine);
  const random = seeded(1);
  const count = Number(process.env['DISCLOSURE_CASES'] ?? 150);
  const added = newLines(folder);
  const known = new Map<string, unknown>();
  for (let requested = 0; requested < count; requested += 1) {
    const at = requested < questions.length ? requested : below(random, questions.length);
    const [door, expected] = questions[at]!;
    const id = `question-${requested}`;
    const response = await send(url, door, { 'x-tier': door.tier, 'x-request-id': id });
    await response.text();
    const lines = added();
    t.deepEqual(lines.map(short), expected, JSON.stringify(door));
    for (const entry of lines) t.like(entry, { 'client.class': 'loopback', 'http.request.id': id });
    const macs = lines.map((entry) => entry['tributary.query']);
    t.deepEqual((known.get(String(at)) ?? macs) as unknown, macs, 'equal questions have equal MACs');
    known.set(String(at), macs);
    const text = JSON.stringify(lines);
    if (/male|Name \d|"D\d+"/.test(text)) t.fail(text);
  }
  t.deepEqual(
    verifyTrail(folder, { ...trailKeys, days: 10 }).flatMap(({ problems }) => problems),
    [],
  );
});

test('a line says whether a caller is near, by the address that trusted proxies report', async (t) => {
  const cost = { maxQueryCost: 0, trustedProxies: 1 };
  const { url, lines } = await served(t, { settings: { ...defaultSettings, cost } });
  const classes = {
    private: [
      '10.1.2.3',
      '172.16.0.1',
      '172.31.255.1',
      '192.168.9.9',
      '::ffff:10.0.0.1',
      'fd00::1',
      'fe80::1',
    ],
    public: ['172.32.0.1', '192.169.0.1', '11.0.0.1', '2001:db8::1'],
    loopback: ['127.0.0.2', '::1'],
  };
  const door = graphql('/graphql', `{ donor { hits${counting} { total upper_bound } } }`, 'open');
  for (const address of Object.values(classes).flat())
    await (await send(url, door, { 'x-tier': 'counts', 'x-forwarded-for': address })).text();
  const expected = Object.entries(classes).flatMap(([name, addresses]) => addresses.map(() => name));
  t.deepEqual(
    lines().map((entry) => entry['client.class']),
    expected,
  );
});

test('a line says who queried what, through which hub, and neither the answer nor the filter', async (t) => {
  const { url, lines } = await served(
    t,
    {
      accessFilter: ({ state }) => {
        state.subject = JSON.stringify(['https://id.example.org', 'ann']);
        return null;
      },
    },
    keyedMac(Buffer.alloc(32, 1)),
  );
  const runQuery = (headers: Record<string, string>) =>
    fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer secret-token', ...headers },
      body: JSON.stringify({ query: counts }),
    });
  const hub = { 'tributary-node': '1', 'tributary-path': 'one,two', 'x-request-id': 'hub-7' };
  const answers = [await (await runQuery({})).text(), await (await runQuery(hub)).text()];
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
  t.regex(String(last['tributary.query']), /^[\w-]{43}$/);
  const text = JSON.stringify(lines());
  t.notRegex(text, /secret-token|male|Bearer/);
  const total = /"total":(\d+)/.exec(answers[0]!)![1]!;
  t.false(new RegExp(`:${total}\\b`).test(text), text);
});

test('callers who are refused at the door are written down too', async (t) => {
  const { url, lines } = await served(t, { tierOf: () => 'none' as Tier });
  await (await send(url, graphql('/graphql', records, 'refused'))).text();
  t.like(lines().at(-1), { 'error.code': 'FORBIDDEN', 'tributary.catalogue': 'cohort' });
});

test('who may enter nowhere, and who names a catalogue that is closed to them, is written down', async (t) => {
  const closed = () => {
    throw new TributaryError('FORBIDDEN', 'not for this caller');
  };
  const shut = await served(t, { accessFilter: closed, networkAccess: closed });
  const describe = mcp('describe', { catalogue: 'cohort' }, 'refused');
  for (const door of [describe, get('/fdp', 'refused')]) {
    t.is((await send(shut.url, door)).status, 403);
    t.like(shut.lines().at(-1), { 'error.code': 'FORBIDDEN', 'tributary.door': door.path.slice(1) });
  }
  t.is(shut.lines().length, 2);
  // the network alone is open
  const half = await served(t, { accessFilter: closed, networkAccess: () => undefined });
  t.regex(await (await send(half.url, describe)).text(), /there is no catalogue .*NOT_FOUND/);
  t.like(half.lines().at(-1), { 'error.code': 'NOT_FOUND', 'tributary.catalogue': 'cohort' });
  t.is((await send(half.url, get('/fdp/dataset/cohort', 'refused'))).status, 404);
  const refused = { 'error.code': 'NOT_FOUND', 'tributary.catalogue': 'cohort', 'tributary.door': 'fdp' };
  t.like(half.lines().at(-1), refused);
  for (const path of ['/fdp/dataset/%', '/fdp/dataset/nobody']) await send(half.url, get(path, 'refused'));
  t.is(half.lines().length, 2);
});
