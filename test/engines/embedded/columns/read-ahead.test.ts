import test from 'ava';
import type { HitsQuery } from '../../../../src/engines/engine.ts';
import { ReadAhead } from '../../../../src/engines/embedded/columns/kept-results.ts';

const stateOf = (count: number, liveCount: number) => ({ tree, root: { count }, liveCount });
const tree = {};

/** A scan of documents 0, 1, 2 ... whose cursors are halves of their ordinals and cross threads between the pages. */
const scan = (documents: number, size: number, collect?: () => void) => {
  const ahead = new ReadAhead(collect);
  const values = Float64Array.from({ length: documents }, (_, ordinal) => ordinal / 2);
  const cursorOf = (ordinal: number) => [values[ordinal]!, null, `n${ordinal}`];
  const finds: number[] = [];
  let last = 0;
  const next = (state = stateOf(documents, documents)): number[] => {
    const query: HitsQuery = structuredClone({
      filter: { kind: 'all' } as const,
      size,
      offset: 0,
      sort: [],
      searchAfter: cursorOf(last),
      source: [],
      trackTotal: false,
    });
    const find = (wanted: number): Uint32Array => {
      finds.push(wanted);
      return Uint32Array.from({ length: Math.min(wanted, documents - last - 1) }, (_, i) => last + 1 + i);
    };
    const page = ahead.page(state, query, find, cursorOf);
    last = page.at(-1) ?? last;
    return [...page];
  };
  return { next, finds };
};

test('every document comes once and in order, and more is found the further a reader goes on', (t) => {
  const { next, finds } = scan(100, 4);
  const seen: number[] = [];
  for (let page = next(); page.length > 0; page = next()) seen.push(...page);
  t.deepEqual(
    seen,
    Array.from({ length: 99 }, (_, i) => i + 1),
  );
  // the last two find what is left of a page, and nothing
  t.deepEqual(finds, [8, 16, 32, 64, 128, 8]);
});

test('garbage is collected once for a reader that has come far', (t) => {
  let collected = 0;
  const { next } = scan(200_000, 1_000, () => collected++);
  const after: number[] = [];
  for (let page = next(); page.length > 0; page = next()) after.push(collected);
  t.is(after.indexOf(1), 6);
  t.is(collected, 1);
});

test('a write drops what was found', (t) => {
  const { next, finds } = scan(100, 4);
  next();
  t.deepEqual(next(), [5, 6, 7, 8]);
  t.deepEqual(finds, [8]);
  t.deepEqual(next(stateOf(100, 99)), [9, 10, 11, 12]);
  t.deepEqual(finds, [8, 8]);
});

test('a first page and one with an offset are found alone', (t) => {
  const ahead = new ReadAhead();
  const query: HitsQuery = {
    filter: { kind: 'all' },
    size: 3,
    offset: 0,
    sort: [],
    searchAfter: null,
    source: [],
    trackTotal: false,
  };
  const find = (size: number) => new Uint32Array(size);
  t.is(ahead.page(stateOf(9, 9), query, find, () => []).length, 3);
  t.is(ahead.page(stateOf(9, 9), { ...query, searchAfter: [1], offset: 2 }, find, () => []).length, 3);
});

test('readers share what was found ahead only in the same order and with the same filter', (t) => {
  const ahead = new ReadAhead();
  const query = {
    filter: { kind: 'all' },
    size: 3,
    offset: 0,
    sort: [],
    searchAfter: [1],
    source: [],
    trackTotal: false,
  } as const;
  const day = {
    field: { path: 'day', type: 'date', nestedIn: [] },
    order: 'desc',
    missing: 'last',
    mode: 'max',
  } as const;
  let finds = 0;
  const read = (other: Partial<HitsQuery>): number => {
    ahead.page(
      stateOf(9, 9),
      { ...query, ...other },
      (size) => (finds++, new Uint32Array(size)),
      () => [1],
    );
    return finds;
  };
  const others: readonly Partial<HitsQuery>[] = [{}, { filter: { kind: 'none' } }, { sort: [day] }, {}];
  t.deepEqual(others.map(read), [1, 2, 3, 3]);
});
