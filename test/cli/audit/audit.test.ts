import { hash } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { openAuditTrail, trailKeys } from '../../../src/capabilities/audit/audit-trail.ts';
import { serverKey } from '../../../src/lib/runtime/server-key.ts';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';
import { runHere } from '../run-here.ts';

const question = (who: string, changes: object = {}) => ({
  ...{ 'event.action': 'count', 'event.outcome': 'success', 'user.issuer': 'https://id.org', 'user.id': who },
  ...{ 'client.class': 'private', 'tributary.catalogue': 'donors', 'tributary.tier': 'counts' },
  ...{ 'tributary.door': 'graphql', 'tributary.query': 'a1b2', 'tributary.fields': [], 'tributary.rows': 0 },
  ...changes,
});

const days = ['2026-11-01T10:00:00Z', '2026-11-02T10:00:00Z', '2026-11-03T10:00:00Z'];

/** The data folder of a server with a trail of three days, of which the last is not over. */
const withTrail = (t: ExecutionContext): string => {
  const dataPath = temporaryFolder(t, {});
  let nowMs = Date.parse(days[0]!);
  const trail = openAuditTrail({
    ...trailKeys(serverKey(undefined, dataPath, { warn: () => undefined })),
    ...{ folder: join(dataPath, 'audit'), required: true, days: 3_650, nowMs: () => nowMs },
    warn: (error) => t.fail(String(error)),
  });
  for (const [at, day] of days.entries()) {
    nowMs = Date.parse(day);
    trail.write(question('ann'));
    trail.write(question('bob', { 'event.outcome': 'failure', 'error.code': 'NOT_DISCLOSED' }));
    trail.write({
      ...question('ann', { 'tributary.door': 'network graphql' }),
      ...{ 'tributary.catalogue': `c${at}`, 'tributary.hub': 'north' },
    });
    trail.write({
      ...{ 'event.action': 'count', 'client.class': 'loopback', 'tributary.door': 'network graphql' },
      ...{ 'tributary.network': 'Four', 'tributary.query': 'c3', 'tributary.rows': 0 },
      'tributary.nodes': [
        { id: 'a', state: 'ok' },
        { id: 'b', state: 'NODE_TIMEOUT' },
      ],
    });
  }
  return dataPath;
};

const audit = async (dataPath: string, ...argv: readonly string[]) => {
  const { code, output } = await runHere(['audit', ...argv], { DATA_PATH: dataPath, CONFIGS_PATH: dataPath });
  return { code, lines: output.split('\n').slice(0, -1) };
};

test('the questions are printed, and chosen by time, caller, catalogue and door', async (t) => {
  const dataPath = withTrail(t);
  const all = await audit(dataPath);
  t.is(all.code, 0);
  t.is(all.lines.length, 12);
  t.is(
    all.lines[1],
    '2026-11-01T10:00:00.000Z  bob of https://id.org  donors  counts  graphql  count  NOT_DISCLOSED  0 rows  a1b2',
  );
  t.is(
    all.lines[3],
    '2026-11-01T10:00:00.000Z  anonymous (loopback)  network Four  -  network graphql  count  ok  0 rows  c3  a: ok  b: NODE_TIMEOUT',
  );
  const chosen = async (...argv: readonly string[]) => (await audit(dataPath, ...argv)).lines.length;
  t.is(await chosen('--since', '2026-11-02'), 8);
  t.is(await chosen('--since', '2026-11-02T12:00+02:00'), 8);
  t.is(await chosen('--who', 'bob'), 3);
  t.is(await chosen('--who', 'north'), 3);
  t.is(await chosen('--catalogue', 'c1'), 1);
  t.is(await chosen('--door', 'network graphql', '--who', 'ann'), 3);
  const { lines } = await audit(dataPath, '--json', '--who', 'bob');
  t.like(JSON.parse(lines[0]!), { 'user.id': 'bob', 'error.code': 'NOT_DISCLOSED' });
});

