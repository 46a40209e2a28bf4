import type { LogCount, LogCountsResult } from '../../measure.ts';
import { blockOf, indexesOfBlock, levelFor, logIndex, type Sign } from '../../semantics/log-counts.ts';
import type { Checkpoint } from '../columns/checkpoint.ts';
import type { NumberColumn } from '../columns/number-column.ts';
import type { FacetScope } from './facet-scope.ts';
import { forEachNumber } from './value-facets.ts';

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
  const blocks = { positive: new Map<number, Block>(), negative: new Map<number, Block>() };
  const blockAt = (sign: Sign, number: number): Block => {
    const [first, length] = indexesOfBlock(number, level);
    const block = { first, counts: new Uint32Array(length), last: new Int32Array(length).fill(-1) };
    blocks[sign].set(number, block);
    return block;
  };
  let zero = 0;
  let lastZero = -1;
  forEachNumber(data, scope.ids, checkpoint, (value, id) => {
    if (value === 0) {
      if (lastZero !== id) zero++;
      lastZero = id;
      return;
    }
    const sign = value > 0 ? 'positive' : 'negative';
    const index = logIndex(value);
    const number = blockOf(index);
    const block = blocks[sign].get(number) ?? blockAt(sign, number);
    const place = (index >> level) - block.first;
    if (block.last[place] === id) return;
    block.last[place] = id;
    block.counts[place]!++;
  });
  return {
    result: {
      kind: 'percentiles',
      level,
      zero,
      positive: filledBuckets(blocks.positive),
      negative: filledBuckets(blocks.negative),
    },
    blocks: blocks.positive.size + blocks.negative.size,
  };
};

const filledBuckets = (blocks: ReadonlyMap<number, Block>): readonly LogCount[] =>
  [...blocks]
    .sort(([left], [right]) => left - right)
    .flatMap(([, { first, counts }]) =>
      Array.from(counts, (count, place) => [first + place, count] as const).filter(([, count]) => count > 0),
    );
