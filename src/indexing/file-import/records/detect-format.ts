import { TributaryError } from '../../../errors/errors.ts';
import { isJsonObject } from '../../../json/json.ts';
import { bulkAction } from './bulk-action.ts';
import { rejectUnsupportedFormat } from './reject-unsupported-format.ts';

/** The formats that can be loaded, as `--format` names them. */
export const importFormats = ['ndjson', 'bulk', 'json', 'csv', 'xlsx', 'parquet'] as const;
export type ImportFormat = (typeof importFormats)[number];

/** Whether a format has columns and cells; the others have documents. */
export const isTableFormat = (format: ImportFormat): boolean => format === 'csv' || format === 'xlsx';

/**
 * The format of a file by its first bytes (uncompressed, some kilobytes are enough): `[` begins a JSON array, `{`
 * NDJSON, or a bulk body if the first line is an action; workbooks and Parquet have magic bytes; anything else is CSV.
 * An empty file is NDJSON.
 * @throws TributaryError INPUT_INVALID a file of another kind, with what to do instead
 */
export const detectFormat = (head: Buffer): ImportFormat => {
  if (head.subarray(0, 4).toString('latin1') === 'PAR1') return 'parquet';
  if (isWorkbook(head)) return 'xlsx';
  rejectUnsupportedFormat(head);
  if (head.includes(0))
    throw new TributaryError('INPUT_INVALID', 'not a text file: NDJSON, a JSON array, CSV, .xlsx and Parquet are accepted, plain or gzipped'); // prettier-ignore
  const text = head.toString().replace(/^\uFEFF/, '').trimStart(); // prettier-ignore
  if (text.startsWith('[')) return 'json';
  if (text !== '' && !text.startsWith('{')) return 'csv';
  return isActionLine(text.slice(0, text.search(/\n|$/))) ? 'bulk' : 'ndjson';
};

/** A zip archive whose first entries are those of a workbook. */
const isWorkbook = (head: Buffer): boolean => {
  if (head.subarray(0, 4).toString('latin1') !== 'PK\u0003\u0004') return false;
  const text = head.toString('latin1');
  return text.includes('xl/') || (text.includes('[Content_Types].xml') && !/word\/|ppt\//.test(text));
};

const isActionLine = (line: string): boolean => {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) && bulkAction(value) !== null;
  } catch {
    // The line reader will report what is wrong with it.
    return false;
  }
};
