import test, { type ExecutionContext } from 'ava';
import type { CursorValue, Engine, Hit } from '../../../../src/engines/engine.ts';
import { all } from '../../../../src/sqon/filter.ts';
import { scriptedServer, type Script } from '../scripted-server.ts';

/** A server whose index may be replaced: by one of another uuid, under the same name or behind an alias. */
const replaceable = () => {
  const state = { uuid: 'first', onSearch: (): void => {} };
  const script: Script = () => {
    const hits = ['a', 'b'].map((id, at) => ({ _id: id, _source: {}, sort: [7 + at, 4_294_967_296 + at] }));
    state.onSearch();
    return { body: { responses: [{ hits: { hits }, _shards: { total: 1, failed: 0 }, status: 200 }] } };
  };
  const start = (t: ExecutionContext, product: 'opensearch' | 'elasticsearch') =>
    scriptedServer(t, product, script, 'detect', () => state.uuid);
  return { state, start };
};

const page = async (
  engine: Engine,
  searchAfter: readonly CursorValue[] | null = null,
): Promise<readonly Hit[]> => {
  const hits = { filter: all, size: 2, offset: 0, sort: [], searchAfter, source: [], trackTotal: false };
  return (await engine.search('shells', { hits, facets: [] })).hits!.hits;
};

const refused = { code: 'BAD_USER_INPUT', message: /start again from the first page$/ } as const;

test('elasticsearch 8: a cursor names its index, and is sent without the name', async (t) => {
  const { start } = replaceable();
  const { engine, requested } = await start(t, 'elasticsearch');
  const [, last] = await page(engine);
  t.regex(String(last!.cursor[0]), /^8:4294967297@[\w-]{8}$/);
  await page(engine, last!.cursor);
  const { body } = requested[1]!;
  t.regex(body, /"search_after":\[8,6442450943\]/);
});

test('elasticsearch 8: a cursor of an index that was replaced is refused', async (t) => {
  const { state, start } = replaceable();
  const { engine } = await start(t, 'elasticsearch');
  const [, last] = await page(engine);
  state.uuid = 'second';
  const error = await t.throwsAsync(page(engine, last!.cursor), refused);
  t.like(error, { details: { startAgain: true } });
  await t.throwsAsync(page(engine, ['8:4294967297']), {
    code: 'BAD_USER_INPUT',
    message: 'searchAfter ends with "8:4294967297", which is not a tie-break of this engine',
  });
});

test('elasticsearch 8: a page is refused whose index is replaced while it is searched', async (t) => {
  const { state, start } = replaceable();
  const { engine } = await start(t, 'elasticsearch');
  const [, last] = await page(engine);
  state.onSearch = () => void (state.uuid = 'second');
  await t.throwsAsync(page(engine, last!.cursor), refused);
});

test('opensearch: cursors of what may be several indexes end with key and index', async (t) => {
  const { start } = replaceable();
  const { engine } = await start(t, 'opensearch');
  const [, last] = await page(engine);
  t.deepEqual(last!.cursor, ['8#4294967297']);
});
