import { once } from 'node:events';
import test from 'ava';
import type { Engine, IndexAction } from '../../../src/engines/engine.ts';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { originProperties } from '../../../src/introspection/fields/field.ts';
import { fakeRepository, part, record } from './fake-repository.ts';
import { indexAll, keysOf, openQueue, run, storedDocuments } from './queue-fixture.ts';

const rebuild = indexAll({ rebuild: true });

/** The index behind a name. */
const behind = async (engine: Engine, name = 'things'): Promise<readonly string[]> =>
  (await engine.describe(name)).indices;

test('a fresh index takes the name, with the mapping and other names of the old one', async (t) => {
  const repository = fakeRepository({}, [record('a'), record('b')]);
  const { queue, engine, indexed } = await openQueue(t, [repository]);
  const properties = { name: { type: 'keyword' }, size: { type: 'double' } };
  await engine.manage({ kind: 'create', index: 'things', mapping: { dynamic: 'strict', properties } });
  await engine.manage({ kind: 'alias', alias: 'shown', indices: ['things'] });
  await run(queue, indexAll());
  repository.records = [record('b'), record('c', { size: 1 })];
  const job = await run(queue, rebuild);
  t.is(job.state, 'succeeded');
  t.deepEqual(job.counts, { fetched: 2, indexed: 2, removed: 0, skipped: 0, failed: 0 });
  t.deepEqual(await keysOf(engine, 'things'), ['b', 'c']);
  t.deepEqual(await keysOf(engine, 'shown'), ['b', 'c']);
  const description = await engine.describe('things');
  t.regex(description.indices.join(), /^things_\d{17}$/);
  t.deepEqual(description.properties, { ...properties, ...originProperties });
  t.is(description.dynamic, 'strict');
  t.is(indexed.at(-1), 'things');
});

test('a fresh index is made with the settings and the dynamic rules of the old one', async (t) => {
  const settings = { analysis: { analyzer: { plain: { type: 'keyword' } } }, number_of_shards: '3' };
  const dynamicRules = { date_detection: false };
  const created: IndexAction[] = [];
  const withSettings = (embedded: Engine): Engine => ({
    describe: async (index) => ({ ...(await embedded.describe(index)), settings, dynamicRules }),
    search: (...search) => embedded.search(...search),
    write: (...write) => embedded.write(...write),
    manage: async (action) => {
      if (action.kind === 'create') created.push(action);
      await embedded.manage(action);
    },
    close: () => embedded.close(),
  });
  const { queue } = await openQueue(t, [fakeRepository({}, [record('a')])], withSettings);
  await run(queue, rebuild);
  await run(queue, rebuild);
  const reported = created.map((action) => ('settings' in action ? action.settings : 'none'));
  t.deepEqual(reported, ['none', settings], 'the first one has nothing to be like');
  const [, second] = created;
  t.like(second, { mapping: dynamicRules });
});

test('each rebuild replaces the one before, which is deleted', async (t) => {
  const { queue, engine } = await openQueue(t, [fakeRepository({}, [record('a')])]);
  await run(queue, rebuild);
  const [first] = await behind(engine);
  await run(queue, rebuild);
  const [second] = await behind(engine);
  t.not(first, second);
  await t.throwsAsync(() => engine.describe(first!), { code: 'index_not_found' });
});

test('documents of other repositories, of other organizations and of none go along, as they were', async (t) => {
  const one = fakeRepository({}, [record('a'), record('p', {}, 'P')]);
  const other = fakeRepository({ code: 'archive' }, [record('b')]);
  const { queue, engine } = await openQueue(t, [one, other]);
  await run(queue, indexAll());
  await run(queue, indexAll({ repositoryCode: 'archive' }));
  await engine.write('things', [{ kind: 'upsert', id: 'loaded', document: { name: 'by hand' } }]);
  const before = await storedDocuments(engine);
  one.records = [record('c')];
  await run(queue, indexAll({ rebuild: true, organization: 'O' }));
  const after = await storedDocuments(engine);
  t.deepEqual(Object.keys(after).sort(), ['b', 'c', 'loaded', 'p']);
  for (const id of ['b', 'loaded', 'p']) t.deepEqual(after[id], before[id]);
});

test('a record that cannot be written goes along as it was, what could be written is not set back', async (t) => {
  const repository = fakeRepository({}, [
    record('a', { size: 1 }),
    part('f', 'r'),
    part('g', 'r'),
    record('d'),
  ]);
  const { queue, engine } = await openQueue(t, [repository]);
  await run(queue, indexAll());
  repository.records = [
    record('a', { size: 'large' }),
    { ...part('f', 'r'), recordId: 'r2' },
    part('g', 'r'),
  ];
  repository.failed.set('r', 'not readable');
  const job = await run(queue, rebuild);
  t.is(job.counts.failed, 2);
  const documents = await storedDocuments(engine);
  t.deepEqual(Object.keys(documents).sort(), ['a', 'f', 'g']);
  t.is(documents['a']!['size'], 1);
  t.is((documents['f']!['tributary_origin'] as Record<string, string>)['record'], 'r2');
});

test('readers see the old index until the new one is whole, and go on with it when that fails', async (t) => {
  const repository = fakeRepository(
    {},
    ['a', 'b', 'c', 'd', 'e'].map((id) => record(id)),
  );
  const { queue, engine } = await openQueue(t, [repository]);
  await run(queue, indexAll());
  const seen: number[] = [];
  const created: string[] = [];
  const { manage } = engine;
  Object.assign(engine, {
    manage: (action: Parameters<Engine['manage']>[0]) => {
      if (action.kind === 'create') created.push(action.index);
      return manage(action);
    },
  });
  repository.beforePage = async (page) => {
    seen.push((await keysOf(engine)).length);
    if (page === 2) throw new TributaryError('UPSTREAM_FAILED', 'gone');
  };
  t.is((await run(queue, rebuild)).state, 'failed');
  t.deepEqual(seen, [5, 5, 5]);
  t.deepEqual(await behind(engine), ['things']);
  t.is(created.length, 1);
  await t.throwsAsync(() => engine.describe(created[0]!), { code: 'index_not_found' });
});

test('without an index before, the name answers only when all is there', async (t) => {
  const repository = fakeRepository({}, [record('a'), record('b'), record('c')]);
  const { queue, engine } = await openQueue(t, [repository]);
  repository.beforePage = async () => {
    await t.throwsAsync(() => engine.describe('things'), { code: 'index_not_found' });
  };
  t.is((await run(queue, rebuild)).state, 'succeeded');
  t.deepEqual(await keysOf(engine), ['a', 'b', 'c']);
});

test('a cancelled rebuild leaves nothing', async (t) => {
  const repository = fakeRepository({}, [record('a')]);
  const { queue, engine } = await openQueue(t, [repository]);
  await run(queue, indexAll());
  const reached = Promise.withResolvers<null>();
  repository.beforePage = async (_page, signal) => {
    reached.resolve(null);
    await once(signal, 'abort');
  };
  const { jobId } = await queue.submit(rebuild);
  await reached.promise;
  t.is((await queue.cancel(jobId))?.state, 'cancelled');
  t.deepEqual(await behind(engine), ['things']);
});
