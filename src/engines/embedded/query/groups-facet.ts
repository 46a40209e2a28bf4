import type { BucketsResult, GroupsRequest } from '../../measure.ts';
import { hasBit } from '../columns/bitset.ts';
import type { KeywordColumn } from '../columns/keyword-column.ts';
import type { Column } from '../columns/nested-level.ts';
import { pieceMask, type Checkpoint } from '../columns/search-run.ts';
import type { FacetScope } from './facet-scope.ts';
import { countCodesOfSets, setsByCode, type SetsByCode } from './count-sets.ts';
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
  /** The size of its dictionary, to which strings are only ever added. */
  readonly size: number;
  readonly byCode: SetsByCode;
}

/** Sets may occur in many searches: see shared-parts.ts. */
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
  const prepared = { column, size, byCode: setsByCode(codes, request.sets, size) };
  knownSets.set(request, prepared);
  return prepared;
};

/** The documents of objects that have any of these values. */
const countObjects = (
  column: Column,
  { ids, owners }: FacetScope,
  values: GroupsRequest['values'],
  checkpoint: Checkpoint,
): number => {
  const bits = termsBits(column, values, checkpoint);
  let count = 0;
  let last = -1;
  for (let i = 0; i < ids.length; i++) {
    if ((i & pieceMask) === 0) checkpoint();
    if (!hasBit(bits, ids[i]!)) continue;
    const owner = owners === null ? ids[i]! : owners[i]!;
    if (owner !== last) count++;
    last = owner;
  }
  return count;
};
