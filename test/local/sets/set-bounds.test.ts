import test from 'ava';
import { openSets } from '../../../src/local/sets/open-sets.ts';
import type { SetBounds } from '../../../src/local/sets/set-index.ts';
import { openNaiveEngine } from '../../engines/naive.ts';
import { library, run, type Answer } from './library.ts';

const plenty = { sets: 100, bytes: 1_000_000 };

const saving = 'saveSet(type: book, userId: $userId, path: "title", sqon: {}) { size }';

const opened = async (bounds: Partial<SetBounds>) => {
  const { engine, open } = await library();
  const catalogue = await open();
  const sets = openSets(engine, 'bounded', { bounds: { perUser: plenty, all: plenty, ...bounds } });
  const mutate = (userId: string | null, fields: string) =>
    run({ ...catalogue, sets }, `mutation($userId: String) { ${fields} }`, { userId });
  return { engine, mutate, save: (userId: string | null) => mutate(userId, saving) };
};

const saved = { data: { saveSet: { size: 4 } }, errors: [], codes: [] };
const refused = (message: string) => ({
  data: { saveSet: null },
  errors: [`${message}: delete older ones first`],
  codes: ['CONFLICT'],
});

test('a user has a bounded number of sets, others have theirs', async (t) => {
  const { save } = await opened({ perUser: { ...plenty, sets: 2 } });
  const over = (whose: string) => refused(`the sets ${whose} would be 3; the maximum is 2`);
  for (const [userId, whose] of [
    ['ann', 'of userId "ann"'],
    ['a*', 'of userId "a*"'],
    ['__missing__', 'of userId "__missing__"'],
    [null, 'without a userId'],
  ] as const) {
    t.deepEqual(await save(userId), saved);
    t.deepEqual(await save(userId), saved);
    t.deepEqual(await save(userId), over(whose));
  }
});

test('all users together have a bounded number of sets', async (t) => {
  const { save } = await opened({ all: { ...plenty, sets: 2 } });
  t.deepEqual([await save('ann'), await save('bob')], [saved, saved]);
  t.deepEqual(await save('cem'), refused('the saved sets of this server would be 3; the maximum is 2'));
});

test('the bytes of sets are bounded for each user and in all', async (t) => {
  const { engine, save } = await opened({});
  await save('ann');
  const { hits } = await engine.search('bounded', {
    hits: {
      filter: { kind: 'all' },
      size: 1,
      offset: 0,
      sort: [],
      searchAfter: null,
      trackTotal: false,
      source: null,
    },
    facets: [],
  });
  const bytes = Number(hits!.hits[0]!.source['bytes']);
  t.true(bytes > 100 && bytes < 1_000);
  const own = await opened({ perUser: { ...plenty, bytes: 2 * bytes } });
  t.deepEqual([await own.save('ann'), await own.save('bob'), await own.save('ann')], [saved, saved, saved]);
  // what is refused leaves nothing, so the second time says the same
  for (const time of ['first', 'second'])
    t.deepEqual(
      await own.save('ann'),
      refused(`the sets of userId "ann" would be ${3 * bytes} bytes; the maximum is ${2 * bytes}`),
      time,
    );
  const all = await opened({ all: { ...plenty, bytes: 2 * bytes - 1 } });
  t.deepEqual(await all.save('ann'), saved);
  t.deepEqual(
    await all.save('bob'),
    refused(`the saved sets of this server would be ${2 * bytes} bytes; the maximum is ${2 * bytes - 1}`),
  );
});

test('of saves at once, by one user or by made-up ones, no more succeed than fit', async (t) => {
  const { save } = await opened({ perUser: { ...plenty, sets: 3 }, all: { ...plenty, sets: 8 } });
  const kept = (answers: readonly Answer[]): number =>
    answers.filter(({ errors }) => errors.length === 0).length;
  const all = await Promise.all([
    ...Array.from({ length: 20 }, () => save('ann')),
    ...Array.from({ length: 20 }, (_, at) => save(`made up ${at}`)),
  ]);
  t.deepEqual([kept(all.slice(0, 20)), kept(all)], [3, 8]);
});

test('sets of one request count as those of several', async (t) => {
  const { mutate } = await opened({ perUser: { ...plenty, sets: 4 } });
  const many = Array.from({ length: 15 }, (_, at) => `s${at}: ${saving}`).join(' ');
  const { data } = await mutate('ann', many);
  t.is(Object.values(data as object).filter((set) => set !== null).length, 4);
});

test('an index of sets that does not map their bytes is made to', async (t) => {
  const engine = openNaiveEngine();
  await engine.manage({
    kind: 'create',
    index: 'old',
    mapping: { properties: { setId: { type: 'keyword' } } },
  });
  await openSets(engine, 'old').ready();
  t.deepEqual((await engine.describe('old')).properties['bytes'], { type: 'long' });
});
