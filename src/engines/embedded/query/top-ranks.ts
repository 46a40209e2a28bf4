import { heapify, sink } from './top-k.ts';

/** Where a list of ranked positions is to begin: past a rank, and at that rank past some of the positions. */
export interface Threshold {
  readonly rank: number;
  isPast(position: number): boolean;
}

/**
 * Collects the positions that can be among the first `wanted` of an order whose first key is a rank. It knows the worst
 * of the best ranks so far, so that most positions cost one comparison of numbers.
 */
export class TopRanks {
  readonly #wanted: number;
  /** The best ranks so far, the worst of them on top. */
  readonly #best: number[] = [];
  readonly #positions: number[] = [];
  readonly #ranks: number[] = [];
  /** So many positions are collected before those that are out by now are dropped. */
  #limit: number;

  constructor(wanted: number) {
    this.#wanted = wanted;
    this.#limit = roomAfter(wanted);
  }

  /**
   * Looks at more positions, from `base` on.
   * @param isExact equal ranks stand in the order of their positions
   * @param after where to begin, by positions from 0 on; null for all
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

  /** No larger rank is among the first. */
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

/** Dropping goes through all that is kept, so as many must have come since. */
const roomAfter = (kept: number): number => Math.max(1 << 14, 2 * kept);
