import type { BucketsResult, GroupsRequest } from '../../measure.ts';
import { hasBit } from '../columns/bitset.ts';
import { chunkMask, forEachChunkRun, type Codes, type ValueChunk } from '../columns/chunked.ts';
import type { KeywordColumn } from '../columns/keyword-column.ts';
import type { Column } from '../columns/nested-level.ts';
import { pieceMask, type Checkpoint } from '../columns/search-run.ts';
import type { FacetScope } from './facet-scope.ts';
import { codeOf, termsBits } from './filter/leaf-filters.ts';

/** Counts the documents that have any value of each set, in one pass over the codes. */
export const groupsFacet = (
  column: Column | undefined,
  scope: FacetScope,
  request: GroupsRequest,
  checkpoint: Checkpoint,
): BucketsResult<'groups'> => {
  const counts = countSets(column, scope, request, checkpoint);
  return {
    kind: 'groups',
    buckets: request.sets.map(({ key }, set) => ({ key, count: counts[set]! })),
  };
};

const countSets = (
  column: Column | undefined,
  scope: FacetScope,
  request: GroupsRequest,
  checkpoint: Checkpoint,
): Uint32Array => {
  const { values, sets } = request;
  if (column === undefined) return new Uint32Array(sets.length);
  const { data } = column;
  // addresses are also named by blocks, and numbers have no codes
  if (data.kind === 'number' || column.type === 'ip')
    return Uint32Array.from(sets, ({ members }) =>
      countObjects(
        column,
        scope,
        members.map((at) => values[at]!),
        checkpoint,
      ),
    );
  const known = knownSets.get(request);
  const { byCode } =
    known?.column === column && known.size === data.table.size
      ? known
      : setsOfColumn(column, data, request, checkpoint);
  return countCodesOfSets(data, scope, byCode, sets.length, checkpoint);
};

interface ColumnSets {
  readonly column: Column;
  /** Of its dictionary, to which strings are only ever added. */
  readonly size: number;
  readonly byCode: SetsByCode;
}

/** Sets may be of many searches: see shared-parts.ts. */
const knownSets = new WeakMap<GroupsRequest, ColumnSets>();

const setsOfColumn = (
  column: Column,
  data: KeywordColumn,
  request: GroupsRequest,
  checkpoint: Checkpoint,
): ColumnSets => {
  const { size } = data.table;
  const codes = request.values.map((value, index) => {
    if ((index & pieceMask) === 0) checkpoint();
    return codeOf(column, data, value);
  });
  const found = { column, size, byCode: setsByCode(codes, request.sets, size) };
  knownSets.set(request, found);
  return found;
};

/** The documents of objects that have any of these values. */
const countObjects = (
  column: Column,
  { ids, owners }: FacetScope,
  values: GroupsRequest['values'],
  checkpoint: Checkpoint,
): number => {
  const bits = termsBits(column, values, checkpoint);
  let found = 0;
  let last = -1;
  for (let i = 0; i < ids.length; i++) {
    if ((i & pieceMask) === 0) checkpoint();
    if (!hasBit(bits, ids[i]!)) continue;
    const owner = owners === null ? ids[i]! : owners[i]!;
    if (owner !== last) found++;
    last = owner;
  }
  return found;
};

/** Codes that belong to the same sets are of one class: 0 belongs to none. */
interface SetsByCode {
  readonly classOf: Uint8Array | Uint32Array;
  /** The sets of a class: of[starts[class]] up to of[starts[class + 1]]. */
  readonly starts: Uint32Array;
  readonly of: Uint32Array;
}

/** @param codes of the values; 0 for those that do not occur */
const setsByCode = (codes: readonly number[], sets: GroupsRequest['sets'], size: number): SetsByCode => {
  const classOf = new Uint32Array(size + 1);
  // a class is another one and a further set: both grow set by set
  const before = [0];
  const lastSet = [-1];
  sets.forEach(({ members }, set) => {
    const made = new Map<number, number>();
    for (const at of members) {
      const code = codes[at]!;
      const own = classOf[code]!;
      // values that the column keeps alike have one code, which counts once a set
      if (code === 0 || lastSet[own] === set) continue;
      if (!made.has(own)) {
        made.set(own, before.push(own) - 1);
        lastSet.push(set);
      }
      classOf[code] = made.get(own)!;
    }
  });
  const isUsed = new Uint8Array(before.length);
  for (const one of classOf) isUsed[one] = 1;
  const of: number[] = [];
  const starts = before.map((_, one) => {
    const start = of.length;
    for (let at = isUsed[one] === 1 ? one : 0; at !== 0; at = before[at]!) of.push(lastSet[at]!);
    return start;
  });
  return {
    classOf: before.length <= 256 ? Uint8Array.from(classOf) : classOf,
    starts: Uint32Array.from([...starts, of.length]),
    of: Uint32Array.from(of),
  };
};

