import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { openEngine } from '../../src/engines/open.ts';
import type { Engine } from '../../src/engines/engine.ts';
import { TributaryError } from '../../src/errors.ts';
import { copyCheckpoint } from '../../src/indexing/copy-checkpoint.ts';
import { copiedName, copyIndex, type CopyProgress, type CopyRequest } from '../../src/indexing/copy-index.ts';
import type { JsonObject } from '../../src/json.ts';
import { all } from '../../src/sqon/filter.ts';

const documents = 1_000;
const mapping = {
  dynamic: false,
  properties: { n: { type: 'long' }, crew: { type: 'nested', properties: { name: { type: 'keyword' } } } },
};

const documentOf = (n: number): JsonObject => ({ n, kept: `${n}`, crew: [{ name: `c${n % 7}` }, {}] });
const idOf = (n: number): string => `d${String(n).padStart(5, '0')}`;
const upsert = (n: number, id = idOf(n)) => ({ kind: 'upsert' as const, id, document: documentOf(n) });

interface Ends {
  readonly source: Engine;
  readonly target: Engine;
  readonly folder: string;
}

/** A source with the index `ships_1`, also called `ships` and `fleet`, and an empty target. */
const ends = async (t: ExecutionContext): Promise<Ends> => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-copy-'));
  const [source, target] = await Promise.all(
    ['from', 'to'].map((end) => openEngine({ kind: 'embedded', dataPath: join(folder, end) })),
  );
  t.teardown(async () => {
    await Promise.all([source!.close(), target!.close()]);
    rmSync(folder, { recursive: true });
  });
  await source!.manage({ kind: 'create', index: 'ships_1', mapping });
  await source!.write(
    'ships_1',
    Array.from({ length: documents }, (_, n) => upsert(n)),
  );
  for (const alias of ['ships', 'fleet'])
    await source!.manage({ kind: 'alias', alias, indices: ['ships_1'] });
  return { source: source!, target: target!, folder };
};

const copy = (
  { source, target, folder }: Ends,
  request: Partial<CopyRequest> = {},
  onProgress?: (progress: CopyProgress) => void,
) =>
  copyIndex(
    source,
    target,
    { name: 'ships', body: null, mode: 'refuse', ...request },
    copyCheckpoint(folder, request.name ?? 'ships', 'a', 'b'),
    onProgress,
  );

/** An engine that calls `before` with the number of each write, from 1 on, and the index that is written to. */
const watched = (
  engine: Engine,
  before: (write: number, index: string) => Promise<unknown> | undefined,
): Engine => {
  let writes = 0;
  return {
    ...engine,
    write: async (index, operations) => {
      await before((writes += 1), index);
      return engine.write(index, operations);
    },
  };
};

const cutAt = (last: number) => (write: number) => {
  if (write >= last) throw new TributaryError('ENGINE_ERROR', 'the power is gone');
  return undefined;
};

const contents = async (engine: Engine, name: string): Promise<ReadonlyMap<string, JsonObject>> => {
  const { hits } = await engine.search(name, {
    hits: {
      filter: all,
      size: 10_000,
      offset: 0,
      sort: [],
      searchAfter: null,
      source: null,
      trackTotal: true,
    },
    facets: [],
  });
  return new Map(hits!.hits.map(({ id, source }) => [id, source]));
};

test('documents, mapping and aliases arrive, under a name of their own', async (t) => {
  const both = await ends(t);
  const seen: CopyProgress[] = [];
  const report = await copy(both, {}, (progress) => seen.push(progress));
  t.regex(report.index!, /^ships_\d{17}$/);
  t.like(report, { documents, resumedAt: 0 });
  const described = await both.target.describe('ships');
  t.like(described, { indices: [report.index!], dynamic: false, properties: mapping.properties });
  t.deepEqual([...described.aliases], ['fleet']);
  t.deepEqual(await contents(both.target, 'ships'), await contents(both.source, 'ships'));
  t.deepEqual(seen.at(-1), { created: documents, updated: 0, documents, total: documents });
});

test('a copy that was cut answers to no name, and goes on where it was', async (t) => {
  const both = await ends(t);
  await t.throwsAsync(copy({ ...both, target: watched(both.target, cutAt(3)) }), { message: 'the power is gone' }); // prettier-ignore
  await t.throwsAsync(both.target.describe('ships'), { code: 'index_not_found' });
  await t.throwsAsync(copy(both), { code: 'CONFLICT', message: /cut after 300 documents: --resume goes on/ });
  const seen: CopyProgress[] = [];
  const report = await copy(both, { mode: 'resume' }, (progress) => seen.push(progress));
  t.like(report, { documents, resumedAt: 300 });
  t.like(seen.at(-1), { created: 700, updated: 0, documents });
  t.deepEqual(await contents(both.target, 'fleet'), await contents(both.source, 'ships'));
});

test('a resumed copy leaves alone what is complete', async (t) => {
  const both = await ends(t);
  await copy(both);
  const { indices } = await both.target.describe('ships');
  t.deepEqual(await copy(both, { mode: 'resume' }), { index: null, documents, resumedAt: 0 });
  t.deepEqual((await both.target.describe('ships')).indices, indices);
  await both.target.write('ships', [{ kind: 'delete', id: idOf(1) }]);
  await t.throwsAsync(copy(both, { mode: 'resume' }), { code: 'CONFLICT', message: /already, with 999 documents, and no copy of it was cut/ }); // prettier-ignore
});

