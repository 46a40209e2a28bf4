import { Chunked } from './chunked.ts';
import type { KeywordColumn } from './keyword-column.ts';
import type { NumberColumn } from './number-column.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { FieldKind } from '../../../introspection/fields/field.ts';
import type { TermForm } from '../../../introspection/terms/term-forms.ts';

/** A mapped field's values and mapping. */
export interface Column {
  readonly path: string;
  readonly type: string;
  readonly fieldKind: FieldKind;
  /** The field's mapping entry. */
  readonly property: JsonObject;
  readonly level: NestedLevel;
  /** Its position in a row's values. */
  readonly slot: number;
  readonly data: KeywordColumn | NumberColumn;
  /** How its strings are kept; unset: unchanged. */
  readonly form?: TermForm | undefined;
}

/**
 * All objects at one nested path, numbered in the order of their documents; the root level is the documents
 * themselves. The children of object p are childOffsets[p] up to childOffsets[p + 1], the parent of child c is
 * parentOf[c].
 */
export class NestedLevel {
  /** The nested path, '' for the documents. */
  readonly path: string;
  readonly parent: NestedLevel | null;
  /** The number of nested paths above it. */
  readonly depth: number;
  /** Its position among its parent's children. */
  readonly slot: number;
  count = 0;
  readonly columns: Column[] = [];
  /** The values that every object has by its mapping, of constant fields, and the slots of their columns. */
  readonly constants: { readonly slot: number; readonly value: string }[] = [];
  readonly children: NestedLevel[] = [];
  /** The parent of each object. */
  readonly parentOf = new Chunked(Uint32Array);
  /** The first child here of each object of the parent level. */
  readonly childOffsets = new Chunked(Uint32Array);

  constructor(path: string, parent: NestedLevel | null) {
    this.path = path;
    this.parent = parent;
    this.depth = parent === null ? 0 : parent.depth + 1;
    this.slot = parent === null ? 0 : parent.children.push(this) - 1;
  }

  /** The first child here of an object of the parent level; past the last object, the count. */
  firstChildOf(parent: number): number {
    return parent < this.childOffsets.length ? this.childOffsets.at(parent) : this.count;
  }
}

/** Whether a level is the same as another, or above it. */
export const isAncestor = (level: NestedLevel, of: NestedLevel): boolean =>
  level === of || (of.parent !== null && isAncestor(level, of.parent));

/** The range of objects of `level` below one object of `from`, an ancestor level: the first, and one past the last. */
export const descendants = (
  level: NestedLevel,
  from: NestedLevel,
  ordinal: number,
): readonly [number, number] => {
  if (level === from) return [ordinal, ordinal + 1];
  // children are added in their parents' order, so the children of a run of objects are a run too
  const [first, end] = descendants(level.parent!, from, ordinal);
  return [level.firstChildOf(first), level.firstChildOf(end)];
};

/** The object of `ancestor` above an object of `level`. */
export const ancestorOf = (level: NestedLevel, ordinal: number, ancestor: NestedLevel): number => {
  let object = ordinal;
  for (let at = level; at !== ancestor; at = at.parent!) object = at.parentOf.at(object);
  return object;
};