const countCodesOfSets = (
  column: KeywordColumn,
  { ids, owners }: FacetScope,
  sets: SetsByCode,
  size: number,
  checkpoint: Checkpoint,
): Uint32Array => {
  const { classOf, starts, of } = sets;
  const width = starts.length - 1 <= maxPaired ? starts.length - 1 : 0;
  const counting = { ...sets, counts: new Uint32Array(size), last: new Uint32Array(size), single: new Uint32Array(starts.length), pairs: new Uint32Array(width ** 2), width };
  const { counts, single, pairs, last } = counting;
  forEachChunkRun(ids, checkpoint, (number, from, to) => {
    const chunk = column.chunks[number]!;
    if (owners !== null) countOwners(chunk, ids, owners, from, to, counting);
    else if (chunk.offsets === null) for (let i = from; i < to; i++) single[classOf[chunk.values[ids[i]! & chunkMask]!]!]!++;
    else countLists(chunk.values, chunk.offsets, ids, from, to, counting);
  });
  for (let one = 1; one < single.length; one++)
    for (let k = starts[one]!; k < starts[one + 1]!; k++) counts[of[k]!]! += single[one]!;
  last.fill(0);
  for (let pair = 0; pair < pairs.length; pair++)
    for (const one of pairs[pair] === 0 ? [] : [Math.floor(pair / width), pair % width])
      for (let k = starts[one]!; k < starts[one + 1]!; k++) {
        if (last[of[k]!] !== pair + 1) counts[of[k]!]! += pairs[pair]!;
        last[of[k]!] = pair + 1;
      }
  return counts;
}; // prettier-ignore

interface Counting extends SetsByCode {
  readonly counts: Uint32Array;
  /** For each set the last object counted, plus one. */
  readonly last: Uint32Array;
  /** How many objects have codes of one class only. */
  readonly single: Uint32Array;
  /** How many have codes of two: at the one, times `width`, plus the other. Empty if there are too many classes. */
  readonly pairs: Uint32Array;
  readonly width: number;
}

/** The most classes whose pairs are counted: the counts stay in the processor's cache. */
const maxPaired = 512;

/** Counts each object once a set. Most have codes of two classes at most. */
const countLists = (
  values: Codes,
  offsets: Uint32Array,
  ids: Uint32Array,
  from: number,
  to: number,
  counting: Counting,
): void => {
  const { classOf, single, pairs, width } = counting;
  for (let i = from; i < to; i++) {
    const local = ids[i]! & chunkMask;
    const first = offsets[local]!;
    const end = offsets[local + 1]!;
    // without branches for the short lists, which would be guessed wrong
    if (end === first + 1) single[classOf[values[first]!]!]!++;
    else if (end === first + 2 && width > 0) pairs[classOf[values[first]!]! * width + classOf[values[first + 1]!]!]!++;
    else {
      let [one, other] = [0, 0];
      let j = first;
      for (; j < end; j++) {
        const next = classOf[values[j]!]!;
        if (next === 0 || next === one || next === other) continue;
        if (one === 0) one = next;
        else if (other === 0 && width > 0) other = next;
        else break;
      }
      if (j < end) countOnce(values, first, end, ids[i]! + 1, counting);
      else if (other === 0) single[one]!++;
      else pairs[one * width + other]!++;
    }
  }
}; // prettier-ignore

/** Counts each owner once a set; owners ascend. */
const countOwners = (
  { values, offsets }: ValueChunk<Codes>,
  ids: Uint32Array,
  owners: Uint32Array,
  from: number,
  to: number,
  counting: Counting,
): void => {
  for (let i = from; i < to; i++) {
    const local = ids[i]! & chunkMask;
    const first = offsets === null ? local : offsets[local]!;
    countOnce(values, first, offsets === null ? local + 1 : offsets[local + 1]!, owners[i]! + 1, counting);
  }
};

/** @param mark of the object: its number plus one */
const countOnce = (
  values: Codes,
  first: number,
  end: number,
  mark: number,
  { classOf, starts, of, counts, last }: Counting,
): void => {
  for (let j = first; j < end; j++) {
    const one = classOf[values[j]!]!;
    for (let k = starts[one]!; k < starts[one + 1]!; k++) {
      const set = of[k]!;
      counts[set]! += Number(last[set] !== mark);
      last[set] = mark;
    }
  }
};
