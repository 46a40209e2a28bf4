import type { JsonObject } from '../../../lib/json/json.ts';
import { Columns } from '../columns/columns.ts';
import type { TypedArray } from '../columns/chunked.ts';
import type { KeywordColumn } from '../columns/keyword-column.ts';
import { layColumns, restoreColumns, type ColumnsLayout } from '../store/snapshot-layout.ts';

/**
 * One state of an index's columns for another thread: their layout and views of the original arrays. The owner only
 * ever writes past the ends of these views or into new arrays, so this state never changes; the live bits, which
 * deletions clear, are a copy.
 */
export interface SharedColumns {
  /** Identifies this state: equal tokens, equal columns. */
  readonly token: string;
  /** The file of the documents. */
  readonly storePath: string;
  readonly mapping: JsonObject;
  readonly layout: ColumnsLayout;
  readonly arrays: readonly TypedArray[];
  /**
   * The folded strings of columns that have been searched ignoring case, by path; as large as the strings themselves.
   */
  readonly folded: readonly (readonly [path: string, bytes: Uint8Array])[];
}

/** The current columns, for messages to other threads. They must be sealed. */
export const shareColumns = (columns: Columns, mapping: JsonObject, storePath: string): SharedColumns => {
  const { layout, arrays } = layColumns(columns);
  const [live, ...others] = arrays;
  return {
    token: tokenOf(columns),
    storePath,
    mapping,
    layout,
    arrays: [live!.slice(), ...others],
    folded: foldedOf(columns),
  };
};

const foldedOf = (columns: Columns): SharedColumns['folded'] =>
  [columns.ids, ...columns.tree.columns.values()].flatMap(({ path, data }) =>
    data.kind === 'keyword' && data.table.folded !== null ? [[path, data.table.folded] as const] : [],
  );

/** Columns over the owner's arrays, read-only. */
export const attachedColumns = ({ mapping, layout, arrays, folded }: SharedColumns): Columns => {
  const columns = new Columns(mapping);
  restoreColumns(columns, layout, arrays);
  for (const [path, bytes] of folded)
    (columns.column(path)!.data as KeywordColumn).table.restoreFolded(bytes);
  return columns;
};

/** Every write adds or removes a document or extends the mapping; newly folded strings are worth sharing too. */
export const tokenOf = (columns: Columns): string =>
  [
    columns.name,
    columns.root.count,
    columns.liveCount,
    columns.tree.columns.size,
    columns.tree.levels.size,
    foldedOf(columns).length,
  ].join();
