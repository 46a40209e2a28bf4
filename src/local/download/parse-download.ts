import { z } from 'zod';
import { badUserInput, TributaryError } from '../../lib/errors/errors.ts';
import type { Sqon } from '../../sqon/ast.ts';
import { parseSqon } from '../../sqon/parse.ts';
import { sortRequests } from '../hits/selection.ts';
import type { SortRequest } from '../../search/query.ts';
import { isJsonObject, type JsonObject } from '../../lib/json/json.ts';
import { closest } from '../../lib/text/unknown-keys.ts';

const maxFiles = 50;
const maxColumns = 1_000;

const text = z.string({ error: 'text expected' }).nullish();
const flag = z.boolean({ error: 'true or false expected' }).nullish();
const record = z.record(z.string(), z.unknown(), { error: 'an object expected' }).nullish();
const rows = z
  .int({ error: 'a whole number of rows expected' })
  .min(0, 'a number of rows of 0 or more expected')
  .nullish();
const fileTypes = z.enum(['tsv', 'csv', 'json'], { error: 'tsv, csv or json expected' });
const fileType = z.string({ error: 'tsv, csv or json expected' }).toLowerCase().pipe(fileTypes).nullish();

const column = z
  .object(
    {
      fieldName: text,
      accessor: text,
      jsonPath: text,
      displayName: text,
      /** The name of displayName in table components; ignored unless it is text. */
      Header: z.unknown().optional(),
      displayType: text,
      /** The deprecated spelling of displayType. */
      type: text,
      /** Unicode date tokens, `yyyy-MM-dd`. */
      displayFormat: text,
      isArray: flag,
      /** The text to display for a value, keyed by the value as text. */
      displayValues: record,
      /** Takes precedence over `displayValues`. */
      extendedDisplayValues: record,
    },
    { error: 'an object with the key fieldName expected' },
  )
  .refine(({ fieldName, accessor, jsonPath }) => Boolean(fieldName || accessor || jsonPath), {
    error: 'a column needs a fieldName',
  });

const sortKey = z.object(
  {
    fieldName: z.string({ error: 'a field name expected' }),
    order: z.enum(['asc', 'desc'], { error: 'asc or desc expected' }).nullish(),
    mode: z.enum(['min', 'max', 'avg', 'sum'], { error: 'min, max, avg or sum expected' }).nullish(),
    missing: z.enum(['first', 'last'], { error: 'first or last expected' }).nullish(),
  },
  { error: 'an object with the key fieldName expected' },
);

const nodeId = z.string({ error: 'a node id expected' }).nullable();

const file = z.object(
  {
    fileName: text,
    fileType,
    columns: z
      .array(column, { error: 'a list of columns expected' })
      .min(1, 'at least one column expected')
      .max(maxColumns, `at most ${maxColumns} columns expected`),
    sqon: z.unknown().optional(),
    sort: z.array(sortKey, { error: 'a list of sort keys expected' }).nullish(),
    uniqueBy: text,
    maxRows: rows,
    valueWhenEmpty: text,
    escapeFormulas: flag,
    bom: flag,
  },
  { error: 'an object with the key columns expected' },
);

const download = z.object(
  {
    fileName: text,
    fileType,
    maxRows: rows,
    valueWhenEmpty: text,
    escapeFormulas: flag,
    bom: flag,
    nodesFilter: z.array(nodeId, { error: 'a list of node ids expected' }).nullish(),
    onFailure: z.enum(['abort', 'continue'], { error: 'abort or continue expected' }).nullish(),
    manifest: flag,
    roCrate: z
      .literal(false, { error: 'not offered: "manifest": true adds a manifest to the archive' })
      .nullish(),
    files: z
      .array(file, { error: 'a list of files expected' })
      .min(1, 'at least one file expected')
      .max(maxFiles, `at most ${maxFiles} files expected`),
  },
  { error: 'an object with the key files expected' },
);

export type FileType = z.output<typeof fileTypes>;

/** A column object of `configs.table.columns`, as portals send it back, or just the part that identifies a value. */
export type ColumnRequest = z.output<typeof column>;

/** A client's download request. */
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

const emptyByDefault = '--';

/**
 * Parses the params of a download. Settings of the whole download (fileType, maxRows, valueWhenEmpty, escapeFormulas, bom) apply to every
 * file that does not override them; unknown keys are ignored, unless they look like a misspelt known one.
 * @param columns of files that list none; null: they are refused
 * @throws TributaryError BAD_USER_INPUT naming the key, such as `files[0].columns`, and what it expects
 */
export const parseDownload = (params: unknown, columns: readonly string[] | null = null): DownloadRequest => {
  const slip = misspeltKey(params);
  if (slip !== null)
    throw malformed({ path: slip.path, message: `an unknown key: did you mean ${slip.meant}?` });
  const parsed = download.safeParse(columns === null ? params : withColumns(params, columns));
  if (!parsed.success) throw malformed(parsed.error.issues[0]!);
  const { fileName, files, nodesFilter, onFailure, manifest, ...shared } = parsed.data;
  return {
    fileName: fileName ?? null,
    files: files.map((file, position) => fileRequest(file, shared, position)),
    only: nodesFilter?.length ? new Set(nodesFilter.filter((id) => id !== null)) : null,
    aborts: onFailure === 'abort',
    manifest: manifest ?? false,
  };
};

