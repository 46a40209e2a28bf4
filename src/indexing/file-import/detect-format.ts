import { TributaryError } from '../../errors.ts';
import { isJsonObject } from '../../json.ts';
import { bulkAction } from './bulk-action.ts';

export const importFormats = ['ndjson', 'bulk', 'json', 'csv'] as const;
export type ImportFormat = (typeof importFormats)[number];

/** Whether a format has columns and cells; the others have documents. */
export const isTableFormat = (format: ImportFormat): boolean => format === 'csv';

/**
 * The format of a file by its first bytes (uncompressed, some kilobytes are enough): `[` begins a JSON array, `{`
 * documents one a line, or a bulk body when the first line is an action; anything else is CSV. Nothing is no documents,
 * one a line.
 * @throws TributaryError INPUT_INVALID bytes that are not text
 */
export const detectFormat = (head: Buffer): ImportFormat => {
  if (head.includes(0) || head.subarray(0, 2).toString() === 'PK')
    throw new TributaryError('INPUT_INVALID', 'not a text file: NDJSON, a JSON array or CSV is accepted, plain or gzipped'); // prettier-ignore
  const text = head.toString().replace(/^\uFEFF/, '').trimStart(); // prettier-ignore
  if (text.startsWith('[')) return 'json';
  if (text !== '' && !text.startsWith('{')) return 'csv';
  return isActionLine(text.slice(0, text.search(/\n|$/))) ? 'bulk' : 'ndjson';
};

const isActionLine = (line: string): boolean => {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) && bulkAction(value) !== null;
  } catch {
    // The reader of lines will say what is wrong with it.
    return false;
  }
};