test('what callers are called can neither add a line nor hide one at a terminal', async (t) => {
  const dataPath = temporaryFolder(t, {});
  const trail = openAuditTrail({
    ...trailKeys(serverKey(undefined, dataPath, { warn: () => undefined })),
    ...{ folder: join(dataPath, 'audit'), required: true, days: 1, nowMs: () => 0 },
    warn: (error) => t.fail(String(error)),
  });
  trail.write(question('eve\n1970-01-01T00:00:00.000Z  ann\u001b[2K'));
  trail.write({ 'event.action': 'rules', 'file.path': 'access.json' });
  const { lines } = await audit(dataPath);
  t.deepEqual(lines, [
    '1970-01-01T00:00:00.000Z  eve\\u{000a}1970-01-01T00:00:00.000Z  ann\\u{001b}[2K of https://id.org  donors  counts  graphql  count  ok  0 rows  a1b2',
    '1970-01-01T00:00:00.000Z  rules  access.json',
  ]);
  t.deepEqual((await audit(dataPath, '--who', 'anonymous')).lines, []);
});

test('verify ends with 0 for a trail as it was written, and says that the last file is open', async (t) => {
  const { code, lines } = await audit(withTrail(t), 'verify');
  t.deepEqual(lines, [
    'audit-00000001.jsonl: 4 entries',
    'audit-00000002.jsonl: 4 entries',
    'audit-00000003.jsonl: 4 entries',
    '  it is not closed: it is being written, or the process was killed',
  ]);
  t.is(code, 0);
});

const changed = (file: string, change: (lines: readonly string[]) => readonly string[]): void => {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  writeFileSync(
    file,
    change(lines)
      .map((line) => `${line}\n`)
      .join(''),
  );
};

/** What was done to a trail, and what is said of it. */
const alterations: Readonly<
  Record<string, readonly [RegExp, (files: readonly string[], t: ExecutionContext) => void]>
> = {
  'a letter of a line': [
    /00002.jsonl: 4 entries, altered\n {2}line 4 does not follow the one before it/,
    ([, file]) => changed(file!, (lines) => lines.with(2, lines[2]!.replace('bob', 'eve'))),
  ],
  'a letter of a line of the open file': [
    /00003.jsonl: 4 entries, altered/,
    ([, , file]) => changed(file!, (lines) => lines.with(1, lines[1]!.replace('ann', 'eve'))),
  ],
  'the open file chained by hashes anew, which takes no key': [
    /00003.jsonl: 4 entries, altered\n {2}line 2 does not follow the one before it/,
    ([, , file]) =>
      changed(file!, ([first, ...lines]) =>
        lines.reduce<readonly string[]>(
          (before, line) => {
            const previous = hash('sha256', before.at(-1)!, 'hex');
            const entry = JSON.parse(line.replace('ann', 'eve')) as object;
            return [...before, JSON.stringify({ ...entry, 'tributary.previous': previous })];
          },
          [first!],
        ),
      ),
  ],
  'half a file': [/00001.jsonl before it was altered/, ([file]) => truncateSync(file!, 700)],
  'a file emptied': [/00002.jsonl before it was altered/, ([, file]) => truncateSync(file!, 0)],
  'bytes that are not text': [/altered/, ([file]) => appendFileSync(file!, Buffer.from([0xff, 0x0a]))],
  'two lines in another order': [
    /line 2 does not follow/,
    ([, file]) => changed(file!, (lines) => [lines[0]!, lines[2]!, lines[1]!, ...lines.slice(3)]),
  ],
  'two files in another order': [
    /its first line is not signed by this server/,
    ([one, two]) => {
      const text = readFileSync(one!);
      copyFileSync(two!, one!);
      writeFileSync(two!, text);
    },
  ],
  'a file removed': [/file 2 before it is missing/, ([, file]) => rmSync(file!)],
  'the first file removed': [
    /file 1 before it is missing, although AUDIT_DAYS are not over/,
    ([file]) => rmSync(file!),
  ],
  'a file of another server': [
    /00002.jsonl: 4 entries, altered\n {2}its first line is not signed by this server/,
    ([, file], t) => cpSync(join(withTrail(t), 'audit', 'audit-00000002.jsonl'), file!),
  ],
  'a file of another server added': [
    /00004.jsonl: 4 entries, altered/,
    ([, , file], t) =>
      cpSync(join(withTrail(t), 'audit', 'audit-00000003.jsonl'), file!.replace('03.', '04.')),
  ],
  'an older copy of the same file': [
    /00002.jsonl before it was altered/,
    ([, file]) => changed(file!, (lines) => lines.slice(0, 3)),
  ],
};