const withColumns = (params: unknown, names: readonly string[]): unknown => {
  if (!isJsonObject(params) || !Array.isArray(params['files'])) return params;
  const columns = names.map((fieldName) => ({ fieldName }));
  const listsNone = ({ columns: listed }: JsonObject): boolean =>
    listed === undefined || listed === null || (Array.isArray(listed) && listed.length === 0);
  const files = (params['files'] as readonly unknown[]).map((file) =>
    isJsonObject(file) && listsNone(file) ? { ...file, columns } : file,
  );
  return { ...params, files };
};

const fileRequest = (
  parsed: z.output<typeof file>,
  shared: Pick<
    z.output<typeof download>,
    'fileType' | 'maxRows' | 'valueWhenEmpty' | 'escapeFormulas' | 'bom'
  >,
  position: number,
): FileRequest => ({
  fileName: parsed.fileName ?? null,
  fileType: parsed.fileType ?? shared.fileType ?? 'tsv',
  columns: parsed.columns,
  sqon: sqonOf(parsed.sqon, position),
  sort: sortRequests(parsed.sort ?? []),
  uniqueBy: parsed.uniqueBy || null,
  maxRows: parsed.maxRows ?? shared.maxRows ?? null,
  valueWhenEmpty: parsed.valueWhenEmpty ?? shared.valueWhenEmpty ?? emptyByDefault,
  escapeFormulas: parsed.escapeFormulas ?? shared.escapeFormulas ?? true,
  bom: parsed.bom ?? shared.bom ?? false,
});

const sqonOf = (sqon: unknown, position: number): Sqon | null => {
  try {
    return parseSqon(sqon);
  } catch (error) {
    throw inPart(`files[${position}].sqon`, error);
  }
};

/** An error of a part of the params, which it names; any error but BAD_USER_INPUT as it is. */
export const inPart = (part: string, error: unknown): unknown =>
  error instanceof TributaryError && error.code === 'BAD_USER_INPUT'
    ? badUserInput(`${part}: ${error.message}`, {
        cause: error,
        ...(error.details && { details: error.details }),
      })
    : error;

interface Malformed {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

const malformed = ({ path, message }: Malformed): TributaryError => {
  const at = path
    .map((key, depth) => (typeof key === 'number' ? `[${key}]` : `${depth === 0 ? '' : '.'}${String(key)}`))
    .join('');
  return badUserInput(`params${at === '' ? '' : `, ${at}`}: ${message}`, {
    ...(at === '' ? {} : { details: { path: at } }),
  });
};

/** The keys that are read, and those that existing clients send without effect here. */
const known = {
  download: [...Object.keys(download.shape), 'chunkSize', 'mock'],
  file: [...Object.keys(file.shape), 'chunkSize', 'index'],
  sort: Object.keys(sortKey.shape),
};

/** A key that is almost a known one, and the known one. */
interface MisspeltKey {
  readonly path: readonly (string | number)[];
  readonly meant: string;
}

/**
 * The first key of params that misspells a known one: if ignored, the file would hold other records than those requested.
 * Other unknown keys are the clients' own. So are unknown keys of columns, which are a portal's whole table columns.
 */
const misspeltKey = (params: unknown): MisspeltKey | null => {
  if (!isJsonObject(params)) return null;
  const files = Array.isArray(params['files']) ? params['files'] : [];
  const objects: readonly (readonly [unknown, readonly string[], readonly (string | number)[]])[] = [
    [params, known.download, []],
    ...files.flatMap((file: unknown, at) => {
      const sort = isJsonObject(file) && Array.isArray(file['sort']) ? file['sort'] : [];
      return [
        [file, known.file, ['files', at]] as const,
        ...sort.map((key: unknown, place) => [key, known.sort, ['files', at, 'sort', place]] as const),
      ];
    }),
  ];
  for (const [object, names, path] of objects) {
    const slip = slipIn(object, names) ?? filterIn(object, names, files);
    if (slip !== null) return { path: [...path, slip.key], meant: slip.meant };
  }
  return null;
};

/** What queries call the filter of a file, and a filter beside the files where none has its own. */
const filterIn = (
  object: unknown,
  known: readonly string[],
  files: readonly unknown[],
): { readonly key: string; readonly meant: string } | null => {
  if (!isJsonObject(object)) return null;
  const isFile = known.includes('sqon');
  if (isFile ? hasFilter(object) : files.some(hasFilter)) return null;
  const key = ['filters', 'filter', 'sqon'].find((name) => isJsonObject(object[name]));
  return key === undefined ? null : { key, meant: isFile ? 'sqon' : 'files[0].sqon' };
};

const hasFilter = (file: unknown): boolean => isJsonObject(file) && Object.hasOwn(file, 'sqon');

const slipIn = (
  object: unknown,
  known: readonly string[],
): { readonly key: string; readonly meant: string } | null => {
  if (!isJsonObject(object)) return null;
  for (const key of Object.keys(object)) {
    if (known.includes(key)) continue;
    const near = closest(key, known);
    // beside the right key it is something else
    if (near?.isSlip && !Object.hasOwn(object, near.name)) return { key, meant: near.name };
  }
  return null;
};
