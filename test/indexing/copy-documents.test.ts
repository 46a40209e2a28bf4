import test from 'ava';
import type { Engine, Hit, WriteOperation } from '../../src/engines/engine.ts';
import { copyDocuments, type CopyStep } from '../../src/indexing/copy-documents.ts';

interface Pages {
  readonly engine: Engine;
  /** How many hits each page was to have. */
  readonly sizes: number[];
  /** The keys of each write. */
  readonly writes: string[][];
}

/** An engine of documents of a length by their number; it keeps what is written as keys. */
const pages = (count: number, lengthOf: (n: number) => number): Pages => {
  const found: Pages = { engine: undefined as unknown as Engine, sizes: [], writes: [] };
  const engine: Engine = {
    describe: () => Promise.reject(new Error('not asked')),
    search: (_index, { hits }) => {
      const { size, searchAfter } = hits!;
      found.sizes.push(size);
      const from = searchAfter === null ? 0 : Number(searchAfter[0]) + 1;
      const page = Array.from({ length: Math.min(size, count - from) }, (_, at): Hit => {
        const n = from + at;
        return { id: `d${n}`, source: { text: 'x'.repeat(lengthOf(n)) }, cursor: [n] };
      });
      return Promise.resolve({ hits: { total: null, hits: page }, facets: [], tookMs: 0, warnings: [] });
    },
    write: (_index, operations) => {
      found.writes.push(operations.map(({ id }) => id));
      return Promise.resolve(operations.map(() => ({ status: 'created' }) as const));
    },
    manage: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  return { ...found, engine };
};

const stepsOf = async ({ engine }: Pages, after: number | null = null): Promise<readonly CopyStep[]> => {
  const steps: CopyStep[] = [];
  const end = { engine, index: 'i' };
  for await (const step of copyDocuments(end, end, after === null ? null : [after])) steps.push(step);
  return steps;
};

test('small documents: pages grow, up to 2000', async (t) => {
  const small = pages(10_000, () => 20);
  const steps = await stepsOf(small);
  t.deepEqual(small.sizes.slice(0, 7), [100, 200, 400, 800, 1_600, 2_000, 2_000]);
  t.deepEqual(
    small.writes.flat(),
    Array.from({ length: 10_000 }, (_, n) => `d${n}`),
  );
  t.deepEqual(steps[1], { cursor: [299], created: 200, updated: 0 });
});

test('long documents: a page holds few, and a write less than what servers take', async (t) => {
  const long = pages(60, (n) => (n === 3 ? 20_000_000 : 1_000_000));
  await stepsOf(long);
  t.deepEqual(new Set(long.sizes.slice(1).map((size) => size <= 4)), new Set([true]));
  t.deepEqual(
    long.writes.flat(),
    Array.from({ length: 60 }, (_, n) => `d${n}`),
  );
  t.true(long.writes.every((keys) => keys.length < 8));
  t.true(long.writes.some((keys) => keys.length === 1 && keys[0] === 'd3'));
});

test('it goes on behind a cursor', async (t) => {
  const some = pages(150, () => 20);
  await stepsOf(some, 119);
  t.deepEqual(
    some.writes.flat(),
    Array.from({ length: 30 }, (_, n) => `d${n + 120}`),
  );
});

test('an answer that lacks a part is an error, a refusal names the document', async (t) => {
  const lacking = pages(10, () => 20);
  const search: Engine['search'] = async (index, query) => ({
    ...(await lacking.engine.search(index, query)),
    warnings: ['a shard failed'],
  });
  await t.throwsAsync(stepsOf({ ...lacking, engine: { ...lacking.engine, search } }), {
    message: /cannot be read completely: a shard failed/,
  });
  const refusing = pages(10, () => 20);
  const write: Engine['write'] = (_index, operations: readonly WriteOperation[]) =>
    Promise.resolve(
      operations.map(({ id }) =>
        id === 'd4'
          ? ({ status: 'refused', reason: 'n is no number', retryable: false } as const)
          : ({ status: 'created' } as const),
      ),
    );
  await t.throwsAsync(stepsOf({ ...refusing, engine: { ...refusing.engine, write } }), {
    code: 'INPUT_INVALID',
    message: 'document d4 was refused by the target: n is no number',
  });
});