test('without the same count nothing takes the name; a resumed copy reads all again', async (t) => {
  const both = await ends(t);
  const { target } = both;
  const lossy = watched(target, (write, index) =>
    write === 3 ? target.write(index, [{ kind: 'delete', id: idOf(1) }]) : undefined,
  );
  await t.throwsAsync(copy({ ...both, target: lossy }), {
    code: 'CONFLICT',
    message: /the source has 1000 documents, the copy 999/,
  });
  await t.throwsAsync(target.describe('ships'), { code: 'index_not_found' });
  t.like(await copy(both, { mode: 'resume' }), { documents, resumedAt: 0 });
  t.deepEqual(await contents(target, 'ships'), await contents(both.source, 'ships'));
});

test('documents written meanwhile are copied too, and deleted ones are noticed', async (t) => {
  const both = await ends(t);
  const { source } = both;
  const during = (work: () => Promise<unknown>) =>
    watched(both.target, (write) => (write === 2 ? work() : undefined));
  const added = during(() => source.write('ships', [upsert(-1, 'a comes first')]));
  t.is((await copy({ ...both, target: added })).documents, documents + 1);
  const deleted = during(() => source.write('ships', [{ kind: 'delete', id: idOf(2) }]));
  await t.throwsAsync(copy({ ...both, target: deleted }, { mode: 'replace' }), {
    message: /the source has 1000 documents, the copy 1001/,
  });
  t.is((await copy(both, { mode: 'replace' })).documents, documents);
});

test('what the target has stays until a replacement is complete', async (t) => {
  const both = await ends(t);
  await both.target.manage({ kind: 'create', index: 'ships', mapping });
  await both.target.write('ships', [upsert(5)]);
  await t.throwsAsync(copy(both), { code: 'CONFLICT', message: /the target has ships already, with 1 documents: --replace/ }); // prettier-ignore
  await t.throwsAsync(copy({ ...both, target: watched(both.target, cutAt(2)) }, { mode: 'replace' }));
  t.is((await both.target.describe('ships')).documents, 1);
  const { index } = await copy(both, { mode: 'resume' });
  t.deepEqual((await both.target.describe('ships')).indices, [index!]);
  t.is((await both.target.describe('ships')).documents, documents);
});

test('a replacement begins anew and leaves nothing of the copies before', async (t) => {
  const both = await ends(t);
  const before = await copy(both);
  await t.throwsAsync(copy({ ...both, target: watched(both.target, cutAt(2)) }, { mode: 'replace' }));
  const after = await copy(both, { mode: 'replace' });
  t.deepEqual((await both.target.describe('fleet')).indices, [after.index!]);
  await t.throwsAsync(both.target.describe(before.index!), { code: 'index_not_found' });
});

test('a document that the target refuses is named', async (t) => {
  const both = await ends(t);
  const body = { mapping: { dynamic: 'strict', properties: { n: { type: 'long' } } }, aliases: ['boats'] };
  await t.throwsAsync(copy(both, { body }), {
    code: 'INPUT_INVALID',
    message: /^document d00000 is refused by the target: /,
  });
});

test('a mapping of its own for the copy, with its aliases', async (t) => {
  const both = await ends(t);
  const body = { mapping: { dynamic: false, properties: { n: { type: 'double' } } }, aliases: ['boats'] };
  await copy(both, { body });
  const { properties, aliases } = await both.target.describe('ships');
  t.deepEqual(properties, { n: { type: 'double' } });
  t.deepEqual([...aliases].sort(), ['boats', 'fleet']);
});

test('an alias that is an index at the target is said before anything is copied', async (t) => {
  const both = await ends(t);
  await both.target.manage({ kind: 'create', index: 'fleet', mapping });
  const writes: number[] = [];
  const target = watched(both.target, (write) => {
    writes.push(write);
    return undefined;
  });
  await t.throwsAsync(copy({ ...both, target }), { code: 'CONFLICT', message: /the alias fleet cannot be/ });
  t.deepEqual(writes, []);
});

test('indexes behind one alias are copied one by one', async (t) => {
  const both = await ends(t);
  await both.source.manage({ kind: 'create', index: 'ships_2', mapping });
  await both.source.manage({ kind: 'alias', alias: 'ships', indices: ['ships_1', 'ships_2'] });
  await t.throwsAsync(copy(both), { code: 'CONFLICT', message: /ships_1, ships_2/ });
  const first = await copy(both, { name: 'ships_1' });
  const second = await copy(both, { name: 'ships_2' });
  t.deepEqual(
    [...(await both.target.describe('ships')).indices].sort(),
    [first.index!, second.index!].sort(),
  );
  t.is((await both.target.describe('ships_2')).documents, 0);
});

test('a copy within one engine takes the place of the index it comes from', async (t) => {
  const both = await ends(t);
  const one = { ...both, target: both.source };
  await t.throwsAsync(copy(one), { code: 'CONFLICT' });
  const before = await contents(both.source, 'ships');
  const { index } = await copy(one, { mode: 'replace' });
  t.deepEqual((await both.source.describe('fleet')).indices, [index!]);
  t.deepEqual(await contents(both.source, 'ships'), before);
});

test('an index that a replacement filled is copied under the name it answers to', (t) => {
  t.is(copiedName('ships_20260102030405006', ['fleet', 'ships']), 'ships');
  t.is(copiedName('ships_1', ['fleet', 'ships']), 'ships_1');
});
