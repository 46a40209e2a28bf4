import type { JsonValue } from '../../json.ts';
import type { Column } from './column.ts';
import type { Row } from './document-rows.ts';
import type { FileType } from './download-request.ts';
import { escapeFormula } from './escape-formula.ts';

/** How a file of some type is written. Every line ends with \n. */
export interface FileFormat {
  readonly contentType: string;
  /** What comes before the rows, also when there is none. */
  readonly head: (columns: readonly Column[]) => string;
  readonly line: (columns: readonly Column[], row: Row) => string;
}

/** Cells between delimiters; one that would break the line apart is in quotes, its own quotes doubled (RFC 4180). */
const delimited = (contentType: string, delimiter: string, breaks: RegExp): FileFormat => {
  const quoted = (cell: string): string => (breaks.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return {
    contentType,
    head: (columns) => `${columns.map(({ header }) => quoted(escapeFormula(header))).join(delimiter)}\n`,
    line: (columns, row) => `${columns.map(({ text }) => quoted(text(row))).join(delimiter)}\n`,
  };
};

export const fileFormats: Readonly<Record<FileType, FileFormat>> = {
  // text/plain, and quotes inside a cell left alone, as clients of the established server know it
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
