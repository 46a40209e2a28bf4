import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import type { Engine, WriteOperation } from '../../../src/engines/engine.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import { openEngine } from '../../../src/engines/open/open-engine.ts';
import { all } from '../../../src/sqon/filter.ts';
import { field, terms } from '../cases/case.ts';

const mapping = {
  properties: { batch: { type: 'integer' }, size: { type: 'integer' }, tags: { type: 'keyword' } },
};
const tags = field('tags', 'keyword');

const folder = async (t: ExecutionContext): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), 'tributary-'));
  t.teardown(() => rm(path, { recursive: true }));
  return path;
};

const open = (dataPath: string): Promise<Engine> => openEngine({ kind: 'embedded', dataPath });

const batch = (number: number, size: number): readonly WriteOperation[] =>
  Array.from({ length: size }, (_, i) => ({
    kind: 'upsert',
    id: `b${number}-${i}`,
    document: { batch: number, size: i, tags: [`t${i % 3}`, 'all'] },
  }));

const idsOf = async (engine: Engine, filter = terms(tags, 'all')): Promise<readonly string[]> => {
  const hits = {
    filter,
    size: 100_000,
    offset: 0,
    sort: [],
    searchAfter: null,
    source: [],
    trackTotal: true,
  };
  const result = await engine.search('parts', { hits, facets: [] });
  return result.hits!.hits.map(({ id }) => id);
};

/** Runs `change` on the folder of a closed engine and tells what a new engine then finds. */
const reopened = async (t: ExecutionContext, change: (dataPath: string) => Promise<void>) => {
  const dataPath = await folder(t);
  const first = await open(dataPath);
  await first.manage({ kind: 'create', index: 'parts', mapping });
  await first.write('parts', batch(1, 50));
  await first.write('parts', [...batch(1, 10), { kind: 'delete', id: 'b1-20' }]);
  const before = await idsOf(first);
  await first.close();
  await change(dataPath);
  const second = await open(dataPath);
  t.deepEqual(await idsOf(second), before);
  await second.write('parts', batch(2, 5));
  t.is((await second.describe('parts')).documents, 54);
  t.is((await idsOf(second, terms(tags, 't1'))).length, 19);
  await second.close();
};

test('documents and their order survive a restart', (t) => reopened(t, async () => undefined));

test('a missing snapshot is made up for', (t) =>
  reopened(t, (dataPath) => rm(join(dataPath, 'parts.snapshot'))));

test('a snapshot with any changed byte is not believed', async (t) => {
  for (const position of [0, 5, 9, 40, 0.5, 0.99]) {
    await reopened(t, async (dataPath) => {
      const path = join(dataPath, 'parts.snapshot');
      const bytes = await readFile(path);
      const at = position < 1 ? Math.floor(bytes.length * position) : position;
      bytes[at]! ^= 0x55;
      await writeFile(path, bytes);
    });
  }
});

test('a snapshot cut short is not believed', (t) =>
  reopened(t, async (dataPath) => {
    const path = join(dataPath, 'parts.snapshot');
    await writeFile(path, (await readFile(path)).subarray(0, 200));
  }));

test('a snapshot older than the documents is completed', async (t) => {
  const dataPath = await folder(t);
  const path = join(dataPath, 'parts.snapshot');
  const first = await open(dataPath);
  await first.manage({ kind: 'create', index: 'parts', mapping });
  await first.write('parts', batch(1, 20));
  await first.close();
  const old = await readFile(path);
  const second = await open(dataPath);
  await second.write('parts', [...batch(2, 20), { kind: 'delete', id: 'b1-3' }, ...batch(1, 1)]);
  const expected = await idsOf(second);
  await second.close();
  await writeFile(path, old);
  const third = await open(dataPath);
  t.deepEqual(await idsOf(third), expected);
  await third.close();
});

test('what was acknowledged is there after the process was killed', async (t) => {
  const dataPath = await folder(t);
  const engine = await open(dataPath);
  await engine.manage({ kind: 'create', index: 'parts', mapping });
  await engine.close();
  const child = startChild(dataPath, 10_000, 40);
  let acknowledged = -1;
  for await (const line of createInterface(child.stdout)) {
    acknowledged = Number(line);
    if (acknowledged === 25) child.kill('SIGKILL');
  }
  const after = await open(dataPath);
  const found = await idsOf(after);
  // whole batches only, each without its deleted first document
  t.is(found.length % 39, 0);
  t.true(found.length >= (acknowledged + 1) * 39);
  t.true(found.includes(`b${acknowledged}-39`));
  await after.close();
});

test('what another process writes is seen, and both may write', async (t) => {
  const dataPath = await folder(t);
  const engine = await open(dataPath);
  t.teardown(() => engine.close());
  await engine.manage({ kind: 'create', index: 'parts', mapping });
  await engine.write('parts', batch(1, 2));
  const child = startChild(dataPath, 20, 50);
  const ended = once(child, 'exit');
  for (let i = 0; i < 10; i++)
    await engine.write('parts', [...batch(100 + i, 3), { kind: 'delete', id: `b${100 + i}-1` }]);
  t.deepEqual(await ended, [0, null]);
  const expected = 20 * 49 + 10 * 2;
  for (let i = 0; i < 1_200 && (await idsOf(engine)).length !== expected; i++) await sleep(50);
  const found = await idsOf(engine);
  t.is(found.length, expected);
  t.is(new Set(found).size, expected);
});

