import test from 'ava';
import { fieldMappingOf } from '../../../src/federation/nodes/node-view.ts';
import {
  groupedSearch,
  positionPrinter,
  readPosition,
} from '../../../src/federation/sorting/grouped-search.ts';
import type { TranslatedSort } from '../../../src/federation/sorting/sort-groups.ts';
import { knownValues } from '../../../src/federation/sorting/sort-groups.ts';
import { fieldsOf } from '../collection.ts';
import { rankOf, type CatalogueHit, type SearchFn } from '../../../src/search/query.ts';
import { contextOf } from '../node-fixtures.ts';

const sortOf = (...listings: readonly Readonly<Record<string, string>>[]): TranslatedSort => {
  const keys = listings.map((listing, at) => {
    const path = `f${at}`;
    const values = new Map([[path, new Map(Object.entries(listing))]]);
    const map = fieldMappingOf({ fields: new Map(), values }).valuesOf(path)!;
    return { path, map, key: { field: { path, type: 'keyword' }, order: 'asc', missing: 'first' } as const };
  });
  return {
    ownKeys: keys.map(({ key }) => key),
    shownKeys: keys.map(({ key }) => key),
    translated: keys.map(({ path, map }, at) => ({
      ...{ at, values: map, mode: 'min', isListed: false, isRemote: false },
      field: fieldsOf({ [path]: 'keyword' }).get(path)!,
    })),
  };
};
const sortKeys = [{ fieldName: 'f0', order: 'asc' }] as const;
const position = {
  known: [['a', 'b']],
  reached: new Map([
    [0, ['x', 3]],
    [1, null],
  ]),
};

test('a position is read as it was printed', (t) => {
  const sort = sortOf({ F: 'Female' });
  const text = positionPrinter(sort, sortKeys)(position);
  t.deepEqual(readPosition(['Female', text], sort, sortKeys), position);
});

test('one that was made for other values, another sort, or is none at all, is refused', (t) => {
  const sort = sortOf({ F: 'Female' });
  const text = positionPrinter(sort, sortKeys)(position);
  const differently =
    'searchAfter was made when a node translated values differently; start again from the first page';
  t.throws(() => readPosition(['Female', text], sortOf({ F: 'Woman' }), sortKeys), { message: differently });
  const descending = [{ fieldName: 'f0', order: 'desc' }] as const;
  t.throws(() => readPosition(['Female', text], sort, descending), { message: differently });
  for (const other of ['17', '[]', 'values', '["x",[],[]]', '["x",[["a"]],[[-1,null]]]', null])
    t.throws(() => readPosition(['Female', other], sort, sortKeys), {
      code: 'BAD_USER_INPUT',
      message: 'searchAfter does not fit the values that a node translates; start again from the first page',
    });
});

test('a position of more groups than a node is queried for is refused, whoever wrote it', (t) => {
  const sort = sortOf({ F: 'Female' }, { Y: 'yes' });
  const keys = [...sortKeys, { fieldName: 'f1', order: 'asc' }] as const;
  const read = (...lengths: readonly number[]) => {
    const known = lengths.map((length) => Object.values(many(length)));
    return readPosition(['a', 'b', positionPrinter(sort, keys)({ known, reached: new Map() })], sort, keys);
  };
  t.is(read(15, 15).known.length, 2);
  t.throws(() => read(15, 16), { message: /does not fit the values that a node translates/ });
});

