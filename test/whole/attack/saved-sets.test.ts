import test, { type ExecutionContext } from 'ava';
import type { RunningNode } from '../end-to-end/processes.ts';
import { answersPing, startVictim } from './victim.ts';

const books = Array.from({ length: 500 }, (_, at) => JSON.stringify({ id: `b${at}`, title: `Title ${at}` }));

const startKeeper = (t: ExecutionContext): Promise<RunningNode> =>
  startVictim(t, {
    books: books.join('\n'),
    settings: { ENABLE_SETS: 'true' },
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
