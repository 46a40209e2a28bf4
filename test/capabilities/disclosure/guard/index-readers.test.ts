import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import test from 'ava';
import { contextFor } from '../../../search/request-context.ts';
import type { Engine } from '../../../../src/engines/engine.ts';
import { catalogueGuard } from '../../../../src/capabilities/disclosure/guard/guard-catalogue.ts';
import { openReleaseStore } from '../../../../src/capabilities/disclosure/release/release-store.ts';
import { openRegistry, type Registry } from '../../../../src/local/registry.ts';
import type { Catalogue, CatalogueGuard } from '../../../../src/search/catalogue.ts';
import { temporaryFolder } from '../../../server/config/temporary-folder.ts';
import { bookConfig } from '../../../local/catalogue-fixture.ts';
import { cohortDisclosure } from '../cohort.ts';
import { documents } from '../doors/doors.ts';
import { folderWithRelease, throwingEngine } from '../served-release.ts';

/** Each name stands for the index named here. */
const engineWith = (names: Record<string, string>): Engine => {
  const engine = throwingEngine();
  return {
    ...engine,
    describe: async (name) => ({ ...(await engine.describe(name)), indices: [names[name] ?? name] }),
  };
};

const config = (catalogueId: string, esIndex: string, isGuarded: boolean) =>
  bookConfig({
    catalogueId,
    documentType: 'donor',
    esIndex,
    ...(isGuarded && { disclosure: cohortDisclosure }),
  });

const catalogueIn = (registry: Registry, id: string): Catalogue | null => {
  const state = registry.byId(id);
  return state?.status === 'available' ? state.catalogue : null;
};

/** What a catalogue says once it is opened beside those in use, which are then replaced if it is available. */
const besides = async (
  inUse: Registry,
  configs: readonly ReturnType<typeof config>[],
  engine: Engine,
  guard: CatalogueGuard,
): Promise<{ readonly registry: Registry; readonly problem: string | null }> => {
  const registry = await openRegistry(configs, engine, { guard }, inUse);
  const failed = registry.states().find(({ status }) => status === 'failed');
  if (failed?.status === 'failed') return { registry: inUse, problem: failed.error.message };
  registry.use();
  inUse.close();
  return { registry, problem: null };
};

const context = contextFor();
const question = { filters: null, filterThemselves: true, includeMissing: true, facets: [], hits: null };

test('a guarded catalogue and another one that reads its index under an alias are both closed', async (t) => {
  const folder = await folderWithRelease(t, documents);
  const names: Record<string, string> = { donors_now: 'donors', others: 'other' };
  const guard = catalogueGuard({ storeOf: (id) => openReleaseStore(folder, id) });
  const configs = [
    config('open', 'others', false),
    config('cohort', 'donors', true),
    config('apart', 'maps', false),
  ];
  const registry = await openRegistry(configs, engineWith(names), { guard });
  t.teardown(registry.close);
  const states = () => registry.states().map(({ status }) => status);
  t.deepEqual(states(), ['available', 'available', 'available']);
  const before = catalogueIn(registry, 'open')!;
  // the alias moves while both are served
  names['others'] = 'donors';
  await registry.refresh();
  t.deepEqual(states(), ['failed', 'failed', 'available']);
  t.regex(
    registry
      .states()
      .map((state) => (state.status === 'failed' ? state.error.message : ''))
      .join('\n'),
    /cohort and open serve the same index|open and cohort serve the same index/,
  );
  await t.throwsAsync(before.search(question, context), { message: /serve the same index/ });
  names['others'] = 'other';
  await registry.refresh();
  await registry.refresh();
  t.deepEqual(states(), ['available', 'available', 'available']);
});

test('from the start on, too, whichever is read first', async (t) => {
  const folder = await folderWithRelease(t, documents);
  for (const order of [
    [config('open', 'donors_now', false), config('cohort', 'donors', true)],
    [config('cohort', 'donors', true), config('open', 'donors_now', false)],
  ]) {
    const guard = catalogueGuard({ storeOf: (id) => openReleaseStore(folder, id) });
    const registry = await openRegistry(order, engineWith({ donors_now: 'donors' }), { guard });
    t.teardown(registry.close);
    for (const state of registry.states())
      if (state.status === 'available')
        await t.throwsAsync(state.catalogue.search(question, contextFor({ tierOf: () => 'records' })), {
          message: /serve the same index/,
        });
    await registry.refresh();
    t.deepEqual(
      registry.states().map(({ status }) => status),
      ['failed', 'failed'],
    );
  }
});

