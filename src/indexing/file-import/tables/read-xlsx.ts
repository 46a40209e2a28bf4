import type { CellValue, Row } from 'read-excel-file/universal';
import { TributaryError } from '../../../errors/errors.ts';
import type { JsonObject } from '../../../json/json.ts';
import { collectBytes } from '../records/collect-bytes.ts';
import type { ReadingOptions } from '../records/reading-options.ts';
import { plainReading } from '../records/reading-options.ts';
import type { SourceRecord } from '../records/source-record.ts';
import type { Cell } from './cell-reader.ts';
import { checkWorkbook } from './check-workbook.ts';
import type { TableBatch } from './read-table.ts';
import { readTable } from './read-table.ts';

const maxBytes = 128 * 1024 * 1024;

/**
 * A sheet of an Excel workbook, whose first non-empty row is the header; dates become ISO 8601.
 * @throws TributaryError INPUT_INVALID too large, damaged, no such sheet, several sheets and none named
 */
export const readXlsx = (
  chunks: AsyncIterable<Buffer>,
  _maxRecordBytes: number,
  properties: JsonObject | null,
  reading: ReadingOptions = plainReading,
): AsyncGenerator<SourceRecord> => readTable(rowsOf(chunks, reading.sheet), properties, reading);

const rowsOf = async function* (
  chunks: AsyncIterable<Buffer>,
  sheet: string | undefined,
): AsyncGenerator<TableBatch> {
  const bytes = await collectBytes(chunks, maxBytes, 'save the sheet as CSV');
  await checkWorkbook(bytes);
  const rows = await sheetRows(bytes, sheet);
  yield rows.map((row, at) => {
    const cells = row.map(cellOf);
    return { line: at + 1, cells, text: () => JSON.stringify(cells) };
  });
};

const sheetRows = async (bytes: Buffer, name: string | undefined): Promise<readonly Row[]> => {
  // only this variant uses the sizes from the directory, which were checked
  const { default: readWorkbook, readSheet } = await import('read-excel-file/universal');
  const buffer = new Uint8Array(bytes).buffer;
  try {
    if (name !== undefined) return await readSheet(buffer, name);
    const sheets = (await readWorkbook(buffer)).filter(({ data }) => data.length > 0);
    if (sheets.length <= 1) return sheets[0]?.data ?? [];
    throw invalid(`the workbook has several sheets: name one with --sheet (${sheets.map(({ sheet }) => sheet).join(', ')})`); // prettier-ignore
  } catch (cause) {
    if (cause instanceof TributaryError) throw cause;
    const { sheets } = cause as { readonly sheets?: readonly string[] };
    if (name !== undefined && Array.isArray(sheets))
      throw invalid(`the workbook has no sheet ${name}: it has ${sheets.join(', ')}`, cause);
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw invalid(`the workbook cannot be read (${reason}): save it again as .xlsx, or as CSV`, cause);
  }
};

const cellOf = (value: CellValue | Date | null): Cell => {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return isoText(value);
  return typeof value === 'object' || typeof value === 'function' ? String(value) : value;
};

/** Workbooks store a date without time as midnight. */
const isoText = (date: Date): string =>
  Number.isNaN(date.getTime()) ? '' : date.toISOString().replace('T00:00:00.000Z', '');

const invalid = (message: string, cause?: unknown): TributaryError =>
  new TributaryError('INPUT_INVALID', message, { cause });
