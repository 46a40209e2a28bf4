import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { writeFileSync } from 'node:fs';
import test from 'ava';
import { packagePath } from '../../src/cli/package-root.ts';
import { openEngine } from '../../src/engines/open.ts';
import type { IndexDescription } from '../../src/engines/engine.ts';
import { temporaryFolder } from './temporary-configs.ts';

interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** Runs `tributary load` as a process of its own in that folder. */
const load = async (folder: string, argv: readonly string[], input = ''): Promise<Outcome> => {
  const child = spawn(process.execPath, [packagePath('src/main.ts'), 'load', ...argv], {
    cwd: folder,
    env: { PATH: process.env.PATH, NODES_PATH: 'off', CONFIGS_PATH: 'configs', DATA_PATH: 'data' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
};

const describe = async (folder: string, index: string): Promise<IndexDescription> => {
  const engine = await openEngine({ kind: 'embedded', dataPath: join(folder, 'data') });
  try {
    return await engine.describe(index);
  } finally {
    await engine.close();
  }
};

const json = (...path: string[]): unknown => JSON.parse(readFileSync(join(...path), 'utf8'));
const ships = '{"id":"a","rig":"brig","crew":[{"name":"Ann"}]}\n{"id":"b","rig":"bark"}\n';

test('a new catalogue gets an index and a starter folder, and a second load updates', async (t) => {
  const folder = temporaryFolder({ 'ships.ndjson': ships });
  const first = await load(folder, ['ships.ndjson', '--catalogue', 'navy']);
  t.is(first.code, 0, first.output);
  t.regex(first.output, /loaded 2 documents into navy: 2 created, 0 updated, 0 rejected/);
  t.regex(first.output, /wrote base\.json, extended\.json, table\.json, facets\.json, mapping\.json/);
  t.deepEqual(json(folder, 'configs/navy/base.json'), { documentType: 'navy', esIndex: 'navy', maxDepth: 9 });
  t.like(await describe(folder, 'navy'), { documents: 2, properties: { crew: { type: 'nested' } } });

  const second = await load(folder, ['ships.ndjson', '--catalogue', 'navy']);
  t.is(second.code, 0, second.output);
  t.regex(second.output, /0 created, 2 updated/);
  t.notRegex(second.output, /wrote/);
});

test('a bulk body with a mapping file and further names, without any configuration', async (t) => {
  const mapping = { settings: {}, aliases: { fleet: {} }, mappings: { dynamic: false, properties: { rig: { type: 'keyword' } } } }; // prettier-ignore
  const bulk = '{"index":{"_id":"1"}}\n{"rig":"brig","more":1}\n';
  const folder = temporaryFolder({ 'm.json': mapping });
  writeFileSync(join(folder, 'docs'), gzipSync(bulk));
  const { code, output } = await load(folder, ['docs', '--index', 'ships_1', '--alias', 'ships', '--alias', 'boats', '--mapping', 'm.json']); // prettier-ignore
  t.is(code, 0, output);
  const described = await describe(folder, 'boats');
  t.deepEqual([...described.aliases].sort(), ['fleet', 'ships']);
  t.like(described, { indices: ['ships_1'], documents: 1, properties: { rig: { type: 'keyword' } } });
  t.false(existsSync(join(folder, 'configs')));
});

test('rejected lines do not fail a load and are kept with their numbers', async (t) => {
  const folder = temporaryFolder({ 'ships.ndjson': `${ships}{oops\n` });
  const { code, output } = await load(folder, ['ships.ndjson', '--index', 'ships']);
  t.is(code, 0);
  t.regex(output, /1 rejected lines, with their reasons, are in ships\.ndjson\.rejected\.ndjson/);
  t.like(json(folder, 'ships.ndjson.rejected.ndjson'), { line: 3, text: '{oops' });
});

test('standard input, without keys, into the index a catalogue names', async (t) => {
  const folder = temporaryFolder({ 'configs/navy/base.json': { documentType: 'ship', esIndex: 'ships_7' } });
  const { code, output } = await load(folder, ['-', '--catalogue', 'navy'], 'rig,guns\nbrig,8\nbark,\n');
  t.is(code, 0, output);
  t.regex(output, /keys are made of line number and content/);
  t.like(await describe(folder, 'ships_7'), { documents: 2, properties: { guns: { type: 'long' } } });
  t.false(existsSync(join(folder, 'configs/navy/mapping.json')));
});

test('an empty file and a mapping make the index, for whoever fills it later', async (t) => {
  const mapping = { mappings: { dynamic: 'strict', properties: { rig: { type: 'keyword' } } } };
  const folder = temporaryFolder({ 'm.json': mapping, 'ships.ndjson': '' });
  const { code, output } = await load(folder, ['ships.ndjson', '--index', 'ships', '--mapping', 'm.json']);
  t.is(code, 0, output);
  t.is(output, 'made the index ships with its mapping; the file holds no documents\n');
  t.like(await describe(folder, 'ships'), {
    documents: 0,
    dynamic: 'strict',
    properties: mapping.mappings.properties,
  });
});

test('a replacement leaves nothing of the old documents', async (t) => {
  const folder = temporaryFolder({ 'ships.ndjson': ships, 'others.ndjson': '{"id":"c","masts":3}\n' });
  await load(folder, ['ships.ndjson', '--index', 'ships']);
  const { code, output } = await load(folder, ['others.ndjson', '--index', 'ships', '--replace']);
  t.is(code, 0, output);
  const described = await describe(folder, 'ships');
  t.is(described.documents, 1);
  t.regex(described.indices[0] ?? '', /^ships_\d{17}$/);
  t.deepEqual(Object.keys(described.properties), ['id', 'masts']);
});

for (const [what, files, argv, code, message] of [
  ['a missing file', {}, ['none.csv', '--index', 'x'], 1, /cannot read none\.csv/],
  ['an empty file', { 'e.csv': '' }, ['e.csv', '--index', 'x'], 1, /the file holds no documents/],
  ['a file without one document', { 'b.ndjson': '{oops\n' }, ['b.ndjson', '--index', 'x'], 1, /no document could be loaded/], // prettier-ignore
  ['a broken mapping', { 'a.csv': 'a\n1\n', 'm.json': '{' }, ['a.csv', '--index', 'x', '--mapping', 'm.json'], 1, /cannot read the mapping m\.json/], // prettier-ignore
  [
    'a wrong command line',
    {},
    ['a.csv'],
    2,
    /either --catalogue ID or --index NAME[^]*Usage: tributary load/,
  ],
] as const)
  test(`${what} ends with ${String(code)} and says why`, async (t) => {
    const folder = temporaryFolder(files);
    const outcome = await load(folder, argv);
    t.is(outcome.code, code, outcome.output);
    t.regex(outcome.output, message);
  });

test('keys with dots are objects: in the mapping, the key, the documents; one that names no field is told', async (t) => {
  const lines = ['{"k.id":"1","o.n":1,"o":{"n":2}}', '{"k.id":"2","o..n":1}', '{"k":{"id":"3"},"o.":1}'];
  const folder = temporaryFolder({ 'dots.ndjson': lines.join('\n') });
  const { code, output } = await load(folder, ['dots.ndjson', '--index', 'dots', '--id-field', 'k.id']);
  t.regex(output, /loaded 1 documents into dots: 1 created, 0 updated, 2 rejected/, String(code));
  const { properties } = await describe(folder, 'dots');
  const keyword = { type: 'keyword', ignore_above: 8000 };
  t.deepEqual(properties, {
    k: { properties: { id: keyword } },
    o: { properties: { n: { type: 'long' } } },
  });
  const rejected = readFileSync(join(folder, 'dots.ndjson.rejected.ndjson'), 'utf8').trim().split('\n');
  t.deepEqual(
    rejected.map((line) => (JSON.parse(line) as { reason: string }).reason),
    ['o..n', 'o.'].map(
      (key) =>
        `the key "${key}" has an empty part: dots stand between the names of objects and fields, as in "a.b"`,
    ),
  );
});
