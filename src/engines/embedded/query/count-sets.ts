import { chunkMask, chunkSize, forEachChunkRun, type Codes, type ValueChunk } from '../columns/chunked.ts';
import type { KeywordColumn } from '../columns/keyword-column.ts';
import type { Checkpoint } from '../columns/search-run.ts';
import type { GroupsRequest } from '../../measure.ts';
import type { FacetScope } from './facet-scope.ts';

/** Codes that belong to the same sets are of one class: 0 belongs to none. */
export interface SetsByCode {
  readonly classOf: Uint8Array | Uint32Array;
  /** The sets of a class: of[starts[class]] up to of[starts[class + 1]]. */
  readonly starts: Uint32Array;
  readonly of: Uint32Array;
}

/** @param codes of the values; 0 for those that do not occur */
export const setsByCode = (
  codes: readonly number[],
  sets: GroupsRequest['sets'],
  size: number,
): SetsByCode => {
  const classOf = new Uint32Array(size + 1);
  // a class is an earlier class with one more set: both lists grow set by set
  const before = [0];
  const lastSet = [-1];
  sets.forEach(({ members }, set) => {
    const made = new Map<number, number>();
    for (const at of members) {
      const code = codes[at]!;
      const previous = classOf[code]!;
      // values that the column keeps as the same string share a code, which counts once per set
      if (code === 0 || lastSet[previous] === set) continue;
      if (!made.has(previous)) {
        made.set(previous, before.push(previous) - 1);
        lastSet.push(set);
      }
      classOf[code] = made.get(previous)!;
    }
  });
  const isUsed = new Uint8Array(before.length);
  for (const pair of classOf) isUsed[pair] = 1;
  const of: number[] = [];
  const starts = before.map((_, pair) => {
    const start = of.length;
    for (let at = isUsed[pair] === 1 ? pair : 0; at !== 0; at = before[at]!) of.push(lastSet[at]!);
    return start;
  });
  return {
    classOf: before.length <= 256 ? Uint8Array.from(classOf) : classOf,
    starts: Uint32Array.from([...starts, of.length]),
    of: Uint32Array.from(of),
  };
};

/** Counts the documents that have any code of each set. @param size the number of sets */
export const countCodesOfSets = (
  column: KeywordColumn,
  { ids, owners }: FacetScope,
  sets: SetsByCode,
  size: number,
  checkpoint: Checkpoint,
): Uint32Array => {
  const { classOf, starts, of } = sets;
  const classes = starts.length - 1;
  const width = classes <= maxPaired ? classes : 0;
  const pairs = new Uint32Array(width === 0 ? classes : width ** 2);
  const [counts, last] = [new Uint32Array(size), new Uint32Array(size)];
  const [firsts, ends, marks] = [newNumbers(), newNumbers(), newNumbers()];
  const counting = { ...sets, counts, last, pairs, width, firsts, ends, marks };
  forEachChunkRun(ids, checkpoint, (number, from, to) => {
    const chunk = column.chunks[number]!;
    if (owners !== null)
      countLists(chunk.values, listsOfOwners(chunk, ids, owners, from, to, counting), counting);
    else if (chunk.offsets !== null)
      countLists(chunk.values, listsOf(chunk.offsets, ids, from, to, counting), counting);
    else for (let i = from; i < to; i++) pairs[classOf[chunk.values[ids[i]! & chunkMask]!]! * (width + 1)]!++;
  });
  last.fill(0);
  for (let pair = 0; pair < pairs.length; pair++)
    for (const combined of pairs[pair] === 0
      ? []
      : width === 0
        ? [pair]
        : [Math.floor(pair / width), pair % width])
      for (let k = starts[combined]!; k < starts[combined + 1]!; k++) {
        if (last[of[k]!] !== pair + 1) counts[of[k]!]! += pairs[pair]!;
        last[of[k]!] = pair + 1;
      }
  return counts;
};

const newNumbers = (): Uint32Array => new Uint32Array(chunkSize);

