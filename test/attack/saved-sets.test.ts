import test, { type ExecutionContext } from 'ava';
import type { RunningNode, Settings } from '../end-to-end/processes.ts';
import { answersPing, startVictim } from './victim.ts';

const books = Array.from({ length: 500 }, (_, at) => JSON.stringify({ id: `b${at}`, title: `Title ${at}` }));

const startKeeper = (t: ExecutionContext, settings: Settings = {}): Promise<RunningNode> =>
  startVictim(t, {
    books: books.join('\n'),
    // many saves at once wait for each other longer than that on a busy machine
    settings: { ENABLE_SETS: 'true', SEARCH_TIMEOUT_MS: '200000', QUERY_COST_PER_SECOND: '0', ...settings },
  });

interface Saved {
  readonly data?: Record<string, { readonly size: number } | null> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

const mutate = async ({ url }: RunningNode, query: string, variables: unknown = {}): Promise<Saved> => {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as Saved;
};

const saving = 'saveSet(type: book, userId: $userId, path: "title", sqon: {}) { size }';
const saveOne = `mutation ($userId: String) { ${saving} }`;

test('of many saves at once, by one user or by made-up ones, no more are kept than allowed', async (t) => {
  t.timeout(240_000);
  const node = await startKeeper(t, { MAX_SETS: '8', MAX_SETS_PER_USER: '3' });
  const all = await Promise.all([
    ...Array.from({ length: 20 }, () => mutate(node, saveOne, { userId: 'ann' })),
    ...Array.from({ length: 20 }, (_, at) => mutate(node, saveOne, { userId: `made up ${at}` })),
  ]);
  const kept = (answers: readonly Saved[]): number =>
    answers.filter(({ data }) => data?.['saveSet']?.size === 500).length;
  const codes = new Set(all.flatMap(({ errors = [] }) => errors.map(({ extensions }) => extensions.code)));
  t.deepEqual([...codes], ['CONFLICT']);
  t.true(kept(all.slice(0, 20)) <= 3);
  t.is(kept(all), 8);
});

test('sets of one request count as those of several', async (t) => {
  t.timeout(240_000);
  const node = await startKeeper(t, { MAX_SETS_PER_USER: '4' });
  const many = Array.from({ length: 15 }, (_, at) => `s${at}: ${saving}`).join(' ');
  const { data } = await mutate(node, `mutation ($userId: String) { ${many} }`, { userId: 'ann' });
  t.is(Object.values(data ?? {}).filter((set) => set !== null).length, 4);
});

test('sets that take too many bytes, alone or together, are refused and leave nothing', async (t) => {
  t.timeout(240_000);
  const node = await startKeeper(t, { MAX_SET_BYTES_PER_USER: '10000' });
  const outcomes: (number | string | undefined)[] = [];
  for (let time = 0; time < 3; time++) {
    const { data, errors } = await mutate(node, saveOne, { userId: 'ann' });
    outcomes.push(data?.['saveSet']?.size ?? errors?.[0]!.extensions.code);
  }
  t.deepEqual(outcomes, [500, 'CONFLICT', 'CONFLICT']);
  const kept = await mutate(node, '{ sets { hits { total } } }');
  t.like(kept, { data: { sets: { hits: { total: 1 } } } });
});

test('a user is named by at most 256 characters, whatever they are', async (t) => {
  t.timeout(240_000);
  const node = await startKeeper(t);
  for (const [userId, isKept] of [
    ['a'.repeat(256), true],
    ['a'.repeat(257), false],
    ['\u{1f4da}'.repeat(128), true],
    ['\u{1f4da}'.repeat(2_000_000), false],
    ['"; DROP TABLE sets', true],
    ['*', true],
    ['\u0000', true],
    ['\ud800', true],
  ] as const) {
    const { data, errors } = await mutate(node, saveOne, { userId });
    const shown = JSON.stringify(userId.slice(0, 20));
    if (isKept) t.is(data?.['saveSet']?.size, 500, `${shown}: ${errors?.[0]!.message}`);
    else t.true(data == null || data['saveSet'] == null, shown);
  }
  t.true(await answersPing(node));
});
