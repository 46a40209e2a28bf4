import type { JsonValue } from '../../json/json.ts';
import type { Column } from './column.ts';
import type { Row } from './document-rows.ts';
import type { FileType } from './download-request.ts';
import { escapeFormula } from './escape-formula.ts';

/** How to write a file of some type. Every line ends with \n. */
export interface FileFormat {
  readonly contentType: string;
  /** The text before the rows, even when there are none. */
  readonly head: (columns: readonly Column[]) => string;
  readonly line: (columns: readonly Column[], row: Row) => string;
}

/** Delimited cells; a cell that would break the line is quoted, its own quotes doubled (RFC 4180). */
const delimited = (contentType: string, delimiter: string, breaks: RegExp): FileFormat => {
  const quoted = (cell: string): string => (breaks.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return {
    contentType,
    head: (columns) => `${columns.map(({ header }) => quoted(escapeFormula(header))).join(delimiter)}\n`,
    line: (columns, row) => `${columns.map(({ text }) => quoted(text(row))).join(delimiter)}\n`,
  };
};

/** How to write each file type. */
export const fileFormats: Readonly<Record<FileType, FileFormat>> = {
  // text/plain, with quotes inside a cell unescaped, as clients expect from the established server
  tsv: delimited('text/plain; charset=utf-8', '\t', /^"|[\t\r\n]/),
  csv: delimited('text/csv; charset=utf-8', ',', /[",\r\n]/),
  json: {
    contentType: 'application/x-ndjson; charset=utf-8',
    head: () => '',
    line: (columns, row) => {
      const line: Record<string, JsonValue> = Object.create(null) as Record<string, JsonValue>;
      for (const { key, json } of columns) line[key] = json(row);
      return `${JSON.stringify(line)}\n`;
    },
  },
};
