import type { Sqon } from '../../sqon/ast.ts';
import type { SortRequest } from '../../search/query.ts';

export type FileType = 'tsv' | 'csv' | 'json';

/** A client's download request, as read by parse-download.ts. */
export interface DownloadRequest {
  /** The name of the archive, or of a single file that has none of its own. */
  readonly fileName: string | null;
  /** At least one; several are sent as one archive. */
  readonly files: readonly FileRequest[];
  /** The ids of the nodes to take records from; null for all. A catalogue takes no note of it. */
  readonly only: ReadonlySet<string> | null;
  /** Whether an unavailable node aborts the download; otherwise the file ends normally and the manifest lists it. */
  readonly aborts: boolean;
  /** Whether a single file is also delivered in an archive with its manifest. */
  readonly manifest: boolean;
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
  /** The maximum number of documents the client wants; the catalogue decides whether it applies. */
  readonly maxRows: number | null;
  /** The text of a cell without a value. */
  readonly valueWhenEmpty: string;
  /** Whether text that a spreadsheet program would execute is neutralised. */
  readonly escapeFormulas: boolean;
  /** Whether TSV and CSV begin with a byte order mark, by which spreadsheet programs recognise UTF-8. */
  readonly bom: boolean;
}

/** A column object of `configs.table.columns`, as portals send it back, or just the part that identifies a value. */
export interface ColumnRequest {
  readonly fieldName?: string | null;
  readonly accessor?: string | null;
  readonly jsonPath?: string | null;
  readonly displayName?: string | null;
  /** The name of displayName in table components; ignored unless it is text. */
  readonly Header?: unknown;
  readonly displayType?: string | null;
  /** The deprecated spelling of displayType. */
  readonly type?: string | null;
  /** Unicode date tokens, `yyyy-MM-dd`. */
  readonly displayFormat?: string | null;
  readonly isArray?: boolean | null;
  /** The text to display for a value, keyed by the value as text. */
  readonly displayValues?: Readonly<Record<string, unknown>> | null;
  /** Takes precedence over `displayValues`. */
  readonly extendedDisplayValues?: Readonly<Record<string, unknown>> | null;
}
