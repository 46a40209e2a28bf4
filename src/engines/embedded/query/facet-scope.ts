import { objectFilter, type FacetQuery } from '../../engine.ts';
import type { Filter } from '../../../sqon/filter.ts';
import type { Bitset } from '../columns/bitset.ts';
import { emptyBitset, hasBit, intersect, listBits, setBit, setRange } from '../columns/bitset.ts';
import { pieceMask, type Checkpoint } from '../columns/search-run.ts';
import { chunkBits, chunkMask } from '../columns/chunked.ts';
import type { Columns } from '../columns/columns.ts';
import type { FilterRunner } from './filter/filter.ts';
import type { NestedLevel } from '../columns/nested-level.ts';

/** The objects a facet covers. */
export interface FacetScope {
  readonly level: NestedLevel;
  /** Ascending. */
  readonly ids: Uint32Array;
  /** The document of each of `ids`; null when they are documents themselves. */
  readonly owners: Uint32Array | null;
}

/** Finds the scopes of facets, over one state of the columns. */
export type FacetScopes = (facet: FacetQuery) => FacetScope;

/** Facets with the same filter share their list of documents. */
export const facetScopes = (columns: Columns, run: FilterRunner, checkpoint: Checkpoint): FacetScopes => {
  const known = new Map<Filter, Uint32Array>();
  const documentsOf = (filter: Filter): Uint32Array => {
    const ids = known.get(filter) ?? listBits(liveMatches(columns, run, filter));
    known.set(filter, ids);
    return ids;
  };
  return (facet) => {
    checkpoint();
    const documents = documentsOf(facet.filter);
    const path = facet.field.nestedIn.at(-1);
    const level =
      columns.column(facet.field.path)?.level ?? columns.tree.levels.get(path ?? '') ?? columns.root;
    if (level.parent === null) return { level, ids: documents, owners: null };
    const ids = listBits(objectsBelow(run, facet, level, documents, checkpoint));
    return { level, ids, owners: ownersOf(level, ids, checkpoint) };
  };
};

/** The live documents that satisfy a filter. */
export const liveMatches = (columns: Columns, run: FilterRunner, filter: Filter): Bitset => {
  const bits = run(filter, columns.root).slice();
  intersect(bits, columns.live);
  return bits;
};

/** The objects of `level` below these documents whose ancestors and selves satisfy the facet's `objects`. */
const objectsBelow = (
  run: FilterRunner,
  facet: FacetQuery,
  level: NestedLevel,
  documents: Uint32Array,
  checkpoint: Checkpoint,
): Bitset => {
  let above: Uint32Array = documents;
  let bits = emptyBitset(0);
  for (const each of levelsDownTo(level)) {
    bits = emptyBitset(each.count);
    for (let i = 0; i < above.length; i++) {
      if ((i & pieceMask) === 0) checkpoint();
      setRange(bits, each.firstChildOf(above[i]!), each.firstChildOf(above[i]! + 1));
    }
    const condition = objectFilter(facet, each.path);
    if (condition.kind !== 'all') intersect(bits, run(condition, each));
    if (each !== level) above = listBits(bits);
  }
  return bits;
};

/** The document of each object. */
const ownersOf = (level: NestedLevel, ids: Uint32Array, checkpoint: Checkpoint): Uint32Array => {
  const owners = ids.slice();
  for (let at = level; at.parent !== null; at = at.parent) {
    checkpoint();
    const { chunks } = at.parentOf;
    for (let i = 0; i < owners.length; i++) {
      const object = owners[i]!;
      owners[i] = chunks[object >>> chunkBits]![object & chunkMask]!;
    }
  }
  return owners;
};

const levelsDownTo = (level: NestedLevel): readonly NestedLevel[] =>
  level.parent === null ? [] : [...levelsDownTo(level.parent), level];

/** The part of a scope whose documents satisfy another filter. */
export const narrowed = (
  columns: Columns,
  run: FilterRunner,
  scope: FacetScope,
  filter: Filter,
): FacetScope => {
  const bits = run(filter, columns.root);
  if (scope.owners === null) return { ...scope, ids: scope.ids.filter((id) => hasBit(bits, id)) };
  const { owners } = scope;
  const ids = scope.ids.filter((_, i) => hasBit(bits, owners[i]!));
  return { ...scope, ids, owners: owners.filter((owner) => hasBit(bits, owner)) };
};

/** How many documents a scope's objects belong to. */
export const documentsIn = (columns: Columns, scope: FacetScope): number => {
  if (scope.owners === null) return scope.ids.length;
  const seen = emptyBitset(columns.root.count);
  let total = 0;
  for (const owner of scope.owners) {
    if (!hasBit(seen, owner)) total++;
    setBit(seen, owner);
  }
  return total;
};
