import type { CursorValue } from '../../engines/engine.ts';

/** Where each part of one page, such as a node, resumes after each of its rows. */
export class PagePositions<Part, Position extends readonly CursorValue[] | null> {
  readonly #start: ReadonlyMap<Part, Position>;
  readonly #rows: PageRow<Part, Position>[] = [];
  readonly #parts = new Set<Part>();

  /** @param start where the page begins; empty for the first page */
  constructor(start: ReadonlyMap<Part, Position>) {
    this.#start = start;
  }

  /**
   * Appends the next row of the page.
   * @returns its index
   */
  add(part: Part, row: { readonly cursor: Position }): number {
    this.#parts.add(part);
    return this.#rows.push({ part, row, parts: this.#parts.size }) - 1;
  }

  /** Where each part resumes after a row. */
  at(index: number): ReadonlyMap<Part, Position> {
    const latest = new Map<Part, Position>();
    // backwards, until every part that has a row is found
    for (let at = index; latest.size < this.#rows[index]!.parts; at -= 1) {
      const { part, row } = this.#rows[at]!;
      if (!latest.has(part)) latest.set(part, row.cursor);
    }
    return new Map([...this.#start, ...latest]);
  }
}

interface PageRow<Part, Position> {
  readonly part: Part;
  /** Whose cursor is read when it is needed. */
  readonly row: { readonly cursor: Position };
  /** How many parts have a row up to here. */
  readonly parts: number;
}
