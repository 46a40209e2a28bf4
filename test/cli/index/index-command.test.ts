import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { bulkLines } from '../../../src/cli/index/index-command.ts';
import { markStoreDeleted } from '../../../src/engines/embedded/store/store-file.ts';
import { openEngine } from '../../../src/engines/open/open-engine.ts';
import { readDocuments } from '../../../src/indexing/read-documents.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import { run, type Settings } from '../../whole/end-to-end/processes.ts';
import { runApart } from '../run-here.ts';
import { collect } from '../../indexing/file-import/collect.ts';

const tributary = (folder: string, ...args: string[]) => tributaryWith({}, folder, args);

const tributaryWith = (settings: Settings, folder: string, args: readonly string[], input?: string) =>
  runApart(args, { DATA_PATH: join(folder, 'data'), NODES_PATH: 'off', ...settings }, input);

const mapping = {
  dynamic: 'strict',
  properties: {
    size: { type: 'long' },
    text: { type: 'keyword', ignore_above: 50 },
    weight: { type: 'double' },
    any: { type: 'object', enabled: false },
    items: { type: 'nested', properties: { k: { type: 'keyword' } } },
  },
};

const documents: Readonly<Record<string, JsonObject>> = {
  plain: { size: 1 },
  'with "quotes",\nlines \u{1F600}': { size: '9007199254740993', text: ['', '\u2028\u{1F600}', '\\'] },
  '3': { any: { '10': 1, '9': { __proto__x: [null, [], {}] } }, weight: 1e-7 },
  _id: { items: [{ k: 'a' }, { k: ['b', 'c'] }, {}], weight: -0.1 },
};

const filled = async (t: ExecutionContext): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const engine = await openEngine({ kind: 'embedded', dataPath: join(folder, 'data') });
  await engine.manage({ kind: 'create', index: 'films', mapping });
  await engine.manage({ kind: 'alias', alias: 'movies', indices: ['films'] });
  const upserts = Object.entries(documents).map(
    ([id, document]) => ({ kind: 'upsert', id, document }) as const,
  );
  const outcomes = await engine.write('films', [...upserts, { kind: 'delete', id: 'nothing' }]);
  t.deepEqual(
    outcomes.map(({ status }) => status),
    [...upserts.map(() => 'created'), 'notFound'],
  );
  await engine.close();
  return folder;
};

test('what export gives, load takes back as it was', async (t) => {
  const folder = await filled(t);
  const [exported, mapped] = [join(folder, 'films.ndjson'), join(folder, 'mapping.json')];
  const first = await tributary(folder, 'index', 'export', 'movies');
  await writeFile(exported, first.stdout);
  await writeFile(mapped, (await tributary(folder, 'index', 'mapping', 'films')).stdout);
  t.deepEqual(JSON.parse(await readFile(mapped, 'utf8')), { mappings: mapping });
  const loaded = await tributary(folder, 'load', exported, '--index', 'copy', '--mapping', mapped);
  t.regex(loaded.stdout, /4 created, 0 updated, 0 rejected/, loaded.stderr);
  t.is((await tributary(folder, 'index', 'export', 'copy')).stdout, first.stdout);
  t.is((await tributary(folder, 'index', 'mapping', 'copy')).stdout, await readFile(mapped, 'utf8'));
  const lines = first.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject);
  t.deepEqual(
    lines,
    Object.entries(documents)
      .flatMap(([id, document]) => [{ index: { _id: id } }, document])
      .sort(inOrderOf(lines)),
  );
});

/** The documents' keys come in the order of an object's keys, numbers first; only the content is compared. */
const inOrderOf = (lines: readonly JsonObject[]) => {
  const place = (line: JsonObject): number =>
    lines.findIndex((other) => JSON.stringify(other) === JSON.stringify(line));
  return (left: JsonObject, right: JsonObject): number => place(left) - place(right);
};

test('an index moves to another data folder through a pipe, and once more', async (t) => {
  const folder = await filled(t);
  const mapped = join(folder, 'mapping.json');
  await writeFile(mapped, (await tributary(folder, 'index', 'mapping', 'movies')).stdout);
  const exported = await run(['index', 'export', 'movies'], { DATA_PATH: join(folder, 'data') });
  const target = join(folder, 'elsewhere');
  const args = ['load', '-', '--index', 'films', '--alias', 'movies', '--mapping', mapped];
  const move = () => tributaryWith({ DATA_PATH: target }, folder, args, exported.output);
  t.regex((await move()).stdout, /4 created, 0 updated, 0 rejected/);
  t.regex((await move()).stdout, /0 created, 4 updated, 0 rejected/);
  const engine = await openEngine({ kind: 'embedded', dataPath: target });
  t.teardown(() => engine.close());
  t.like(await engine.describe('movies'), { indices: ['films'], documents: 4, ...mapping });
  t.is((await collect(bulkLines(readDocuments(engine, 'movies')))).join(''), exported.output);
});