test('a field that joined inside an object keeps its own values after a restart', async (t) => {
  const dataPath = await folder(t);
  const first = await open(dataPath);
  const a = (properties: JsonObject): JsonObject => ({ a: { properties } });
  const keyword = { type: 'keyword' };
  const mapping = { properties: { ...a({ x: keyword }), b: { type: 'integer' } } };
  await first.manage({ kind: 'create', index: 'parts', mapping });
  await first.manage({ kind: 'extend', index: 'parts', properties: a({ x: keyword, y: keyword }) });
  await first.write('parts', [{ kind: 'upsert', id: 'd', document: { a: { x: 'X', y: 'Y' }, b: 7 } }]);
  await first.close();
  const second = await open(dataPath);
  t.teardown(() => second.close());
  for (const [path, type, value] of [
    ['a.x', 'keyword', 'X'],
    ['a.y', 'keyword', 'Y'],
    ['b', 'integer', 7],
  ] as const)
    t.deepEqual(await idsOf(second, terms(field(path, type), value)), ['d'], path);
});

test('a mapping grows on a live index, for other processes too', async (t) => {
  const dataPath = await folder(t);
  const [engine, other] = [await open(dataPath), await open(dataPath)];
  t.teardown(() => Promise.all([engine.close(), other.close()]));
  await engine.manage({
    kind: 'create',
    index: 'parts',
    mapping: { properties: { parts: { type: 'nested' } } },
  });
  const documents = [
    { a: 'x', parts: [{ b: 1 }, { b: [2, 3], c: { d: 'y' } }] },
    { a: ['x', 'z'], parts: { b: 'no' } },
  ];
  await engine.write(
    'parts',
    documents.map((document, i) => ({ kind: 'upsert', id: `d${i}`, document })),
  );
  t.is((await other.describe('parts')).documents, 2);
  const added = {
    a: { type: 'keyword' },
    parts: {
      type: 'nested',
      properties: { b: { type: 'integer' }, c: { type: 'nested', properties: { d: { type: 'keyword' } } } },
    },
  };
  await engine.manage({ kind: 'extend', index: 'parts', properties: added });
  await t.throwsAsync(
    engine.manage({ kind: 'extend', index: 'parts', properties: { a: { type: 'long' } } }),
    { code: 'CONFLICT' },
  );
  await engine.write('parts', [
    { kind: 'upsert', id: 'd2', document: { a: 'z', parts: [{ b: 2, c: [{ d: 'y' }] }] } },
  ]);
  await other.describe('parts');
  for (const one of [engine, other]) {
    t.deepEqual(await idsOf(one, terms(field('a', 'keyword'), 'x')), ['d0', 'd1']);
    const inParts = terms(field('parts.b', 'integer', 'parts'), 2);
    t.deepEqual(await idsOf(one, { kind: 'nested', path: 'parts', of: inParts }), ['d0', 'd2']);
    const inner = terms(field('parts.c.d', 'keyword', 'parts', 'parts.c'), 'y');
    t.deepEqual(await idsOf(one, { kind: 'nested', path: 'parts.c', of: inner }), ['d0', 'd2']);
  }
});

test('aliases, conflicts and deletion', async (t) => {
  const dataPath = await folder(t);
  const [engine, other] = [await open(dataPath), await open(dataPath)];
  t.teardown(() => Promise.all([engine.close(), other.close()]));
  for (const index of ['file_centric_1.0', '../Other'])
    await engine.manage({ kind: 'create', index, mapping });
  await t.throwsAsync(engine.manage({ kind: 'create', index: '../Other', mapping }), { code: 'CONFLICT' });
  await engine.write('file_centric_1.0', batch(1, 3));
  await engine.manage({ kind: 'alias', alias: 'parts', indices: ['file_centric_1.0'] });
  t.is((await idsOf(other)).length, 3);
  const { statistics, ...described } = await other.describe('parts');
  t.deepEqual(described, {
    indices: ['file_centric_1.0'],
    aliases: [],
    properties: mapping.properties,
    documents: 3,
  });
  t.is(statistics?.documents, 3);
  t.deepEqual((await other.describe('file_centric_1.0')).aliases, ['parts']);
  await engine.manage({ kind: 'alias', alias: 'parts', indices: ['../Other'] });
  t.deepEqual(await idsOf(other), []);
  const taken = { kind: 'alias', alias: '../Other', indices: ['file_centric_1.0'] } as const;
  await t.throwsAsync(engine.manage(taken), { code: 'CONFLICT' });
  await engine.manage({ ...taken, replacesIndex: true });
  t.deepEqual((await other.describe('../Other')).indices, ['file_centric_1.0']);
  await engine.manage({ kind: 'alias', alias: '../Other', indices: [] });
  await engine.manage({ kind: 'delete', index: '../Other' });
  await engine.manage({ kind: 'delete', index: '../Other' });
  await t.throwsAsync(other.search('../Other', { facets: [] }), { code: 'index_not_found' });
  await t.throwsAsync(other.write('../Other', batch(1, 1)), { code: 'index_not_found' });
  t.deepEqual(
    (await readdir(dataPath)).filter((name) => name.endsWith('.sqlite')),
    ['@aliases.sqlite', 'file_centric_1.0.sqlite'],
  );
});

test('cancelled and closed', async (t) => {
  const engine = await open(await folder(t));
  const signal = AbortSignal.abort();
  await t.throwsAsync(engine.search('parts', { facets: [] }, { signal }), { code: 'ENGINE_TIMEOUT' });
  await t.throwsAsync(engine.search('parts', { hits: undefined, facets: [] }), { code: 'index_not_found' });
  await engine.close();
  await t.throwsAsync(
    engine.search('parts', {
      facets: [{ field: tags, filter: all, objects: {}, measure: { kind: 'cardinality' } }],
    }),
    {
      code: 'ENGINE_UNAVAILABLE',
    },
  );
});

const startChild = (dataPath: string, batches: number, size: number) =>
  spawn(
    process.execPath,
    [join(import.meta.dirname, 'writing-child.ts'), dataPath, String(batches), String(size)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