for (const [what, [expected, alter]] of Object.entries(alterations))
  test(`verify ends with 1 and names the file: ${what}`, async (t) => {
    const dataPath = withTrail(t);
    const folder = join(dataPath, 'audit');
    alter(
      readdirSync(folder)
        .sort()
        .map((name) => join(folder, name)),
      t,
    );
    const { code, lines } = await audit(dataPath, 'verify');
    t.is(code, 1);
    t.regex(lines.join('\n'), expected);
    // what can be read is printed all the same
    t.is((await audit(dataPath)).code, 0);
  });

test('the key of another server verifies nothing', async (t) => {
  const dataPath = withTrail(t);
  copyFileSync(join(withTrail(t), '@server.key'), join(dataPath, '@server.key'));
  t.is((await audit(dataPath, 'verify')).code, 1);
});

test('without a trail, and with options that are none, it says so', async (t) => {
  const missing = await audit(temporaryFolder(t, {}));
  t.is(missing.code, 1);
  t.regex(missing.lines.join(), /there is no audit trail/);
  const dataPath = withTrail(t);
  for (const argv of [['--since', 'soon'], ['check'], ['verify', 'twice'], ['--nobody']])
    t.is((await audit(dataPath, ...argv)).code, 2, argv.join(' '));
});

test('releases are written down with who made them: published, refused, withdrawn, and nothing of a dry run', async (t) => {
  const folder = temporaryFolder(t, {
    'configs/donors/base.json': JSON.stringify({
      catalogId: 'donors',
      documentType: 'donor',
      esIndex: 'donors',
    }),
    'configs/donors/disclosure.json': JSON.stringify({
      disclosure: {
        ...{ unit: 'donor_id', order: 2, releaseEvery: 'P9999D' },
        dimensions: [{ fieldName: 'sex', values: ['female', 'male'], other: false }],
      },
    }),
    'mapping.json': JSON.stringify({
      properties: { donor_id: { type: 'keyword' }, sex: { type: 'keyword' } },
    }),
    'records.ndjson': Array.from({ length: 120 }, (_, at) =>
      JSON.stringify({ donor_id: `D${at}`, sex: at % 2 === 0 ? 'female' : 'male' }),
    ).join('\n'),
  });
  const dataPath = join(folder, 'data');
  const settings = { DATA_PATH: dataPath, CONFIGS_PATH: join(folder, 'configs'), NODES_PATH: 'off' };
  const run = async (...argv: readonly string[]) => runHere(argv, settings);
  const [records, mapping] = ['records.ndjson', 'mapping.json'].map((name) => join(folder, name)) as [
    string,
    string,
  ];
  t.is((await run('load', records, '--index', 'donors', '--mapping', mapping)).code, 0);
  await run('release', '--dry-run');
  t.regex((await run('audit')).output, /there is no audit trail/);
  const { output } = await run('release');
  const [id] = /(?<=published as )[0-9a-f]{64}/.exec(output)!;
  await run('release');
  await run('release', '--correct', '--first');
  await run('release', '--withdraw', id);
  const written = await run('audit', '--json');
  const lines = written.output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  t.deepEqual(
    lines.map((line) => [
      line['tributary.release_outcome'],
      line['event.outcome'],
      line['tributary.release'],
      line['tributary.release_options'],
    ]),
    [
      ['published', 'success', id, undefined],
      ['refused', 'failure', null, undefined],
      ['refused', 'failure', null, ['first']],
      ['withdrawn', 'success', id, undefined],
    ],
  );
  for (const line of lines) {
    t.like(line, { 'event.action': 'release', 'tributary.catalogue': 'donors', 'tributary.door': 'command' });
    t.is(typeof line['user.name'], 'string');
  }
  t.notRegex(written.output, /120|required|changed/);
  t.regex(
    (await run('audit', '--door', 'command')).output,
    /the user \S+ of this machine {2}donors {2}- {2}command {2}release {2}published/,
  );
  t.is((await run('audit', 'verify')).code, 0);
});
