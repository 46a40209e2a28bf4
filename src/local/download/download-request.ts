import type { Sqon } from '../../sqon/ast.ts';
import type { SortRequest } from '../../search/query.ts';

export type FileType = 'tsv' | 'csv' | 'json';

/** What a client asks to download, read by parse-download.ts. */
export interface DownloadRequest {
  /** Of the archive, or of the only file when that has no name of its own. */
  readonly fileName: string | null;
  /** At least one; several come as one archive. */
  readonly files: readonly FileRequest[];
}

export interface FileRequest {
  readonly fileName: string | null;
  readonly fileType: FileType;
  /** At least one. */
  readonly columns: readonly ColumnRequest[];
  readonly sqon: Sqon | null;
  readonly sort: readonly SortRequest[];
  /** A nested path, as `donors.hits.edges[].node.` or `donors`: one row for each of its objects. */
  readonly uniqueBy: string | null;
  /** How many documents the client wants at most; whether that counts, the catalogue says. */
  readonly maxRows: number | null;
  /** What a cell without a value shows. */
  readonly valueWhenEmpty: string;
}

/** A column object of `configs.table.columns`, as portals send it back, or as little of one as names a value. */
export interface ColumnRequest {
  readonly fieldName?: string | null;
  readonly accessor?: string | null;
  readonly jsonPath?: string | null;
  readonly displayName?: string | null;
  /** The name of displayName in table components; only text counts. */
  readonly Header?: unknown;
  readonly displayType?: string | null;
  /** The deprecated spelling of displayType. */
  readonly type?: string | null;
  /** Unicode date tokens, `yyyy-MM-dd`. */
  readonly displayFormat?: string | null;
  readonly isArray?: boolean | null;
  /** What a value is shown as, by the value as text. */
  readonly displayValues?: Readonly<Record<string, unknown>> | null;
  /** The same, and goes before it. */
  readonly extendedDisplayValues?: Readonly<Record<string, unknown>> | null;
}
