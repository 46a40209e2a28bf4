import type { TributaryError } from '../../lib/errors/errors.ts';

/** One page of a listing, as received. */
export interface RowPage {
  readonly rows: readonly unknown[];
  /** The total rows of the listing according to this page. */
  readonly total: number;
  readonly isLast: boolean;
  /** Why a row cannot be loaded unchanged, or null. */
  readonly flawOf: (row: unknown) => string | null;
  /** A row with numbers that a double rounds as numbers; null if the page has none. */
  readonly roundedOf: (row: unknown) => unknown;
  readonly error: (what: string) => TributaryError;
}

export interface Listing {
  /** The page by its number, from 0; null: the listing ends before it. */
  fetchPage(page: number, signal: AbortSignal): Promise<RowPage | null>;
  /** Whether rows may be counted in the total but missing in every page. */
  readonly rowsMayVanish: boolean;
  /** The identity of a row. */
  readonly idOf: (row: unknown) => unknown;
}

/** The maximum readings of one listing, after which it counts as unreadable. */
const maxReadings = 5;
/** The maximum consecutive pages without rows, if rows may vanish. */
const maxEmptyPages = 1_000;
/** A total that grows to more than twice its first value plus these rows counts as endless. */
const maxGrowth = 100_000;

/**
 * The pages of a listing to its end. A listing that changes in a way that can hide rows (the total falls, a page is
 * repeated, fewer rows than it counts) is read again from the start: the pages so far are valid, some rows come twice.
 * @throws TributaryError UPSTREAM_FAILED no reading was complete; errors of `fetchPage`
 */
export async function* walkPages(listing: Listing, signal: AbortSignal): AsyncGenerator<RowPage, void> {
  for (let reading = 1; ; reading += 1) {
    const flaw = yield* readOnce(listing, signal);
    if (flaw === null) return;
    if (reading === maxReadings)
      throw flaw.page.error(`cannot be read completely: ${flaw.what} (read ${maxReadings} times)`);
  }
}

interface Flaw {
  readonly page: RowPage;
  readonly what: string;
}

/** @returns why rows may be missing; null if none is */
async function* readOnce(listing: Listing, signal: AbortSignal): AsyncGenerator<RowPage, Flaw | null> {
  let first: RowPage | null = null;
  let previous: RowPage | null = null;
  let received = 0;
  let emptyPages = 0;
  for (let number = 0; ; number += 1) {
    const page: RowPage | null = await listing.fetchPage(number, signal);
    if (page === null) return previous === null ? null : missing(listing, previous, received);
    first ??= page;
    emptyPages = page.rows.length === 0 ? emptyPages + 1 : 0;
    received += page.rows.length;
    const what =
      (previous === null ? null : changed(listing, previous, page, number)) ??
      endless(first, page, emptyPages) ??
      (received > page.total ? `more rows came than its total of ${page.total}` : null);
    if (what !== null) return { page, what };
    yield page;
    if (page.isLast) return missing(listing, page, received);
    previous = page;
  }
}

const changed = (listing: Listing, previous: RowPage, page: RowPage, number: number): string | null => {
  // rows after a deleted one move up, before the place where reading continues
  if (page.total < previous.total) return `the total fell from ${previous.total} to ${page.total} meanwhile`;
  const same =
    page.total === previous.total &&
    page.rows.length > 0 &&
    page.rows.length === previous.rows.length &&
    page.rows.every((row, at) => listing.idOf(row) === listing.idOf(previous.rows[at]));
  return same ? `page ${number + 1} is page ${number} again` : null;
};

const endless = (first: RowPage, page: RowPage, emptyPages: number): string | null => {
  if (page.total > 2 * first.total + maxGrowth)
    return `the total grew from ${first.total} to ${page.total} meanwhile`;
  return emptyPages > maxEmptyPages ? `${emptyPages} pages without rows came one after another` : null;
};

const missing = (listing: Listing, last: RowPage, received: number): Flaw | null =>
  listing.rowsMayVanish || received >= last.total
    ? null
    : { page: last, what: `${received} of ${last.total} records came` };

/**
 * The items of a generator; the next one is fetched while one is used, but never more than one.
 * @param open makes the generator; its signal also ends the work on an item that will not be used
 * @throws the signal's reason
 */
export async function* readAhead<Item>(
  open: (signal: AbortSignal) => AsyncGenerator<Item, void>,
  signal: AbortSignal,
): AsyncGenerator<Item, void> {
  const stop = new AbortController();
  const source = open(AbortSignal.any([signal, stop.signal]));
  let next = source.next();
  try {
    for (;;) {
      const { value, done } = await next;
      if (done) return;
      signal.throwIfAborted();
      next = source.next();
      // thrown when the item is awaited
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    stop.abort();
    await source.return();
  }
}
