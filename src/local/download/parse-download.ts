import { z } from 'zod';
import { badUserInput, TributaryError } from '../../lib/errors/errors.ts';
import type { Sqon } from '../../sqon/ast.ts';
import { parseSqon } from '../../sqon/parse.ts';
import { sortRequests } from '../hits/selection.ts';
import type { DownloadRequest, FileRequest } from './download-request.ts';
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
const fileType = z
  .string({ error: 'tsv, csv or json expected' })
  .toLowerCase()
  .pipe(z.enum(['tsv', 'csv', 'json'], { error: 'tsv, csv or json expected' }))
  .nullish();

const column = z
  .object(
    {
      fieldName: text,
      accessor: text,
      jsonPath: text,
      displayName: text,
      Header: z.unknown().optional(),
      displayType: text,
      type: text,
      displayFormat: text,
      isArray: flag,
      displayValues: record,
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

const emptyByDefault = '--';

const known: KnownKeys = {
  download: Object.keys(download.shape),
  file: Object.keys(file.shape),
  sort: Object.keys(sortKey.shape),
};

/**
 * Parses the params of a download. Settings of the whole download (fileType, maxRows, valueWhenEmpty, escapeFormulas, bom) apply to every
 * file that does not override them; unknown keys are ignored, unless they look like a misspelt known one.
 * @param columns of files that list none; null: they are refused
 * @throws TributaryError BAD_USER_INPUT naming the key, such as `files[0].columns`, and what it expects
 */
export const parseDownload = (params: unknown, columns: readonly string[] | null = null): DownloadRequest => {
  const slip = misspeltKey(params, known);
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
    if (!(error instanceof TributaryError)) throw error;
    throw new TributaryError(error.code, `files[${position}].sqon: ${error.message}`, {
      cause: error,
      ...(error.details === undefined ? {} : { details: error.details }),
    });
  }
};

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

/** Sent by existing clients, without effect here. */
const withoutEffect = { download: ['chunkSize', 'mock'], file: ['chunkSize', 'index'] };

/** The keys that are read, of each object of a download's params. */
export interface KnownKeys {
  readonly download: readonly string[];
  readonly file: readonly string[];
  readonly sort: readonly string[];
}

/** A key that is almost a known one, and the known one. */
export interface MisspeltKey {
  readonly path: readonly (string | number)[];
  readonly meant: string;
}

/**
 * The first key of params that misspells a known one: if ignored, the file would hold other records than those requested.
 * Other unknown keys are the clients' own. So are unknown keys of columns, which are a portal's whole table columns.
 */
const misspeltKey = (params: unknown, known: KnownKeys): MisspeltKey | null => {
  if (!isJsonObject(params)) return null;
  const files = Array.isArray(params['files']) ? params['files'] : [];
  const objects: readonly (readonly [unknown, readonly string[], readonly (string | number)[]])[] = [
    [params, [...known.download, ...withoutEffect.download], []],
    ...files.flatMap((file: unknown, at) => {
      const sort = isJsonObject(file) && Array.isArray(file['sort']) ? file['sort'] : [];
      return [
        [file, [...known.file, ...withoutEffect.file], ['files', at]] as const,
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
