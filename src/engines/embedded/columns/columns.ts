import type { JsonObject } from '../../../lib/json/json.ts';
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { clearBit, hasBit, setBit, type Bitset } from './bitset.ts';
import { allocate, Chunked, withRoom } from './chunked.ts';
import { constantOf } from '../../../introspection/terms/term-forms.ts';
import { KeptResults, ReadAhead } from './kept-results.ts';
import { keyColumn } from './flattened.ts';
import { KeywordColumn } from './keyword-column.ts';
import { excludedBy } from '../../semantics/source-filter.ts';
import { firstUnmapped, mappingTree, type MappingTree } from './mapping-tree.ts';
import { readRow, type Row } from './row.ts';
import type { Column, NestedLevel } from './nested-level.ts';
import type { Staged } from './value-reader.ts';

/**
 * All columns of one index. Documents get consecutive ordinals in the order of their document numbers; deleting one
 * only clears its live bit.
 */
export class Columns {
  /** Unique, across threads too. */
  readonly name = randomUUID();
  tree: MappingTree;
  /** The documents' keys, `_id` in queries. */
  readonly ids: Column;
  /** The document number of each ordinal, ascending. */
  readonly docIds = new Chunked(Float64Array);
  readonly #keyColumns = new LRUCache<string, { readonly column: Column; readonly state: string }>({
    max: 64,
  });
  readonly readAhead = new ReadAhead();
  /**
   * Which objects satisfy a condition on one field. Portal users add one condition at a time, so most conditions of a
   * search were in the previous one. Each document takes one bit; deletions change none.
   */
  readonly leafBits = new KeptResults<Bitset>(4 << 20, ({ byteLength }) => byteLength);
  live: Bitset = allocate(Uint32Array, 32);
  liveCount = 0;

  /** Drops the parts of documents that the mapping excludes; null: nothing is dropped. */
  readonly withoutExcluded: ((document: JsonObject) => JsonObject) | null;

  constructor(mapping: JsonObject) {
    this.tree = mappingTree(mapping);
    this.withoutExcluded = excludedBy(mapping);
    const data = new KeywordColumn();
    this.ids = {
      path: '_id',
      type: 'keyword',
      fieldKind: 'keyword',
      property: {},
      level: this.root,
      slot: -1,
      data,
    };
  }

  get root(): NestedLevel {
    return this.tree.root.level;
  }

  /** The column of a field, undefined when it has none; `_id` is the document's key. */
  column(path: string): Column | undefined {
    return path === '_id' ? this.ids : (this.tree.columns.get(path) ?? this.#keyColumn(path));
  }

  #keyColumn(path: string): Column | undefined {
    const state = `${this.tree.columns.size} ${this.docIds.length}`;
    const known = this.#keyColumns.get(path);
    if (known?.state === state) return known.column;
    const column = keyColumn(this.tree.columns, path);
    if (column !== undefined) this.#keyColumns.set(path, { column, state });
    return column;
  }

  /** The key of the document at an ordinal. */
  idOf(ordinal: number): string {
    const data = this.ids.data as KeywordColumn;
    return data.table.value(data.codesOf(ordinal)[0]!);
  }

  /** Adds a document; its number must be higher than all previous ones. */
  append(docId: number, id: string, row: Row): void {
    const ordinal = appendRow(this.root, row);
    (this.ids.data as KeywordColumn).append(ordinal, id);
    this.docIds.push(docId);
    this.live = withRoom(this.live, (ordinal >>> 5) + 1);
    setBit(this.live, ordinal);
    this.liveCount++;
  }

  /** Removes a document by its number, if present. */
  remove(docId: number): void {
    const ordinal = this.ordinalOf(docId);
    if (ordinal < 0 || !hasBit(this.live, ordinal)) return;
    clearBit(this.live, ordinal);
    this.liveCount--;
  }

  /** The ordinal of a document number, or -1. */
  ordinalOf(docId: number): number {
    let low = 0;
    let high = this.docIds.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.docIds.at(middle) < docId) low = middle + 1;
      else high = middle;
    }
    return low < this.docIds.length && this.docIds.at(low) === docId ? low : -1;
  }

  /** Pads every column to cover all objects of its level; call after a series of appends, before searching. */
  seal(): void {
    (this.ids.data as KeywordColumn).padTo(this.root.count);
    for (const level of this.tree.levels.values()) {
      for (const column of level.columns) column.data.padTo(level.count);
    }
  }

  /**
   * Adopts a mapping with additional fields and fills their columns from the stored documents, as pairs of
   * document number and parsed document in ascending order. They are not read if none can have a value for the new
   * fields.
   */
  extend(mapping: JsonObject, documents: Iterable<readonly [number, JsonObject]>): void {
    const before = this.tree;
    const known = new Set<object>([...before.levels.values(), ...before.columns.values()]);
    this.tree = mappingTree(mapping, before);
    if (mayHaveValues(before, this.tree, known))
      for (const [docId, document] of documents) {
        const ordinal = this.ordinalOf(docId);
        if (ordinal >= 0) fillRow(this.root, ordinal, readRow(this.tree, document, false), known);
      }
    this.seal();
  }
}

/** Whether documents stored under one mapping may have values for fields that another adds. */
const mayHaveValues = (before: MappingTree, after: MappingTree, known: ReadonlySet<object>): boolean => {
  const { root, unmapped } = before;
  const columns = [...after.columns.values()].filter((column) => !known.has(column));
  const levels = [...after.levels.values()].filter((level) => !known.has(level));
  return (
    after.copies ||
    columns.some(
      ({ property }) => property['null_value'] !== undefined || constantOf(property) !== undefined,
    ) ||
    [...columns, ...levels]
      .map(({ path }) => firstUnmapped(root, path))
      .some((path) => path === null || unmapped.mayHold(path))
  );
};

/** Adds a row as the next object of a level, its children after the existing ones. Returns its ordinal. */
const appendRow = (level: NestedLevel, row: Row): number => {
  const ordinal = level.count++;
  for (let slot = 0; slot < row.values.length; slot++) {
    const values = row.values[slot];
    if (values !== undefined) appendValues(level.columns[slot]!, ordinal, values);
  }
  for (const child of level.children) appendChildren(child, ordinal, row.children[child.slot]);
  return ordinal;
};

const appendValues = ({ data }: Column, ordinal: number, values: Staged | readonly Staged[]): void => {
  if (data.kind === 'keyword') data.append(ordinal, values as string | readonly string[]);
  else data.append(ordinal, values as number | bigint | readonly (number | bigint)[]);
};

const appendChildren = (level: NestedLevel, parent: number, rows: readonly Row[] | undefined): void => {
  // parents that were not re-read have no children
  while (level.childOffsets.length <= parent) level.childOffsets.push(level.count);
  if (rows === undefined) return;
  for (const row of rows) {
    level.parentOf.push(parent);
    appendRow(level, row);
  }
};

/** Adds the values and children of new columns and levels to an existing object. */
const fillRow = (level: NestedLevel, ordinal: number, row: Row, known: ReadonlySet<object>): void => {
  row.values.forEach((values, slot) => {
    const column = level.columns[slot]!;
    if (values !== undefined && !known.has(column)) appendValues(column, ordinal, values);
  });
  for (const child of level.children) {
    const rows = row.children[child.slot];
    if (!known.has(child)) {
      appendChildren(child, ordinal, rows);
    } else if (rows !== undefined) {
      const first = child.firstChildOf(ordinal);
      rows.forEach((inner, i) => fillRow(child, first + i, inner, known));
    }
  }
};