test('a node that returns less than requested is read to its end on every page', async (t) => {
  const sort = sortOf({ F: 'Female' });
  const ids = Array.from({ length: 10 }, (_, at) => at);
  const search: SearchFn = async ({ hits: page }) => {
    const isRest = page!.sort.length > 0;
    const after = Number(page!.searchAfter?.[0] ?? -1);
    const found = isRest ? [] : ids.filter((id) => id > after).slice(0, Math.min(3, page!.first));
    const rows = found.map((id) => ({ id: `${id}`, source: {}, cursor: [id] }));
    return { total: isRest ? 0 : ids.length, facets: [], hits: rows, warnings: [] };
  };
  const seen: string[] = [];
  let searchAfter: CatalogueHit['cursor'] | null = null;
  for (;;) {
    const hits = { first: 4, offset: 0, sort: [...sortKeys], searchAfter, trackTotal: false, fields: [] };
    const page = await groupedSearch(search, sort)({ ...query, hits }, contextOf());
    if (page.hits.length === 0) break;
    seen.push(...page.hits.map(({ id }) => id));
    searchAfter = page.hits.at(-1)!.cursor;
  }
  t.deepEqual(seen, ids.map(String));
});

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}`, `v${at}`]));
const query = { filters: null, filterThemselves: false, includeMissing: true, facets: [], hits: null };
const notQueried = () => Promise.reject(new Error('not queried in this test'));

test('several translated fields are sorted by while their groups are not too many', async (t) => {
  const known = await knownValues(query, sortOf(many(15), many(15)), notQueried, contextOf());
  t.deepEqual(
    known.map(({ length }) => length),
    [15, 15],
  );
  await t.throwsAsync(knownValues(query, sortOf(many(15), many(16)), notQueried, contextOf()), {
    code: 'BAD_USER_INPUT',
    message:
      'sorts by several fields whose values it translates: that takes 272 queries, at most 256 are sent',
  });
});

test('the groups are of every value that is there, of numbers too, which nodes do not list', async (t) => {
  const sort = sortOf({ 1: 'Male', 2: 'Female' });
  const field = fieldsOf({ f0: 'integer' }).get('f0')!;
  const numbers = { ...sort, translated: sort.translated.map((key) => ({ ...key, field })) };
  const search: SearchFn = async ({ filters }) => {
    const [above = 0] = /"values":\[(\d)\]/.exec(JSON.stringify(filters))?.slice(1).map(Number) ?? [];
    const hits = [1, 2, 9]
      .filter((value) => value > above)
      .map((value) => ({ id: `${value}`, source: {}, cursor: [value, 0] }));
    return { total: null, facets: [], hits: hits.slice(0, 1), warnings: [] };
  };
  t.deepEqual(await knownValues(query, numbers, search, contextOf()), [['Male', 'Female', '9']]);
});

test('rows without a tie-break are read on by offset, and no page resumes behind them', async (t) => {
  const requested: unknown[] = [];
  const search: SearchFn = async ({ hits: page }) => {
    const isRest = page!.sort.length > 0;
    if (!isRest) requested.push([page!.offset, page!.searchAfter]);
    const rows = Array.from({ length: 4 }, (_, at) => ({ id: `${at}`, source: {}, cursor: [] }));
    return { total: 20, facets: [], hits: isRest ? [] : rows, warnings: [] };
  };
  const hits = { first: 6, offset: 0, sort: [...sortKeys], searchAfter: null, trackTotal: false, fields: [] };
  const page = await groupedSearch(search, sortOf({ F: 'Female' }))({ ...query, hits }, contextOf());
  t.deepEqual(requested, [
    [0, null],
    [4, null],
  ]);
  t.deepEqual(
    page.hits.map(({ cursor }) => cursor),
    Array(6).fill(['Female']),
  );
});

test('a page of a translated sort reads no cursor but the last of each group, until those of its rows are read', async (t) => {
  const sort = sortOf({ F: 'Female', M: 'Male' });
  let reads = 0;
  const search: SearchFn = async ({ filters, hits: page }) => {
    const sex = JSON.stringify(filters).includes('"F"') ? 'F' : 'M';
    // none without a known value
    const length = page!.sort.length === 0 ? page!.first : 0;
    const rows = Array.from({ length }, (_, at): CatalogueHit => ({
      ...{ id: `${sex}${at}`, source: {}, rank: [at] },
      get cursor() {
        reads += 1;
        return [`tie:${sex}${at}`];
      },
    }));
    return { total: 1_000, facets: [], hits: rows, warnings: [] };
  };
  const rows = {
    first: 200,
    offset: 0,
    sort: [...sortKeys],
    searchAfter: null,
    trackTotal: false,
    fields: [],
  };
  const { hits } = await groupedSearch(search, sort)({ ...query, hits: rows }, contextOf());
  t.is(hits.length, 200);
  t.true(reads <= 3, `${reads} cursors were read`);
  hits.forEach((hit) => t.is(rankOf(hit)[0], hit.cursor[0]));
  const { reached } = readPosition(hits.at(-1)!.cursor, sort, sortKeys);
  t.deepEqual(
    [...reached.values()].flat().filter((part) => part !== null),
    ['tie:F199'],
  );
});