test('a refused configuration that would read a guarded index leaves both catalogues in use as they are', async (t) => {
  const folder = await folderWithRelease(t, documents);
  const guard = catalogueGuard({ storeOf: (id) => openReleaseStore(folder, id) });
  const configs = [config('open', 'others', false), config('cohort', 'donors', true)];
  const names = { donors_now: 'donors', others: 'other' };
  const engine = engineWith(names);
  const registry = await openRegistry(configs, engine, { guard });
  t.teardown(registry.close);
  const [open, cohort] = ['open', 'cohort'].map((id) => catalogueIn(registry, id)!);
  const changed = [config('open', 'donors_now', false), configs[1]!];
  const refused = await besides(registry, changed, engine, guard);
  t.regex(refused.problem!, /open and cohort serve the same index/);
  const records = contextFor({ tierOf: () => 'records' });
  for (const catalogue of [open!, cohort!]) {
    t.true(guard.isCurrent(catalogue));
    await t.notThrowsAsync(catalogue.search(question, records));
  }
  const next = await besides(registry, [config('open', 'maps', false), configs[1]!], engine, guard);
  t.teardown(next.registry.close);
  t.is(catalogueIn(next.registry, 'open')?.config.esIndex, 'maps');
});

test('what a guarded catalogue withheld stays withheld until a restart, however many reloads there are', async (t) => {
  const folder = await folderWithRelease(t, documents);
  const guard = catalogueGuard({ storeOf: (id) => openReleaseStore(folder, id) });
  const configs = [config('open', 'others', false), config('cohort', 'donors', true)];
  const engine = engineWith({ others: 'other' });
  const first = await openRegistry(configs, engine, { guard });
  const moved = config('cohort', 'maps', true);
  const { registry, problem } = await besides(first, [configs[0]!, moved], engine, guard);
  t.teardown(registry.close);
  t.is(problem, null);
  for (const changes of [{}, { showsRecords: true }]) {
    const wanted = [{ ...config('open', 'donors', false), ...changes }, moved];
    const refused = await besides(registry, wanted, engine, guard);
    t.regex(refused.problem!, /open and cohort serve the same index/);
    // nor once the guarded catalogue is no longer served
    const alone = await besides(registry, wanted.slice(0, 1), engine, guard);
    t.regex(alone.problem!, /open and cohort serve the same index/);
    t.is(catalogueIn(registry, 'open')?.config.esIndex, 'others');
  }
});

test('an alias that moves to a guarded index shows nothing, not even to the search that is running', async (t) => {
  const folder = await folderWithRelease(t, documents);
  const names: Record<string, string> = { others: 'other' };
  const guard = catalogueGuard({ storeOf: (id) => openReleaseStore(folder, id) });
  const engine: Engine = {
    ...engineWith(names),
    search: async (name, _query, { identify } = {}) => ({
      ...{ facets: [], tookMs: 1, warnings: [] },
      hits: { total: 400, hits: [] },
      ...(identify === true && { indices: [names[name] ?? name] }),
    }),
  };
  const configs = [
    config('open', 'others', false),
    config('cohort', 'donors', true),
    config('second', 'others_too', true),
  ];
  const registry = await openRegistry(configs, engine, { guard });
  t.teardown(registry.close);
  const counting = {
    ...question,
    hits: { first: 0, offset: 0, sort: [], searchAfter: null, trackTotal: true, fields: [] },
  };
  const records = contextFor({ tierOf: () => 'records' });
  for (const [id, name, caller] of [
    ['open', 'others', context],
    ['second', 'others_too', records],
  ] as const) {
    const { search } = catalogueIn(registry, id)!;
    t.is((await search(counting, caller)).total, 400);
    // nothing has checked the index since
    names[name] = 'donors';
    t.like(await t.throwsAsync(search(counting, caller)), { code: 'NOT_READY' });
    names[name] = 'newer';
    t.is((await search(counting, caller)).total, 400);
  }
  t.is((await catalogueIn(registry, 'cohort')!.search(counting, records)).total, 400);
});

test('of a guarded catalogue that is loaded anew under ever other names, only the last state is kept', async (t) => {
  const names: Record<string, string> = {};
  const guard = catalogueGuard({ storeOf: (id) => openReleaseStore(temporaryFolder(t, {}), id) });
  const registry = await openRegistry([config('cohort', 'donors', true)], engineWith(names), { guard });
  t.teardown(registry.close);
  const states: WeakRef<object>[] = [];
  for (let time = 0; time < 20; time += 1) {
    names['donors'] = `donors_${time}`;
    await registry.refresh();
    states.push(new WeakRef(catalogueIn(registry, 'cohort')!.fields));
  }
  setFlagsFromString('--expose-gc');
  await setImmediate();
  (runInNewContext('gc') as () => void)();
  const kept = states.filter((state) => state.deref() !== undefined);
  t.true(kept.length < 5, `${kept.length}`);
});
