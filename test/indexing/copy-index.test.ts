import test from 'ava';
import type { Engine, IndexAction } from '../../src/engines/engine.ts';
import { TributaryError } from '../../src/errors/errors.ts';
import { copyCheckpoint } from '../../src/indexing/copy-checkpoint.ts';
import { copiedName, copyIndex, type CopyProgress, type CopyRequest } from '../../src/indexing/copy-index.ts';
import { contents, cutAt, documents, ends, idOf, mapping, upsert, watched, type Ends } from './copy-ends.ts';

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
  await t.throwsAsync(copy(both), {
    code: 'CONFLICT',
    message: /interrupted after 300 documents: --resume continues/,
  });
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
  await t.throwsAsync(copy(both, { mode: 'resume' }), { code: 'CONFLICT', message: /already, with 999 documents, and no copy of it was interrupted/ }); // prettier-ignore
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
    message: /^document d00000 was refused by the target: /,
  });
});

test('settings that any server knows go along, and rules for new fields', async (t) => {
  const both = await ends(t);
  const settings = { number_of_shards: '3', analysis: { normalizer: {} }, 'analysis.x': 1, plugins: {} };
  const dynamicRules = { numeric_detection: true };
  const made: IndexAction[] = [];
  const described = async (name: string) => ({
    ...(await both.source.describe(name)),
    ...{ settings, dynamicRules },
  });
  const source: Engine = { ...both.source, describe: described };
  const target: Engine = {
    ...both.target,
    manage: (action) => {
      made.push(action);
      return both.target.manage(action);
    },
  };
  await copy({ ...both, source, target });
  const [create] = made;
  t.deepEqual(create?.kind === 'create' && create.settings, {
    ...{ number_of_shards: '3', analysis: { normalizer: {} }, 'analysis.x': 1 },
  });
  t.like(create, { mapping: dynamicRules });
});

test('a mapping that the target refuses leaves nothing behind', async (t) => {
  const both = await ends(t);
  const target: Engine = {
    ...both.target,
    manage: (action) =>
      action.kind === 'create'
        ? Promise.reject(new TributaryError('ENGINE_ERROR', 'no handler for type odd'))
        : both.target.manage(action),
  };
  await t.throwsAsync(copy({ ...both, target }), { message: 'no handler for type odd' });
  t.is((await copy(both)).documents, documents);
});

test('a copy that was cut before its index was made begins, one whose index is gone does not', async (t) => {
  const both = await ends(t);
  const checkpoint = copyCheckpoint(both.folder, 'ships', 'a', 'b');
  const state = { source: 'ships_1', index: 'ships_20260102030405006', replace: false, documents: 0 };
  checkpoint.write({ ...state, cursor: [7] });
  await t.throwsAsync(copy(both, { mode: 'resume' }), {
    code: 'CONFLICT',
    message: /does not exist: --replace/,
  });
  checkpoint.write({ ...state, source: 'ships_0', cursor: null });
  await t.throwsAsync(copy(both, { mode: 'resume' }), {
    code: 'CONFLICT',
    message: /was from ships_0, not/,
  });
  checkpoint.write({ ...state, cursor: null });
  t.deepEqual(await copy(both, { mode: 'resume' }), { index: state.index, documents, resumedAt: 0 });
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
