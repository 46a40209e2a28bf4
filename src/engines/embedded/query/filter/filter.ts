import { TributaryError } from '../../../../lib/errors/errors.ts';
import type { Filter } from '../../../../sqon/filter.ts';
import { complement, emptyBitset, fullBitset, intersect, unite, type Bitset } from '../../columns/bitset.ts';
import { neverStopped, type Checkpoint } from '../../columns/search-run.ts';
import { chunkBits, chunkSize } from '../../columns/chunked.ts';
import type { Columns } from '../../columns/columns.ts';
import { keptKey } from '../../columns/kept-results.ts';
import { codeOf, existsBits, patternBits, prefixesBits, rangeBits, termsBits } from './leaf-filters.ts';
import type { Column, NestedLevel } from '../../columns/nested-level.ts';
import { fold } from '../../../../lib/text/fold.ts';
import { foldedParts, keywordTest } from '../../../../lib/text/text-comparison.ts';
import { tokensOf } from '../../../semantics/analyser.ts';
import { prefixesJoined, type Prefixes } from '../../../semantics/prefix-alternatives.ts';
import { matchCodes } from './match-codes.ts';
import { foldedCodes, isAscii, partTest, type BytesTest } from './folded-codes.ts';

/** The objects of a level that satisfy a filter. The result is shared: never write to it. */
export type FilterRunner = (filter: Filter, level: NestedLevel) => Bitset;

