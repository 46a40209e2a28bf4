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
  { values, sets }: GroupsRequest,
  checkpoint: Checkpoint,
): Uint32Array => {
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
  const codes = values.map((value, index) => {
    if ((index & pieceMask) === 0) checkpoint();
    return codeOf(column, data, value);
  });
  return countCodesOfSets(data, scope, setsByCode(codes, sets, data.table.size), sets.length, checkpoint);
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

/** The sets that a code belongs to: of[starts[code]] up to of[starts[code + 1]]. */
interface SetsByCode {
  readonly starts: Uint32Array;
  readonly of: Uint32Array;
}

/** @param codes of the values; 0 for those that do not occur */
const setsByCode = (codes: readonly number[], sets: GroupsRequest['sets'], size: number): SetsByCode => {
  const starts = new Uint32Array(size + 2);
  const last = new Uint32Array(size + 1);
  // values that the column keeps alike have one code, which counts once a set
  const visit = (first: number, each: (code: number, set: number) => void): void =>
    sets.forEach(({ members }, set) => {
      for (const at of members) {
        const code = codes[at]!;
        if (code === 0 || last[code] === first + set) continue;
        last[code] = first + set;
        each(code, set);
      }
    });
  visit(1, (code) => starts[code + 1]!++);
  for (let code = 1; code < starts.length; code++) starts[code]! += starts[code - 1]!;
  const next = starts.slice();
  const of = new Uint32Array(starts.at(-1)!);
  visit(1 + sets.length, (code, set) => {
    of[next[code]!++] = set;
  });
  return { starts, of };
};

const countCodesOfSets = (
  column: KeywordColumn,
  { ids, owners }: FacetScope,
  sets: SetsByCode,
  size: number,
  checkpoint: Checkpoint,
): Uint32Array => {
  const counts = new Uint32Array(size);
  const last = new Uint32Array(size);
  const single = new Uint32Array(column.table.size + 1);
  forEachChunkRun(ids, checkpoint, (number, from, to) => {
    const chunk = column.chunks[number]!;
    if (chunk.offsets === null && owners === null)
      for (let i = from; i < to; i++) single[chunk.values[ids[i]! & chunkMask]!]!++;
    else countOnce(chunk, ids, owners ?? ids, from, to, sets, counts, last);
  });
  const { starts, of } = sets;
  for (let code = 1; code < single.length; code++)
    for (let k = starts[code]!; k < starts[code + 1]!; k++) counts[of[k]!]! += single[code]!;
  return counts;
};

/** Counts each owner once a set; owners ascend. @param last for each set its last owner plus one */
const countOnce = (
  { values, offsets }: ValueChunk<Codes>,
  ids: Uint32Array,
  owners: Uint32Array,
  from: number,
  to: number,
  { starts, of }: SetsByCode,
  counts: Uint32Array,
  last: Uint32Array,
): void => {
  for (let i = from; i < to; i++) {
    const local = ids[i]! & chunkMask;
    const owner = owners[i]! + 1;
    const first = offsets === null ? local : offsets[local]!;
    const end = offsets === null ? local + 1 : offsets[local + 1]!;
    for (let j = first; j < end; j++) {
      const code = values[j]!;
      for (let k = starts[code]!; k < starts[code + 1]!; k++) {
        const set = of[k]!;
        counts[set]! += Number(last[set] !== owner);
        last[set] = owner;
      }
    }
  }
};
