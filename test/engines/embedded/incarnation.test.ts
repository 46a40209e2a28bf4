import { cp } from 'node:fs/promises';
import test, { type ExecutionContext } from 'ava';
import { openEmbeddedEngine } from '../../../src/engines/embedded/embedded-engine.ts';
import { withoutIncarnation } from '../../../src/engines/semantics/incarnation.ts';
import type { CursorValue, Engine, Hit, SortKey } from '../../../src/engines/engine.ts';
import { all } from '../../../src/sqon/filter.ts';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';

const ids = Array.from({ length: 40 }, (_, at) => `shell-${at}`);
const kinds = ['cone', 'whelk', 'cowrie'];
const documents = ids.map((id, at) => ({ id, document: { kind: kinds[at % 3]! } }));

const fill = async (engine: Engine, shells = documents): Promise<void> => {
  await engine.manage({
    kind: 'create',
    index: 'shells',
    mapping: { properties: { kind: { type: 'keyword' } } },
  });
  await engine.write(
    'shells',
    shells.map((one) => ({ kind: 'upsert', ...one })),
  );
};

const opened = (t: ExecutionContext, folder: string): Engine => {
  const engine = openEmbeddedEngine(folder, 0);
  t.teardown(() => engine.close());
  return engine;
};

const byKind: SortKey = {
  field: { path: 'kind', type: 'keyword', nestedIn: [] },
  ...{ order: 'asc', mode: 'min', missing: 'last' },
};

const page = async (
  engine: Engine,
  searchAfter: readonly CursorValue[] | null,
  sort: readonly SortKey[] = [],
): Promise<readonly Hit[]> => {
  const hits = { filter: all, size: 10, offset: 0, sort, searchAfter, source: [], trackTotal: false };
  return (await engine.search('shells', { hits, facets: [] })).hits!.hits;
};

const refused = {
  code: 'BAD_USER_INPUT',
  message:
    'searchAfter was made for another copy of the index, or before it was replaced; start again from the first page',
} as const;

for (const sort of [[], [byKind]]) {
  const title = sort.length === 0 ? 'without a sort' : 'with a sort';

  test(`two servers with the same records in another order refuse each other's cursors, ${title}`, async (t) => {
    const [left, right] = [opened(t, temporaryFolder(t, {})), opened(t, temporaryFolder(t, {}))];
    await fill(left);
    await fill(right, documents.toReversed());
    const first = await page(left, null, sort);
    const error = await t.throwsAsync(page(right, first.at(-1)!.cursor, sort), refused);
    t.like(error, { details: { startAgain: true } });
    t.is((await page(left, first.at(-1)!.cursor, sort)).length, 10);
  });

  test(`every row comes once, across a restart and in a copy of the folder, ${title}`, async (t) => {
    const folder = temporaryFolder(t, {});
    const engine = openEmbeddedEngine(folder, 0);
    await fill(engine);
    const first = await page(engine, null, sort);
    await engine.close();
    const copy = temporaryFolder(t, {});
    await cp(folder, copy, { recursive: true });
    const seen = first.map(({ id }) => id);
    let cursor = first.at(-1)!.cursor;
    for (const place of [folder, copy, folder]) {
      const again = openEmbeddedEngine(place, 0);
      const next = await page(again, cursor, sort);
      await again.close();
      seen.push(...next.map(({ id }) => id));
      cursor = next.at(-1)!.cursor;
    }
    t.deepEqual(seen.toSorted(), ids.toSorted());
  });

  test(`a cursor from before the index was replaced is refused, ${title}`, async (t) => {
    const engine = opened(t, temporaryFolder(t, {}));
    await fill(engine);
    const { cursor } = (await page(engine, null, sort)).at(-1)!;
    await engine.manage({ kind: 'delete', index: 'shells' });
    await fill(engine, documents.toReversed());
    await t.throwsAsync(page(engine, cursor, sort), refused);
  });
}

test('a document number alone is refused; sort values alone are not', async (t) => {
  const engine = opened(t, temporaryFolder(t, {}));
  await fill(engine);
  for (const tieBreak of [17, '17', 'values:;17', 'x']) {
    const message = `searchAfter ends with ${JSON.stringify(tieBreak)}, which is not a tie-break of this engine`;
    await t.throwsAsync(page(engine, [tieBreak]), { code: 'BAD_USER_INPUT', message });
    await t.throwsAsync(page(engine, ['cone', tieBreak], [byKind]), { code: 'BAD_USER_INPUT', message });
  }
  const [next] = await page(engine, ['cone'], [byKind]);
  t.is(next!.cursor[0], 'cowrie');
});

test('the note on the values before a document number is kept', (t) => {
  t.deepEqual(withoutIncarnation(['Infinity', 'values:0;17@own'], 1, 'own'), ['Infinity', 'values:0;17']);
  t.deepEqual(withoutIncarnation([17, '17@own'], 1, 'own'), [17, 17]);
});
