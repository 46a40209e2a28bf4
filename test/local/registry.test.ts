import test from 'ava';
import { TributaryError } from '../../src/lib/errors/errors.ts';
import type { JsonObject } from '../../src/lib/json/json.ts';
import type { CatalogueState } from '../../src/search/catalogue.ts';
import type { LocalSettings } from '../../src/local/search/settings.ts';
import { aggregateStatus, nextCheckMs, openRegistry } from '../../src/local/registry.ts';
import { bookConfig } from './catalogue-fixture.ts';
import { scriptedEngine } from './scripted-engine.ts';

const noTimers: LocalSettings = {
  refreshMs: 3_600_000,
  retryMs: 3_600_000,
  maxRetryMs: 3_600_000,
  statusMs: 0,
};

/** Indexes by name; those not in it are missing. */
const indexes = (mappings: Record<string, JsonObject>) =>
  scriptedEngine({
    describe: (index) => {
      const properties = mappings[index];
      if (properties === undefined) throw new TributaryError('index_not_found', `no index ${index}`);
      return { properties };
    },
  });

const catalogue = (catalogueId: string, esIndex: string) => bookConfig({ catalogueId, esIndex });
const title = { title: { type: 'keyword' } };

test('a repeated id is made unique, the first keeps it, whatever the case', async (t) => {
  const configs = ['a', 'A', 'a-2', 'a'].map((id) => catalogue(id, 'books'));
  const registry = await openRegistry(configs, indexes({ books: title }), noTimers);
  t.deepEqual(
    registry.states().map(({ config }) => config.catalogueId),
    ['a', 'A-3', 'a-2', 'a-4'],
  );
  t.is(registry.byId('A-2')?.config.catalogueId, 'a-2');
  t.is(registry.byId('nope'), undefined);
  registry.close();
});

test('a catalogue whose index appears comes back', async (t) => {
  const mappings: Record<string, JsonObject> = { books: title };
  const configs = [catalogue('here', 'books'), catalogue('later', 'tapes')];
  const registry = await openRegistry(configs, indexes(mappings), noTimers);
  t.is(aggregateStatus(registry.states()), 'degraded');
  mappings['tapes'] = title;
  await registry.refresh();
  t.is(registry.byId('later')?.status, 'available');
  t.is(aggregateStatus(registry.states()), 'healthy');
  registry.close();
});

test('a failed catalogue is tried again by itself', async (t) => {
  const mappings: Record<string, JsonObject> = {};
  const settings = { ...noTimers, retryMs: 5, maxRetryMs: 10 };
  const registry = await openRegistry([catalogue('later', 'tapes')], indexes(mappings), settings);
  t.is(registry.byId('later')?.status, 'failed');
  mappings['tapes'] = title;
  while (registry.byId('later')?.status === 'failed') await new Promise((resolve) => setTimeout(resolve, 5));
  t.is(registry.byId('later')?.status, 'available');
  registry.close();
});

test('a catalogue is the same until its mapping grows, then it is a new one', async (t) => {
  const mappings: Record<string, JsonObject> = { books: title };
  const registry = await openRegistry([catalogue('library', 'books')], indexes(mappings), noTimers);
  const before = registry.byId('library');
  await registry.refresh();
  t.is(registry.byId('library'), before);
  mappings['books'] = { ...title, pages: { type: 'long' } };
  await registry.refresh();
  const after = registry.byId('library');
  t.deepEqual(after?.status === 'available' ? [...after.catalogue.fields.keys()] : [], ['title', 'pages']);
  t.not(after, before);
  registry.close();
});

test('the status follows the engine, which is checked once for as long as the status is cached', async (t) => {
  const mappings: Record<string, JsonObject> = { books: title };
  let described = 0;
  const engine = scriptedEngine({
    describe: (index) => {
      described++;
      if (mappings[index] === undefined) throw new TributaryError('ENGINE_UNAVAILABLE', 'the engine is away');
      return { properties: mappings[index] };
    },
  });
  const registry = await openRegistry([catalogue('library', 'books')], engine, {
    ...noTimers,
    statusMs: 60_000,
  });
  const before = described;
  t.deepEqual(await Promise.all([registry.status(), registry.status()]), ['healthy', 'healthy']);
  t.is(described, before + 1);
  t.is(await registry.status(), 'healthy');
  t.is(described, before + 1);
  registry.close();

  const live = await openRegistry([catalogue('library', 'books')], engine, noTimers);
  delete mappings['books'];
  t.is(await live.status(), 'unhealthy');
  live.close();
});

test('the aggregate is healthy, degraded or unhealthy', (t) => {
  const failed = { status: 'failed' } as CatalogueState;
  const available = { status: 'available' } as CatalogueState;
  t.is(aggregateStatus([available, available]), 'healthy');
  t.is(aggregateStatus([available, failed]), 'degraded');
  t.is(aggregateStatus([failed, failed]), 'unhealthy');
});

/** An engine whose descriptions are sent by the test, and the callbacks that send them. */
const heldDescriptions = () => {
  const answers: ((properties: JsonObject) => void)[] = [];
  const engine = scriptedEngine({
    describe: async () => ({ properties: await new Promise<JsonObject>((resolve) => answers.push(resolve)) }),
  });
  /** Answers the latest description once it is requested. */
  const answer = async (properties: JsonObject): Promise<void> => {
    while (answers.length === 0) await new Promise(setImmediate);
    answers.pop()!(properties);
    await new Promise(setImmediate);
  };
  return { engine, answers, answer };
};

const titleAndPages = { ...title, pages: { type: 'integer' } };

test('a refresh checks again when a check is in progress that may have begun too early', async (t) => {
  const { engine, answer } = heldDescriptions();
  const opening = openRegistry([catalogue('books', 'books')], engine, noTimers);
  await answer(title);
  const registry = await opening;
  const status = registry.status();
  const refreshed = registry.refresh();
  await answer(title);
  await status;
  await answer(titleAndPages);
  await refreshed;
  const state = registry.byId('books');
  t.deepEqual(state?.status === 'available' && [...state.catalogue.fields.keys()], ['title', 'pages']);
  registry.close();
});

test('catalogues opened beside others share with them those whose configuration is equal', async (t) => {
  const engine = indexes({ books: title, tapes: title });
  const first = await openRegistry([catalogue('a', 'books'), catalogue('b', 'books')], engine, noTimers);
  const untouched = first.byId('b');
  const changed = { ...catalogue('a', 'tapes'), charts: { query: '{ title }' } };
  const next = await openRegistry(
    [changed, catalogue('b', 'books'), catalogue('c', 'books')],
    engine,
    noTimers,
    first,
  );
  next.use();
  t.deepEqual(
    next.states().map(({ config, status }) => [config.catalogueId, config.esIndex, status]),
    [
      ['a', 'tapes', 'available'],
      ['b', 'books', 'available'],
      ['c', 'books', 'available'],
    ],
  );
  t.is(next.byId('b'), untouched);
  t.is(first.byId('a')?.config.esIndex, 'books');
  t.is(first.byId('c'), undefined);
  first.close();
  next.close();
});

test('the wait before the next check doubles with each failure, up to the longest', (t) => {
  const settings = { refreshMs: 7, retryMs: 100, maxRetryMs: 900 };
  t.deepEqual(
    [0, 1, 2, 3, 4, 5, 5_000].map((failures) => nextCheckMs(failures, settings)),
    [7, 100, 200, 400, 800, 900, 900],
  );
  t.deepEqual(
    [0, 1, 6].map((failures) => nextCheckMs(failures, {})),
    [5_000, 1_000, 30_000],
  );
});
