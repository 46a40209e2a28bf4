import test from 'ava';
import fc, { runs } from '../../fast-check.ts';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import {
  type Listing,
  type RowPage,
  walkPages,
  readAhead,
} from '../../../src/indexing/repositories/walk-pages.ts';
import { setImmediate } from 'node:timers/promises';

const error = (what: string): TributaryError => new TributaryError('UPSTREAM_FAILED', what);

/** A listing whose pages come from a function of the page's number and of how many were requested before. */
const listingOf = (
  pageOf: (page: number, requested: number) => Omit<RowPage, 'error' | 'flawOf' | 'roundedOf'> | null,
  rowsMayVanish = false,
): Listing & { requested: () => number } => {
  let requested = 0;
  return {
    rowsMayVanish,
    idOf: (row) => row,
    fetchPage: async (page) => {
      const found = pageOf(page, requested);
      requested += 1;
      return found === null ? null : { ...found, flawOf: () => null, roundedOf: () => null, error };
    },
    requested: () => requested,
  };
};

const rowsOf = async (listing: Listing): Promise<unknown[]> => {
  const rows: unknown[] = [];
  for await (const page of walkPages(listing, new AbortController().signal)) rows.push(...page.rows);
  return rows;
};

const slice = (
  rows: readonly unknown[],
  page: number,
  size: number,
): Omit<RowPage, 'error' | 'flawOf' | 'roundedOf'> => ({
  rows: rows.slice(page * size, (page + 1) * size),
  total: rows.length,
  isLast: (page + 1) * size >= rows.length,
});

test('pages come in order until the last', async (t) => {
  const listing = listingOf((page) => slice([1, 2, 3, 4, 5], page, 2));
  t.deepEqual(await rowsOf(listing), [1, 2, 3, 4, 5]);
  t.is(listing.requested(), 3);
});

test('a listing that is not there is an empty one', async (t) => {
  t.deepEqual(await rowsOf(listingOf(() => null)), []);
});

test('when the total falls, reading starts again', async (t) => {
  // 1 goes away after the first page, so that 3 moves to a page that was read already
  const listing = listingOf((page, requested) =>
    slice(requested === 0 ? [1, 2, 3, 4, 5] : [2, 3, 4, 5], page, 2),
  );
  t.deepEqual(await rowsOf(listing), [1, 2, 2, 3, 4, 5]);
});

test('when the total grows, reading goes on', async (t) => {
  const listing = listingOf((page, requested) =>
    slice(requested === 0 ? [1, 2, 3] : [1, 2, 3, 4, 5], page, 2),
  );
  t.deepEqual(await rowsOf(listing), [1, 2, 3, 4, 5]);
});

for (const [what, listing, message] of [
  [
    'a total that falls all the time',
    listingOf((page, requested) => ({ rows: [requested], total: 1000 - requested, isLast: page > 100 })),
    /^cannot be read completely: the total fell from \d+ to \d+ meanwhile \(read 5 times\)$/,
  ],
  [
    'the same page for ever',
    listingOf(() => ({ rows: [1, 2], total: 10, isLast: false }), true),
    /page 2 is page 1 again/,
  ],
  [
    'the first page in place of the last',
    listingOf((page) => ({ rows: [1, 2], total: 4, isLast: page === 1 })),
    /page 2 is page 1 again/,
  ],
  [
    'fewer rows than the total',
    listingOf(() => ({ rows: [1], total: 2, isLast: true })),
    /: 1 of 2 records came/,
  ],
  [
    'an end before the last page',
    listingOf((page) => (page === 0 ? { rows: [1], total: 2, isLast: false } : null)),
    /: 1 of 2 records came/,
  ],
  [
    'more rows than the total',
    listingOf(() => ({ rows: [1, 2], total: 1, isLast: true }), true),
    /more rows came than its total of 1/,
  ],
  [
    'a total that runs away',
    listingOf((page) => ({ rows: [page], total: 30_000 * (page + 1), isLast: false }), true),
    /the total grew from 30000 to 180000/,
  ],
  [
    'empty pages for ever',
    listingOf(() => ({ rows: [], total: 1e9, isLast: false }), true),
    /1001 pages without rows/,
  ],
] as const)
  test(`${what} is an error, in finite time`, async (t) => {
    await t.throwsAsync(() => rowsOf(listing), { code: 'UPSTREAM_FAILED', message });
  });

test('rows that vanish are not an error where they may', async (t) => {
  const sparse = (page: number) => (page % 900 === 899 ? [page] : []);
  const pages = listingOf((page) => ({ rows: sparse(page), total: 1e9, isLast: page === 1_799 }), true);
  t.deepEqual(await rowsOf(pages), [899, 1_799]);
  t.deepEqual(await rowsOf(listingOf(() => ({ rows: [1], total: 2, isLast: true }), true)), [1]);
});

test('whatever is removed, or added, between any two pages: what stays is delivered', async (t) => {
  const edits = fc.array(fc.record({ at: fc.nat(6), place: fc.nat(11) }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 5 }),
      fc.boolean(),
      edits,
      async (count, size, removes, changes) => {
        const rows = Array.from({ length: count }, (_, at) => `row ${at}`);
        const initial = new Set(rows);
        let added = 0;
        const listing = listingOf((page, requested) => {
          for (const { place } of changes.filter(({ at }) => at === requested))
            if (removes) rows.splice(place, 1);
            else rows.splice(place, 0, `added ${added++}`);
          return slice(rows, page, size);
        });
        const delivered = new Set(await rowsOf(listing));
        for (const row of rows) if (initial.has(row)) t.true(delivered.has(row), `${row} is missing`);
      },
    ),
    { numRuns: runs(300) },
  );
});

const counting = (last: number) => {
  const state = { started: 0, closed: false, signal: new AbortController().signal };
  const open = async function* (signal: AbortSignal) {
    state.signal = signal;
    try {
      while (state.started < last) {
        state.started += 1;
        await setImmediate();
        yield state.started;
      }
    } finally {
      state.closed = true;
    }
  };
  return { state, open };
};

test('one item is on its way while one is used, and no more', async (t) => {
  const { state, open } = counting(5);
  const ahead: number[] = [];
  for await (const item of readAhead(open, new AbortController().signal)) {
    for (let turns = 0; turns < 5; turns++) await setImmediate();
    ahead.push(state.started - item);
  }
  t.deepEqual(ahead, [1, 1, 1, 1, 0]);
});

test('nothing starts before the first item is requested', async (t) => {
  const { state, open } = counting(5);
  const items = readAhead(open, new AbortController().signal);
  await setImmediate();
  t.is(state.started, 0);
  t.deepEqual(await items.next(), { value: 1, done: false });
});

test('leaving ends the source and the work on its way', async (t) => {
  const { state, open } = counting(5);
  for await (const item of readAhead(open, new AbortController().signal)) if (item === 2) break;
  t.true(state.closed);
  t.true(state.signal.aborted);
});

test('an error comes after the items before it', async (t) => {
  const open = async function* () {
    yield 1;
    throw new Error('broken');
  };
  const items = readAhead(open, new AbortController().signal);
  t.deepEqual(await items.next(), { value: 1, done: false });
  await setImmediate();
  await t.throwsAsync(() => items.next(), { message: 'broken' });
});

test('after an abort no item comes any more', async (t) => {
  const { open } = counting(5);
  const controller = new AbortController();
  const items = readAhead(open, controller.signal);
  await items.next();
  controller.abort(new Error('cancelled'));
  await t.throwsAsync(() => items.next(), { message: 'cancelled' });
});
