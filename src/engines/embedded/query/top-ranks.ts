import { heapify, sink } from './top-k.ts';

/** Where a list of ranked positions starts: after a rank and, at that rank, after some of the positions. */
export interface Threshold {
  readonly rank: number;
  isPast(position: number): boolean;
}

/**
 * Collects the positions that can be among the first `wanted` of an order whose first key is a rank. It tracks the
 * worst of the best ranks so far, so most positions cost one numeric comparison.
 */
export class TopRanks {
  readonly #wanted: number;
  /** The best ranks so far, the worst of them on top. */
  readonly #best: number[] = [];
  readonly #positions: number[] = [];
  readonly #ranks: number[] = [];
  /** The number of positions collected before those already ruled out are dropped. */
  #limit: number;

  constructor(wanted: number) {
    this.#wanted = wanted;
    this.#limit = roomAfter(wanted);
  }

  /**
   * Considers more positions, starting at `base`.
   * @param isExact equal ranks are ordered by position
   * @param after where to start, with positions counted from 0; null for all
   */
  add(base: number, ranks: Float64Array, isExact: boolean, after: Threshold | null): void {
    let worst = this.#worst;
    for (let i = 0; i < ranks.length; i++) {
      const rank = ranks[i]!;
      if (rank > worst || (rank === worst && isExact && this.#isFull)) continue;
      if (after !== null && (rank < after.rank || (rank === after.rank && !after.isPast(i)))) continue;
      this.#positions.push(base + i);
      this.#ranks.push(rank);
      this.#remember(rank);
      worst = this.#worst;
    }
    if (this.#positions.length > this.#limit) this.#dropWorse();
  }

  /** Ascending. */
  positions(): readonly number[] {
    this.#dropWorse();
    return this.#positions;
  }

  #dropWorse(): void {
    const worst = this.#worst;
    let kept = 0;
    for (let i = 0; i < this.#positions.length; i++) {
      if (this.#ranks[i]! > worst) continue;
      this.#positions[kept] = this.#positions[i]!;
      this.#ranks[kept] = this.#ranks[i]!;
      kept++;
    }
    this.#positions.length = kept;
    this.#ranks.length = kept;
    this.#limit = roomAfter(kept);
  }

  get #isFull(): boolean {
    return this.#best.length >= this.#wanted;
  }

  /** No larger rank can be among the first. */
  get #worst(): number {
    return this.#isFull ? (this.#best[0] ?? -Infinity) : Infinity;
  }

  #remember(rank: number): void {
    if (!this.#isFull) {
      this.#best.push(rank);
      if (this.#isFull) heapify(this.#best, ascending);
    } else if (rank < this.#worst) {
      this.#best[0] = rank;
      sink(this.#best, 0, ascending);
    }
  }
}

const ascending = (left: number, right: number): number => (left < right ? -1 : left > right ? 1 : 0);

/** Dropping scans everything kept, so at least as many must be added in between. */
const roomAfter = (kept: number): number => Math.max(1 << 14, 2 * kept);
