import type { CursorValue } from '../../engines/engine.ts';
import type { CursorScope } from './cursor.ts';
import { encodeCursor, printNode } from './cursor.ts';
import type { NetworkCursor } from './network-query.ts';

/**
 * Where each node resumes after each row of one page. The cursor of a row names the last row of every node up to it, so
 * printing them in order adds the text of one row at a time; in another order, from the first row again.
 */
export class PagePositions {
  readonly #start: NetworkCursor;
  readonly #nodeIds: string[] = [];
  readonly #cursors: (readonly CursorValue[])[] = [];
  #printing: Printing | null = null;

  /** @param start where the page begins; empty for the first page */
  constructor(start: NetworkCursor) {
    this.#start = start;
  }

  /**
   * Appends the next row of the page.
   * @returns its index
   */
  add(nodeId: string, cursor: readonly CursorValue[]): number {
    this.#nodeIds.push(nodeId);
    return this.#cursors.push(cursor) - 1;
  }

  /** Where each node resumes after a row. */
  at(row: number): NetworkCursor {
    const position = new Map(this.#start);
    for (let index = 0; index <= row; index += 1) position.set(this.#nodeIds[index]!, this.#cursors[index]!);
    return position;
  }

  /** The same as opaque text. */
  print(row: number, scope: CursorScope): string {
    const known = this.#printing;
    const printing =
      known !== null && known.scope === scope && known.rows <= row + 1 ? known : this.#startPrinting(scope);
    this.#printing = printing;
    for (; printing.rows <= row; printing.rows += 1) {
      const nodeId = this.#nodeIds[printing.rows]!;
      printing.nodes.set(nodeId, printNode(nodeId, this.#cursors[printing.rows]!, scope));
    }
    return encodeCursor(printing.nodes.values(), scope);
  }

  #startPrinting(scope: CursorScope): Printing {
    const nodes = [...this.#start].map(
      ([nodeId, cursor]) => [nodeId, printNode(nodeId, cursor, scope)] as const,
    );
    return { scope, rows: 0, nodes: new Map(nodes) };
  }
}

/** The text of each node after some rows of the page. */
interface Printing {
  readonly scope: CursorScope;
  readonly nodes: Map<string, string>;
  rows: number;
}
