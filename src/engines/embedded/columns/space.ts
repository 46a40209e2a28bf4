import { Chunked } from './chunked.ts';
import type { KeywordColumn } from './keyword-column.ts';
import type { NumberColumn } from './number-column.ts';
import type { JsonObject } from '../../../json.ts';
import type { FieldKind } from '../../../introspection/fields/field.ts';

/** A mapped field's values and how it is mapped. */
export interface Column {
  readonly path: string;
  readonly type: string;
  readonly fieldKind: FieldKind;
  /** Its own entry of the mapping. */
  readonly property: JsonObject;
  readonly space: Space;
  /** Its position in a row's values. */
  readonly slot: number;
  readonly data: KeywordColumn | NumberColumn;
}

/**
 * All objects at one nested path, numbered in the order of their documents; the root space is the documents
 * themselves. The children of object p are start[p] up to start[p + 1], the parent of child c is up[c].
 */
export class Space {
  /** The nested path, '' for the documents. */
  readonly path: string;
  readonly parent: Space | null;
  /** How many nested paths lie above. */
  readonly depth: number;
  /** Its position among its parent's children. */
  readonly slot: number;
  count = 0;
  readonly columns: Column[] = [];
  readonly children: Space[] = [];
  /** For each object its parent. */
  readonly up = new Chunked(Uint32Array);
  /** For each object of the parent space its first child here. */
  readonly start = new Chunked(Uint32Array);

  constructor(path: string, parent: Space | null) {
    this.path = path;
    this.parent = parent;
    this.depth = parent === null ? 0 : parent.depth + 1;
    this.slot = parent === null ? 0 : parent.children.push(this) - 1;
  }

  /** The first child here of an object of the parent space; past the last object, the count. */
  startOf(parent: number): number {
    return parent < this.start.length ? this.start.at(parent) : this.count;
  }
}

/** The objects of `space` below one object of `from`, an ancestor space: first and one past the last. */
export const descendants = (space: Space, from: Space, ordinal: number): readonly [number, number] => {
  if (space === from) return [ordinal, ordinal + 1];
  // children are added in their parents' order, so those of a run of objects are a run themselves
  const [first, end] = descendants(space.parent!, from, ordinal);
  return [space.startOf(first), space.startOf(end)];
};

/** The object of `ancestor` above an object of `space`. */
export const ancestorOf = (space: Space, ordinal: number, ancestor: Space): number => {
  let object = ordinal;
  for (let at = space; at !== ancestor; at = at.parent!) object = at.up.at(object);
  return object;
};