/** Runs filters over one state of the columns. Results are cached by filter identity. */
export const filterRunner = (columns: Columns, checkpoint: Checkpoint = neverStopped): FilterRunner => {
  const known = new Map<NestedLevel, Map<Filter, Bitset>>();
  const run: FilterRunner = (filter, level) => {
    const answers = known.get(level) ?? new Map<Filter, Bitset>();
    known.set(level, answers);
    let bits = answers.get(filter);
    if (bits === undefined) {
      checkpoint();
      bits = evaluate({ columns, run, checkpoint }, filter, level);
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

const evaluate = (evaluation: Evaluation, filter: Filter, level: NestedLevel): Bitset => {
  const { run, checkpoint } = evaluation;
  switch (filter.kind) {
    case 'all':
      return fullBitset(level.count);
    case 'none':
      return emptyBitset(level.count);
    case 'and':
      return everyOf(run, filter.of, level);
    case 'or':
      return someOf(evaluation, filter.of, level);
    case 'not':
      return complement(run(filter.of, level), level.count);
    case 'nested':
      return someBelow(evaluation, filter.path, filter.of, level);
    case 'terms':
      return onColumn(evaluation, filter, level, (column) => termsBits(column, filter.values, checkpoint));
    case 'range':
      return onColumn(evaluation, filter, level, (column) => rangeBits(column, filter, checkpoint));
    case 'pattern':
      return onColumn(evaluation, filter, level, (column) => patternBits(column, filter, checkpoint));
    case 'word':
      return onColumn(evaluation, filter, level, (column) => wordBits(column, filter, checkpoint));
    case 'exists':
      return exists(evaluation, filter, level);
  }
};

const someOf = (evaluation: Evaluation, of: readonly Filter[], level: NestedLevel): Bitset => {
  const { run, checkpoint } = evaluation;
  const bits = emptyBitset(level.count);
  for (const filter of prefixesJoined(of))
    unite(
      bits,
      filter.kind === 'prefixes'
        ? onColumn(evaluation, filter, level, (column) => prefixesBits(column, filter, checkpoint))
        : run(filter, level),
    );
  return bits;
};

const everyOf = (run: FilterRunner, of: readonly Filter[], level: NestedLevel): Bitset => {
  const bits = fullBitset(level.count);
  for (const filter of of) intersect(bits, run(filter, level));
  return bits;
};

/** The objects of `level` with a descendant at `path` that satisfies the filter, propagated up level by level. */
const someBelow = (
  { columns, run, checkpoint }: Evaluation,
  path: string,
  of: Filter,
  level: NestedLevel,
): Bitset => {
  const below = columns.tree.levels.get(path);
  if (below === undefined) return emptyBitset(level.count);
  let bits = run(of, below);
  let at: NestedLevel | null = below;
  while (at !== null && at !== level) {
    if (at.parent === null) throw misplaced(path, level);
    bits = foldUp(at, bits, checkpoint);
    at = at.parent;
  }
  return bits;
};

/** The parents of the set objects. */
const foldUp = (level: NestedLevel, bits: Bitset, checkpoint: Checkpoint): Bitset => {
  const parents = emptyBitset(level.parent!.count);
  level.parentOf.chunks.forEach((up, number) => {
    checkpoint();
    const first = number << (chunkBits - 5);
    setParents(up, bits.subarray(first, first + (chunkSize >>> 5)), parents);
  });
  return parents;
};

/** @param bits the bits of the children whose parents are in `up` */
const setParents = (up: Uint32Array, bits: Bitset, parents: Bitset): void => {
  for (let word = 0; word < bits.length; word++) {
    for (let rest = bits[word]!; rest !== 0; rest &= rest - 1) {
      const parent = up[(word << 5) + 31 - Math.clz32(rest & -rest)]!;
      parents[parent >>> 5]! |= 1 << (parent & 31);
    }
  }
};

/** A condition on one field. */
type Leaf = Extract<Filter, { field: unknown }>;

/**
 * Runs a leaf on its field's column; a field without one never has a value. Only results on strings are kept: those on
 * numbers are found as fast.
 */
const onColumn = (
  { columns }: Evaluation,
  leaf: Leaf | Prefixes,
  level: NestedLevel,
  answer: (column: Column) => Bitset,
): Bitset => {
  const column = columns.column(leaf.field.path);
  if (column === undefined) return emptyBitset(level.count);
  if (column.level !== level) throw misplaced(leaf.field.path, level);
  if (column.data.kind === 'number') return answer(column);
  // deletions do not change the values
  const state = { tree: columns.tree, root: columns.root, liveCount: 0 };
  const key = keptKey({ ...leaf, field: leaf.field.path });
  return columns.leafBits.result(state, key, () => answer(column));
};

/** For an object: any field inside it; for a nested field: any object. */
const exists = (evaluation: Evaluation, leaf: Leaf & { kind: 'exists' }, level: NestedLevel): Bitset => {
  const { columns, checkpoint } = evaluation;
  const { path } = leaf.field;
  const existing = (column: Column): Bitset => existsBits(column, checkpoint);
  if (columns.column(path) !== undefined) return onColumn(evaluation, leaf, level, existing);
  const bits = emptyBitset(level.count);
  for (const column of level.columns) {
    if (column.path.startsWith(`${path}.`)) unite(bits, existing(column));
  }
  const nested = columns.tree.levels.get(path);
  if (nested !== undefined && nested.parent === level) {
    unite(bits, foldUp(nested, fullBitset(nested.count), checkpoint));
  }
  return bits;
};

const misplaced = (path: string, level: NestedLevel): TributaryError =>
  new TributaryError(
    'ENGINE_ERROR',
    `${path} cannot be evaluated on ${level.path === '' ? 'a document' : `an object at ${level.path}`}: it is not part of it`,
  );

/** The objects with a value that contains a word or, for text, all tokens the analyser makes of it. */
const wordBits = (
  column: Column,
  { word, isPrefix, except = [] }: Extract<Filter, { kind: 'word' }>,
  checkpoint: Checkpoint,
): Bitset => {
  const { data } = column;
  const none = emptyBitset(column.level.count);
  if (data.kind !== 'keyword' || column.fieldKind === 'boolean') return none;
  const marked = (wanted: Uint8Array): Bitset => {
    const bits = emptyBitset(column.level.count);
    matchCodes(data, wanted, bits, checkpoint);
    return bits;
  };
  if (column.fieldKind !== 'text') {
    const parts = foldedParts(word);
    const test = keywordTest({ word, isPrefix });
    const printForm = column.form?.shown;
    const wanted =
      printForm === undefined
        ? foldedCodes(data.table, longestOf(parts), test, checkpoint, simpleTest(parts, isPrefix))
        : foldedCodes(data.table, longestOf(parts), (term) => test(printForm(term)), checkpoint);
    for (const value of except) wanted[codeOf(column, data, value)] = 0;
    return marked(wanted);
  }
  const tokens = tokensOf(word).map(fold);
  if (tokens.length === 0) return none;
  const matching = fullBitset(column.level.count);
  for (const [position, token] of tokens.entries()) {
    const isOpen = isPrefix && position === tokens.length - 1;
    const test = (value: string): boolean => (isOpen ? fold(value).startsWith(token) : fold(value) === token);
    intersect(matching, marked(foldedCodes(data.table, token, test, checkpoint)));
  }
  return matching;
};

/** Of most words, which are one part of ASCII. */
const simpleTest = (parts: readonly string[], isPrefix: boolean): BytesTest | null =>
  parts.length === 1 && isAscii(parts[0]!) ? partTest(parts[0]!, isPrefix) : null;

const longestOf = (parts: readonly string[]): string =>
  parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '');
