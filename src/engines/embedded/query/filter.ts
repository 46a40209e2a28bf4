import { TributaryError } from '../../../errors.ts';
import type { Filter } from '../../../sqon/filter.ts';
import { complement, emptyBitset, fullBitset, intersect, unite, type Bitset } from '../columns/bitset.ts';
import { neverStopped, type Checkpoint } from '../columns/checkpoint.ts';
import { chunkBits, chunkSize } from '../columns/chunked.ts';
import type { Columns } from '../columns/columns.ts';
import type { Leaf } from '../columns/leaf-cache.ts';
import { existsBits, patternBits, rangeBits, termsBits } from './leaf-filters.ts';
import { wordBits } from './word-filter.ts';
import type { Column, Space } from '../columns/space.ts';

/** The objects of a space that satisfy a filter. The answer is shared: read it, never write to it. */
export type FilterRunner = (filter: Filter, space: Space) => Bitset;

/** Runs filters over one state of the columns. A filter met again, by identity, is answered from memory. */
export const filterRunner = (columns: Columns, checkpoint: Checkpoint = neverStopped): FilterRunner => {
  const known = new Map<Space, Map<Filter, Bitset>>();
  const run: FilterRunner = (filter, space) => {
    const answers = known.get(space) ?? new Map<Filter, Bitset>();
    known.set(space, answers);
    let bits = answers.get(filter);
    if (bits === undefined) {
      checkpoint();
      bits = evaluate({ columns, run, checkpoint }, filter, space);
      answers.set(filter, bits);
    }
    return bits;
  };
  return run;
};

interface Evaluation {
  readonly columns: Columns;
  readonly run: FilterRunner;
  readonly checkpoint: Checkpoint;
}

const evaluate = (evaluation: Evaluation, filter: Filter, space: Space): Bitset => {
  const { run, checkpoint } = evaluation;
  switch (filter.kind) {
    case 'all':
      return fullBitset(space.count);
    case 'none':
      return emptyBitset(space.count);
    case 'and':
      return combine(run, filter.of, space, fullBitset(space.count), intersect);
    case 'or':
      return combine(run, filter.of, space, emptyBitset(space.count), unite);
    case 'not':
      return complement(run(filter.of, space), space.count);
    case 'nested':
      return someBelow(evaluation, filter.path, filter.of, space);
    case 'terms':
      return onColumn(evaluation, filter, space, (column) => termsBits(column, filter.values, checkpoint));
    case 'range':
      return onColumn(evaluation, filter, space, (column) => rangeBits(column, filter, checkpoint));
    case 'pattern':
      return onColumn(evaluation, filter, space, (column) => patternBits(column, filter, checkpoint));
    case 'word':
      return onColumn(evaluation, filter, space, (column) => wordBits(column, filter, checkpoint));
    case 'exists':
      return exists(evaluation, filter, space);
  }
};

const combine = (
  run: FilterRunner,
  of: readonly Filter[],
  space: Space,
  start: Bitset,
  merge: (target: Bitset, other: Bitset) => void,
): Bitset => {
  for (const filter of of) merge(start, run(filter, space));
  return start;
};

/** The objects of `space` with an object at `path` below that satisfies the filter, folded up level by level. */
const someBelow = (
  { columns, run, checkpoint }: Evaluation,
  path: string,
  of: Filter,
  space: Space,
): Bitset => {
  const below = columns.tree.spaces.get(path);
  if (below === undefined) return emptyBitset(space.count);
  let bits = run(of, below);
  let at: Space | null = below;
  while (at !== null && at !== space) {
    if (at.parent === null) throw misplaced(path, space);
    bits = foldUp(at, bits, checkpoint);
    at = at.parent;
  }
  return bits;
};

/** The parents of the objects set. */
const foldUp = (space: Space, bits: Bitset, checkpoint: Checkpoint): Bitset => {
  const parents = emptyBitset(space.parent!.count);
  space.up.chunks.forEach((up, number) => {
    checkpoint();
    const first = number << (chunkBits - 5);
    setParents(up, bits.subarray(first, first + (chunkSize >>> 5)), parents);
  });
  return parents;
};

/** @param bits those of the children whose parents `up` holds */
const setParents = (up: Uint32Array, bits: Bitset, parents: Bitset): void => {
  for (let word = 0; word < bits.length; word++) {
    for (let rest = bits[word]!; rest !== 0; rest &= rest - 1) {
      const parent = up[(word << 5) + 31 - Math.clz32(rest & -rest)]!;
      parents[parent >>> 5]! |= 1 << (parent & 31);
    }
  }
};

/**
 * Runs a leaf on its field's column; a field without one has no value anywhere. Only what is found by strings is kept:
 * numbers may be dates relative to now.
 */
const onColumn = (
  { columns }: Evaluation,
  leaf: Leaf,
  space: Space,
  answer: (column: Column) => Bitset,
): Bitset => {
  const column = columns.column(leaf.field.path);
  if (column === undefined) return emptyBitset(space.count);
  if (column.space !== space) throw misplaced(leaf.field.path, space);
  if (column.data.kind === 'number') return answer(column);
  return columns.leafCache.bits(columns, leaf, () => answer(column));
};

/** Of an object, any field inside it; of a nested field, any object. */
const exists = (evaluation: Evaluation, leaf: Leaf & { kind: 'exists' }, space: Space): Bitset => {
  const { columns, checkpoint } = evaluation;
  const { path } = leaf.field;
  const existing = (column: Column): Bitset => existsBits(column, checkpoint);
  if (columns.column(path) !== undefined) return onColumn(evaluation, leaf, space, existing);
  const bits = emptyBitset(space.count);
  for (const column of space.columns) {
    if (column.path.startsWith(`${path}.`)) unite(bits, existing(column));
  }
  const nested = columns.tree.spaces.get(path);
  if (nested !== undefined && nested.parent === space) {
    unite(bits, foldUp(nested, fullBitset(nested.count), checkpoint));
  }
  return bits;
};

const misplaced = (path: string, space: Space): TributaryError =>
  new TributaryError(
    'ENGINE_ERROR',
    `${path} cannot be judged on ${space.path === '' ? 'a document' : `an object at ${space.path}`}: it lies elsewhere`,
  );
