import { hasBit } from '../columns/bitset.ts';
import type { Columns } from '../columns/columns.ts';
import type { Column, NestedLevel } from '../columns/nested-level.ts';
import { numbersOf } from '../columns/number-column.ts';
import { readRow, type Row } from '../columns/row.ts';
import type { Staged } from '../columns/value-reader.ts';
import { parseStored } from '../store/store-file.ts';
import type { StoredDocument } from '../store/store.ts';

/** More differences than this would add nothing. */
const maxDifferences = 20;

/**
 * Compares columns with the documents they were made from: every value of every field of every live document.
 * @param documents all stored documents, in the order of their numbers
 * @returns descriptions of the differences; empty when the columns are correct
 */
export const differences = (columns: Columns, documents: Iterable<StoredDocument>): readonly string[] => {
  const differences: string[] = [];
  let live = 0;
  for (const { docId, id, src } of documents) {
    const ordinal = columns.ordinalOf(docId);
    live++;
    if (ordinal < 0 || !hasBit(columns.live, ordinal))
      differences.push(`document ${id} is not in the columns`);
    else {
      if (columns.idOf(ordinal) !== id)
        differences.push(`document ${id} has the key ${columns.idOf(ordinal)}`);
      const row = readRow(columns.tree, parseStored(src), false);
      const field = firstDifference(columns.root, ordinal, row);
      if (field !== null) differences.push(`document ${id} has other values in ${field}`);
    }
    if (differences.length >= maxDifferences) return [...differences, 'and perhaps more'];
  }
  if (columns.liveCount !== live) {
    differences.push(`the columns count ${columns.liveCount} documents, ${live} are stored`);
  }
  return differences;
};

/** The first field or nested path in which an object differs from its document, or null. */
const firstDifference = (level: NestedLevel, ordinal: number, row: Row): string | null => {
  for (const column of level.columns) {
    if (!isSame(valuesOf(column, ordinal), listOf(column, row.values[column.slot]))) return column.path;
  }
  for (const child of level.children) {
    const rows = row.children[child.slot] ?? [];
    const first = child.firstChildOf(ordinal);
    if (child.firstChildOf(ordinal + 1) - first !== rows.length) return child.path;
    for (const [i, inner] of rows.entries()) {
      const difference =
        child.parentOf.at(first + i) === ordinal ? firstDifference(child, first + i, inner) : child.path;
      if (difference !== null) return difference;
    }
  }
  return null;
};

const valuesOf = ({ data }: Column, ordinal: number): readonly Staged[] =>
  data.kind === 'number'
    ? numbersOf(data, ordinal)
    : data.codesOf(ordinal).map((code) => data.table.value(code));

/** Keyword columns keep each value once, as UTF-8. */
const listOf = ({ data }: Column, staged: Row['values'][number]): readonly Staged[] => {
  const list = staged === undefined ? [] : Array.isArray(staged) ? staged : [staged];
  return data.kind === 'number' ? list : [...new Set(list.map((text) => String(text).toWellFormed()))];
};

/** A chunk with exact values returns all of them as bigints. */
const isSame = (left: readonly Staged[], right: readonly Staged[]): boolean =>
  left.length === right.length &&
  left.every((value, i) => value === right[i] || String(value) === String(right[i]));
