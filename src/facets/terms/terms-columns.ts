import type { TermsBucket, TermsResult } from '../../engines/measure.ts';
import type { TermsAnswer } from '../../search/facet-answer.ts';

/** The keys and counts of a list's buckets, in its order. */
export class TermsColumns {
  /** Where they are, and from which of its cells on. */
  readonly page: TermsPage;
  readonly from: number;
  readonly length: number;

  constructor(page: TermsPage, from: number, length: number) {
    this.page = page;
    this.from = from;
    this.length = length;
  }

  keyAt(index: number): string {
    return this.page.keyIn(this.from + index);
  }

  countAt(index: number): number {
    return this.page.counts[this.from + index]!;
  }

  /** Infinity for an empty list. */
  smallestCount(): number {
    let smallest = Infinity;
    for (let index = 0; index < this.length; index += 1) smallest = Math.min(smallest, this.countAt(index));
    return smallest;
  }
}

/** The longest list that shares a page with others. */
const maxSharing = 1_000;
const sharedCells = 4_096;
/** Longer keys are not looked up: they are hardly those of other lists. */
const maxSharedLength = 64;
const maxSharedCharacters = sharedCells * maxSharedLength;

/**
 * The buckets of lists that were read one after the other, a cell each, and every key once: the nodes of a network have
 * much the same values. Arrays of each of thousands of lists would be moved by the garbage collector until the last
 * node has answered, which took more time than reading them.
 */
class TermsPage {
  /** By cell: GraphQL's Int. */
  readonly counts: Int32Array;
  /** By cell: which of the keys. */
  readonly #places: Int32Array;
  readonly #keys: string[];
  readonly #placeOf: Map<string, number> | null;
  #used = 0;
  #keysUsed = 0;
  #characters = 0;

  constructor(cells: number, isShared: boolean) {
    this.counts = new Int32Array(cells);
    this.#places = new Int32Array(cells);
    // a list that grows takes up to twice the memory
    this.#keys = isShared ? [] : new Array<string>(cells);
    this.#placeOf = isShared ? new Map() : null;
  }

  hasRoom(cells: number): boolean {
    return this.#used + cells <= this.counts.length && this.#characters < maxSharedCharacters;
  }

  /** @returns the first of so many cells, which are nobody else's from now on */
  reserve(cells: number): number {
    this.#used += cells;
    return this.#used - cells;
  }

  put(cell: number, key: string, count: number): void {
    this.counts[cell] = count;
    this.#places[cell] = this.#placeFor(key);
  }

  keyIn(cell: number): string {
    return this.#keys[this.#places[cell]!]!;
  }

  /** Moves cells one to the left. */
  shift(from: number, to: number): void {
    this.counts.copyWithin(from - 1, from, to);
    this.#places.copyWithin(from - 1, from, to);
  }

  #placeFor(key: string): number {
    const isLookedUp = this.#placeOf !== null && key.length <= maxSharedLength;
    const known = isLookedUp ? this.#placeOf.get(key) : undefined;
    if (known !== undefined) return known;
    const place = this.#keysUsed;
    this.#keys[place] = key;
    this.#keysUsed += 1;
    this.#characters += key.length;
    if (isLookedUp) this.#placeOf.set(key, place);
    return place;
  }
}

let sharedPage: TermsPage | null = null;

const pageFor = (length: number): TermsPage => {
  if (length > maxSharing) return new TermsPage(length, false);
  if (!sharedPage?.hasRoom(length)) sharedPage = new TermsPage(sharedCells, true);
  return sharedPage;
};

/** The columns of a list that is being read. */
export class ColumnsWriter {
  readonly #page: TermsPage;
  readonly #from: number;
  #length = 0;

  /** @param length of the list, at most */
  constructor(length: number) {
    this.#page = pageFor(length);
    this.#from = this.#page.reserve(length);
  }

  add(key: string, count: number): void {
    this.#page.put(this.#from + this.#length, key, count);
    this.#length += 1;
  }

  /** Takes a bucket out. @returns its count */
  remove(index: number): number {
    const cell = this.#from + index;
    const count = this.#page.counts[cell]!;
    this.#page.shift(cell + 1, this.#from + this.#length);
    this.#length -= 1;
    return count;
  }

  columns(): TermsColumns {
    return new TermsColumns(this.#page, this.#from, this.#length);
  }
}

export const bucketsOf = (columns: TermsColumns): TermsBucket[] =>
  Array.from({ length: columns.length }, (_, index) => ({
    key: columns.keyAt(index),
    count: columns.countAt(index),
  }));

/** Where a plain list has its columns: not enumerable, so that a copy with other buckets does not have them. */
const columnsKey = Symbol('columns');

interface PlainTerms extends TermsAnswer {
  readonly [columnsKey]?: TermsColumns;
}

/** A copy of the result has the buckets as a list. */
const buckets: PropertyDescriptor & ThisType<PlainTerms> = {
  enumerable: true,
  get() {
    return bucketsOf(this[columnsKey]!);
  },
};

/**
 * A list whose buckets are a key and a count each, as most are that nodes answer; they are made anew whenever they are
 * read.
 * @param missing see TermsResult
 */
export const plainTerms = (columns: TermsColumns, missing: number): TermsResult => {
  const result = { kind: 'terms', missing, distinct: columns.length };
  Object.defineProperty(result, columnsKey, { value: columns });
  return Object.defineProperty(result, 'buckets', buckets) as TermsResult;
};

/** The columns of a list that is plain; null for any other. */
export const columnsOf = (result: TermsAnswer): TermsColumns | null =>
  (result as PlainTerms)[columnsKey] ?? null;
