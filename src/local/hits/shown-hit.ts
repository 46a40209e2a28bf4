import type { CursorValue, SortKey } from '../../engines/engine.ts';
import type { JsonObject } from '../../json/json.ts';
import type { CatalogueHit } from '../../search/query.ts';
import { shownCursor } from './cursor.ts';
import type { CursorSeal } from './cursor-seal.ts';

/**
 * A hit whose cursor is made when it is read: few callers request cursors, and when paging only the last one. A class,
 * because objects with getters of their own take several times the memory, and each keeps the page before it alive.
 */
export class ShownHit implements CatalogueHit {
  readonly id: string;
  readonly source: JsonObject;
  readonly #cursor: readonly CursorValue[];
  readonly #sort: readonly SortKey[];
  readonly #seal: CursorSeal | undefined;

  constructor({ id, source, cursor }: CatalogueHit, sort: readonly SortKey[], seal: CursorSeal | undefined) {
    this.id = id;
    this.source = source;
    this.#cursor = cursor;
    this.#sort = sort;
    this.#seal = seal;
  }

  get cursor(): readonly CursorValue[] {
    const shown = shownCursor(this.#cursor, this.#sort);
    return this.#seal?.seal(shown, this.#sort.length) ?? shown;
  }
}
