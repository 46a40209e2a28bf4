import type { LogCount, LogCountsResult } from '../../measure.ts';
import { blockOf, indexesOfBlock, levelFor, logIndex, type Sign } from '../../semantics/log-counts.ts';
import type { Checkpoint } from '../columns/search-run.ts';
import { NumberBlocks } from '../columns/number-blocks.ts';
import type { NumberColumn } from '../columns/number-column.ts';
import type { FacetScope } from './facet-scope.ts';

/** Counts objects in buckets between powers of gamma; null for a field without values. */
export const logCountsFacet = (
  data: NumberColumn | null,
  scope: FacetScope,
  checkpoint: Checkpoint,
): LogCountsResult => {
  const fine = countAt(0, data, scope, checkpoint);
  const level = levelFor(fine.blocks);
  // an object with two values in one bucket counts once, so finer counts do not add up to coarser ones
  return (level === 0 ? fine : countAt(level, data, scope, checkpoint)).result;
};

/** The buckets of a non-empty block. */
interface Block {
  readonly first: number;
  readonly counts: Uint32Array;
  /** The last object counted in each bucket: objects come in order. */
  readonly last: Int32Array;
}

const countAt = (
  level: number,
  data: NumberColumn | null,
  scope: FacetScope,
  checkpoint: Checkpoint,
): { readonly result: LogCountsResult; readonly blocks: number } => {
  const counts = new LogCounts(level);
  const blocks = new NumberBlocks(data, scope.ids, checkpoint);
  while (blocks.next()) for (let i = 0; i < blocks.length; i++) counts.add(blocks.values[i]!, blocks.ids[i]!);
  return { result: counts.result(), blocks: counts.blocks };
};

class LogCounts {
  readonly #level: number;
  readonly #blocks = { positive: new Map<number, Block>(), negative: new Map<number, Block>() };
  #zero = 0;
  #lastZero = -1;

  constructor(level: number) {
    this.#level = level;
  }

  /** The number of blocks that are not empty. */
  get blocks(): number {
    return this.#blocks.positive.size + this.#blocks.negative.size;
  }

  add(value: number, id: number): void {
    if (value === 0) {
      if (this.#lastZero !== id) this.#zero++;
      this.#lastZero = id;
      return;
    }
    const sign = value > 0 ? 'positive' : 'negative';
    const index = logIndex(value);
    const number = blockOf(index);
    const block = this.#blocks[sign].get(number) ?? this.#newBlock(sign, number);
    const offset = (index >> this.#level) - block.first;
    if (block.last[offset] === id) return;
    block.last[offset] = id;
    block.counts[offset]!++;
  }

  #newBlock(sign: Sign, number: number): Block {
    const [first, length] = indexesOfBlock(number, this.#level);
    const block = { first, counts: new Uint32Array(length), last: new Int32Array(length).fill(-1) };
    this.#blocks[sign].set(number, block);
    return block;
  }

  result(): LogCountsResult {
    return {
      kind: 'percentiles',
      level: this.#level,
      zero: this.#zero,
      positive: filledBuckets(this.#blocks.positive),
      negative: filledBuckets(this.#blocks.negative),
    };
  }
}

const filledBuckets = (blocks: ReadonlyMap<number, Block>): readonly LogCount[] =>
  [...blocks]
    .sort(([left], [right]) => left - right)
    .flatMap(([, { first, counts }]) =>
      Array.from(counts, (count, offset) => [first + offset, count] as const).filter(
        ([, count]) => count > 0,
      ),
    );