test('a search server that is away fails export, and other commands are not for servers', async (t) => {
  const folder = await filled(t);
  const server = { SEARCH_ENGINE: 'opensearch', ES_HOST: 'http://name:secret@127.0.0.1:9' };
  for (const command of ['export', 'mapping']) {
    const { code, stderr } = await tributaryWith(server, folder, ['index', command, 'films']);
    t.is(code, 1);
    t.regex(stderr, /^tributary index: the search server could not be reached/);
    t.notRegex(stderr, /secret/);
  }
  const { code, stderr } = await tributaryWith(server, folder, ['index', 'list']);
  t.is(code, 1);
  t.regex(stderr, /list is for SEARCH_ENGINE=embedded/);
});

test('list, info, verify and compact tell of the indexes', async (t) => {
  const folder = await filled(t);
  const list = await tributary(folder, 'index', 'list');
  t.regex(list.stdout, /^index +documents .*\nfilms +4 .* movies\n$/);
  t.regex(
    (await tributary(folder, 'index', 'info', 'movies')).stdout,
    /documents +4\n[^]*items\.k +keyword\n/,
  );
  t.is((await tributary(folder, 'index', 'verify')).stdout, 'films: fine\n');
  t.regex(
    (await tributary(folder, 'index', 'compact')).stdout,
    /^films: nothing to give back of .*; the new snapshot takes .*\n$/,
  );
});

test('verify reports damage and fails; other indexes are verified all the same', async (t) => {
  const folder = await filled(t);
  await writeFile(join(folder, 'data', 'films.snapshot'), 'nonsense');
  await writeFile(join(folder, 'data', 'broken.sqlite'), 'x'.repeat(5_000));
  const { code, stdout, stderr } = await tributary(folder, 'index', 'verify');
  t.is(code, 1);
  t.regex(stdout, /^films: the snapshot is damaged/);
  t.regex(stderr, /^broken: the file of index broken is damaged/);
  const list = await tributary(folder, 'index', 'list');
  t.is(list.code, 1);
  t.regex(list.stdout, /films +4/);
  t.is((await tributary(folder, 'index', 'delete', 'broken')).stdout, 'broken: deleted\n');
  t.is((await tributary(folder, 'index', 'delete', 'movies')).code, 1);
  const withoutAge = (text: string) => text.replace(/written *|just now *|\d+ minutes? ago */g, '');
  t.is(withoutAge((await tributary(folder, 'index', 'list')).stdout), withoutAge(list.stdout));
  // the only one is named too
  await writeFile(join(folder, 'data', 'films.sqlite'), '');
  const only = await tributary(folder, 'index', 'verify');
  t.deepEqual([only.code, only.stderr], [1, 'films: the index is not complete\n']);
});

test('an index whose deletion was interrupted is none any more, but named until its files are removed', async (t) => {
  const folder = await filled(t);
  markStoreDeleted(join(folder, 'data', 'films.sqlite'));
  const list = await tributary(folder, 'index', 'list');
  t.deepEqual([list.code, list.stderr], [0, '']);
  t.regex(
    list.stdout,
    /^no indexes.*\nfilms: its deletion was interrupted.* tributary index delete films\n$/,
  );
  const verify = await tributary(folder, 'index', 'verify');
  t.deepEqual([verify.code, verify.stderr], [0, '']);
  t.regex((await tributary(folder, 'index', 'info', 'films')).stderr, /films does not exist/);
  t.is((await tributary(folder, 'index', 'delete', 'films')).stdout, 'films: deleted\n');
  t.deepEqual(await readdir(join(folder, 'data')), ['@aliases.sqlite']);
});

test('wrong command lines and unknown indexes', async (t) => {
  const folder = await filled(t);
  for (const args of [[], ['shrink'], ['export'], ['list', 'films'], ['info', 'films', 'movies']]) {
    const { code, stderr } = await tributary(folder, 'index', ...args);
    t.is(code, 2, args.join(' '));
    t.regex(stderr, /Usage: tributary index/);
  }
  const { code, stderr } = await tributary(folder, 'index', 'info', 'film');
  t.is(code, 1);
  t.is(stderr, 'tributary index: index film does not exist: there are films\n');
});