interface Counting extends SetsByCode {
  readonly counts: Uint32Array;
  /** For each set the mark of the last document counted. */
  readonly last: Uint32Array;
  /** How many documents have codes of two classes: at the one, times `width`, plus the other; with one class, it is both. */
  readonly pairs: Uint32Array;
  /** The number of classes; 0 if there are too many for their pairs, and then each class has one place. */
  readonly width: number;
  /** For lists of codes in a chunk: their starts and ends, and a mark of the document, odd if the list is part of a document's. */
  readonly firsts: Uint32Array;
  readonly ends: Uint32Array;
  readonly marks: Uint32Array;
}

/** The most classes whose pairs are counted: the counts stay in the processor's cache. */
const maxPaired = 512;

/** @returns the number of lists, which are in the order of the documents */
const listsOf = (
  offsets: Uint32Array,
  ids: Uint32Array,
  from: number,
  to: number,
  { firsts, ends, marks }: Counting,
): number => {
  for (let i = from; i < to; i++) {
    const local = ids[i]! & chunkMask;
    firsts[i - from] = offsets[local]!;
    ends[i - from] = offsets[local + 1]!;
    marks[i - from] = 2 * ids[i]! + 2;
  }
  return to - from;
};

/** The codes of a document's nested objects are one list if they follow each other in one chunk. */
const listsOfOwners = (
  { offsets }: ValueChunk<Codes>,
  ids: Uint32Array,
  owners: Uint32Array,
  from: number,
  to: number,
  { firsts, ends, marks }: Counting,
): number => {
  const placeOf = (local: number): number => (offsets === null ? local : offsets[local]!);
  let count = 0;
  for (let i = from, next = from; i < to; i = next) {
    const owner = owners[i]!;
    while (next < to && owners[next] === owner) next++;
    const isWhole = (i > from || owners[i - 1] !== owner) && (next < to || owners[next] !== owner);
    const length = isWhole && ids[next - 1]! - ids[i]! === next - 1 - i ? next - i : 1;
    for (let k = i; k < next; k += length) {
      const local = ids[k]! & chunkMask;
      firsts[count] = placeOf(local);
      ends[count] = placeOf(local + length);
      marks[count++] = 2 * owner + (isWhole && length === next - i ? 2 : 3);
    }
  }
  return count;
};

/** Counts each document once per set. Most lists have two codes at most; the others follow, as varying branches are slow. */
const countLists = (values: Codes, lists: number, counting: Counting): void => {
  const { classOf, pairs, width, firsts, ends, marks } = counting;
  const most = width === 0 ? 1 : 2;
  let count = 0;
  for (let i = 0; i < lists; i++) {
    const first = firsts[i]!;
    const end = ends[i]!;
    if (end === first) continue;
    const isLong = Number(end > first + most) | (marks[i]! & 1);
    // the first place belongs to no set
    pairs[(classOf[values[first]!]! * width + classOf[values[end - 1]!]!) * (1 - isLong)]!++;
    firsts[count] = first;
    ends[count] = end;
    marks[count] = marks[i]!;
    count += isLong;
  }
  for (let i = 0; i < count; i++) countLong(values, firsts[i]!, ends[i]!, marks[i]!, counting);
};

const countLong = (values: Codes, first: number, end: number, mark: number, counting: Counting): void => {
  const { classOf, pairs, width } = counting;
  let [a, b] = [classOf[values[first]!]!, classOf[values[end - 1]!]!];
  let at = first + 1;
  for (; at < end - 1; at++) {
    const next = classOf[values[at]!]!;
    if (next === 0 || next === a || next === b) continue;
    if (a === 0 || a === b) a = next;
    else if (b === 0) b = next;
    else break;
  }
  if (at < end - 1 || width === 0 || (mark & 1) === 1) countOnce(values, first, end, mark, counting);
  else pairs[a * width + b]!++;
};

const countOnce = (
  values: Codes,
  first: number,
  end: number,
  mark: number,
  { classOf, starts, of, counts, last }: Counting,
): void => {
  for (let j = first; j < end; j++) {
    const combined = classOf[values[j]!]!;
    for (let k = starts[combined]!; k < starts[combined + 1]!; k++) {
      const set = of[k]!;
      counts[set]! += Number(last[set] !== mark);
      last[set] = mark;
    }
  }
};
