import { invalidInput } from '../../../lib/errors/errors.ts';
import { isJsonObject } from '../../../lib/json/json.ts';
import { jsonParser } from 'stream-json/parser.js';
import { adviceFor } from './json-descriptions.ts';
import { findRecords } from './json-envelope.ts';
import { bulkAction } from './read-ndjson.ts';

/** The formats that can be loaded, as `--format` names them. */
export const importFormats = ['ndjson', 'bulk', 'json', 'csv', 'xlsx', 'parquet'] as const;
export type ImportFormat = (typeof importFormats)[number];

/** Whether a format has columns and cells; the others have documents. */
export const isTableFormat = (format: ImportFormat): boolean => format === 'csv' || format === 'xlsx';

/**
 * The format of a file by its first bytes (uncompressed, some kilobytes are enough): `[` begins a JSON array, `{`
 * NDJSON, or a bulk body if the first line is an action, or JSON if the object goes on after the line or is the only one
 * and has records inside; workbooks and Parquet have magic bytes; anything else is CSV.
 * An empty file is NDJSON.
 * @throws TributaryError INPUT_INVALID a file of another kind, with what to do instead
 */
export const detectFormat = (head: Buffer): ImportFormat => {
  if (head.subarray(0, 4).toString('latin1') === 'PAR1') return 'parquet';
  if (isWorkbook(head)) return 'xlsx';
  if (bracketedName.test(head.toString('utf8', 0, 512))) return 'csv';
  rejectUnsupportedFormat(head);
  if (isBinary(head))
    throw invalidInput(
      'not a text file: NDJSON, a JSON array, CSV, .xlsx and Parquet are accepted, plain or gzipped',
    );
  const text = head
    .toString()
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (text.startsWith('[')) return 'json';
  if (text !== '' && !text.startsWith('{')) return 'csv';
  const [line = '', ...others] = text.trimEnd().split('\n');
  if (isActionLine(line)) return 'bulk';
  const advice = others[0]?.startsWith('[') === true ? adviceFor(parsed(line)) : null;
  if (advice !== null) throw invalidInput(advice);
  return isOneObject(line, others) || isSpreadObject(text, line) ? 'json' : 'ndjson';
};

/** A header such as `[ID],[Name]` or `<ID>;<NAME>`, which is neither JSON nor XML. */
const bracketedName = /^\uFEFF?(?:\[[^[\]"\r\n]+\]|\{[^}"\r\n]+\}|<[^>\r\n]+>)[,;\t|]/;

/** Whether bytes with zeros are not text: many are zeros or other control characters. */
const isBinary = (head: Buffer): boolean => {
  const controls = head.includes(0) ? head.filter((byte) => byte < 9) : Buffer.alloc(0);
  return controls.length * 10 > head.length + 20 || controls.some((byte) => byte !== 0);
};

/** Whether a single line is an object with records inside. */
const isOneObject = (line: string, others: readonly string[]): boolean => {
  if (line === '' || others.length > 0) return false;
  const value = parsed(line);
  return value === undefined
    ? !isBroken(line)
    : adviceFor(value) !== null || findRecords(value).path !== null;
};

/** Whether the first object continues after its first line. */
const isSpreadObject = (text: string, line: string): boolean =>
  text.trimEnd() !== line && parsed(line) === undefined && !isBroken(text);

/** Whether a text cannot be the beginning of JSON values. */
const isBroken = (text: string): boolean => {
  try {
    jsonParser({ jsonStreaming: true })(text);
    return false;
  } catch {
    return true;
  }
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A zip archive that starts with the entries of a workbook. */
const isWorkbook = (head: Buffer): boolean => {
  if (head.subarray(0, 4).toString('latin1') !== 'PK\u0003\u0004') return false;
  const text = head.toString('latin1');
  return text.includes('xl/') || (text.includes('[Content_Types].xml') && !/word\/|ppt\//.test(text));
};

const isActionLine = (line: string): boolean => {
  const value = parsed(line);
  return isJsonObject(value) && bulkAction(value) !== null;
};

/** An unsupported kind of file, how it begins, and what to do with it. */
interface UnsupportedFormat {
  readonly begins: RegExp | string | readonly string[];
  readonly message: string;
}

const decompress = (name: string): string =>
  `a ${name} file is not read: decompress it first, or compress it with gzip`;

/** Detected by the first bytes, read as Latin-1. */
const unsupportedFormats: readonly UnsupportedFormat[] = [
  {
    begins: /^(?:X\n\0\0|RD[XA]\d\n[XA]\n)/,
    message:
      'an R data file (.rds, .RData) is not read: write its table with write.csv(x, "x.csv", row.names = FALSE)',
  },
  {
    begins: /^\$FL[23]@\(#\)/,
    message: 'an SPSS file (.sav, .zsav) is not read: save it as CSV in SPSS or PSPP, or with haven in R',
  },
  {
    begins: [
      '<stata_dta>',
      ...['n', 'o', 'q', 'r', 's'].flatMap((version) => [`${version}\x01\x01\0`, `${version}\x02\x01\0`]),
    ],
    message: 'a Stata file (.dta) is not read: write it with export delimited, or with haven in R',
  },
  {
    begins: /^\0{12}\xc2\xea\x81\x60|^HEADER RECORD\*{7}LIB/,
    message:
      'a SAS file (.sas7bdat, .xpt) is not read: write it with proc export dbms=csv, or with haven in R',
  },
  {
    begins: /^[^]{257}ustar/,
    message: 'a tar archive is not read: unpack it and load the folder',
  },
  {
    begins: 'Rar!\x1a',
    message: 'a RAR archive is not read: unpack it and load the folder',
  },
  {
    begins: /^(?:ARROW1|FEA1|Obj|CDF|\x89HDF|ORC[\t\r\n]?)[^\P{Cc}\t\r\n]|^\x89HDF/u,
    message: 'an Arrow, Feather, ORC, Avro or HDF5 file is not read: write it as Parquet or CSV',
  },
  {
    begins: /^(?:\x80[^\P{Cc}\t\r\n]|\([ld]p0\n|ccopy_reg\n|\x93NUMPY)/u,
    message:
      'a Python pickle or NumPy file is not read: write its table with df.to_csv("x.csv", index=False) or df.to_parquet("x.parquet")',
  },
  {
    begins: /^(?:\xef\xbb\xbf)?(?:\s*%[^\n]*\n|\s*\n)*\s*@relation\s/i,
    message: 'an ARFF file is not read: save it as CSV in Weka, or with df.to_csv in Python',
  },
  {
    begins: 'MATLAB 5.0 MAT-file',
    message: 'a MATLAB file (.mat) is not read: write its table with writetable(t, "x.csv")',
  },
  {
    begins: /^[^]{8}DUCK/,
    message: "a DuckDB database is not read: export its table with COPY t TO 'x.parquet'",
  },
  {
    begins: /^(?:\x89PNG|\xff\xd8\xff|GIF8|II\*\0|MM\0\*)/,
    message: 'a picture is not read: ask for the table it shows, as .xlsx or CSV',
  },
  {
    begins: ['\0\x01\0\0Standard Jet', '\0\x01\0\0Standard ACE'],
    message: 'an Access database is not read: export its table as CSV or .xlsx',
  },
  {
    begins: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
    message: 'an old Excel file (.xls) is not read: open it and save it as .xlsx or CSV UTF-8',
  },
  {
    begins: /^\s*%PDF-/,
    message: 'a PDF is not read: ask for the table it was made from, as .xlsx or CSV',
  },
  {
    begins: /^(?:\xef\xbb\xbf)?\s*<!doctype html|^(?:\xef\xbb\xbf)?\s*<html/i,
    message: 'an HTML page is not read: download the data itself, as CSV, .xlsx or NDJSON',
  },
  {
    begins: /^(?:\xef\xbb\xbf)?\s*<[?!a-z]/i,
    message:
      'XML is not read: export the records as CSV, .xlsx or NDJSON, or convert it to one JSON object a line',
  },
  {
    begins: /^PK[^]{28}mimetypeapplication\/vnd\.oasis/,
    message: 'an OpenDocument file is not read: open it and save it as .xlsx or CSV UTF-8',
  },
  {
    begins: 'PK\x03\x04',
    message: 'a zip archive is not read: unpack it and load the folder, or the files in it one by one',
  },
  { begins: /^BZh\d/, message: decompress('bzip2') },
  { begins: '\xfd7zXZ', message: decompress('xz') },
  { begins: '(\xb5/\xfd', message: decompress('zstd') },
  { begins: '7z\xbc\xaf', message: decompress('7z') },
  {
    begins: 'SQLite format 3',
    message: 'a SQLite database is not read: export its table as CSV or NDJSON',
  },
  {
    begins: /^[^]{128}DICM/,
    message: 'a DICOM file is not read: load a table of its attributes, as CSV or NDJSON',
  },
  {
    // a version, the date of the last change, and bytes that are always zero
    begins: /^[\p{Cc}0][^]\p{Cc}(?!\0)\p{Cc}[^]{8}\0\0[^]{16}\0/u,
    message: 'a dBASE file (.dbf) is not read: open it and save it as .xlsx or CSV UTF-8',
  },
  {
    begins: /^(?:\xef\xbb\xbf)?(?:\s*#[^\n]*\n|\s*\n)*(?:---\s*\n|%YAML |- (?:[\w-]+|"[^"]*"):(?: |\s*\n))/,
    message: 'YAML is not read: convert it to JSON',
  },
  {
    begins:
      /^(?:\xef\xbb\xbf)?(?:\s*--[^\n]*\n|\s*\n)*\s*(?:CREATE TABLE|INSERT INTO|SET [\w@]+ ?=|COPY \w)/i,
    message: 'SQL is not read: run it in its database, and export the table as CSV or NDJSON',
  },
  {
    begins: /^(?:\xef\xbb\xbf)?"?ONTOLOGY SOURCE REFERENCE"?\s*\n/,
    message: 'an ISA-Tab investigation has no records: load its studies (s_*.txt) and assays (a_*.txt)',
  },
  {
    begins: /^\{\\rtf/,
    message: 'an RTF document is not read: save its table as .xlsx or CSV UTF-8',
  },
];

/** @throws TributaryError INPUT_INVALID a file of an unsupported kind, with what to do instead */
const rejectUnsupportedFormat = (head: Buffer): void => {
  const text = head.subarray(0, 512).toString('latin1');
  const found = unsupportedFormats.find(({ begins }) =>
    begins instanceof RegExp ? begins.test(text) : [begins].flat().some((one) => text.startsWith(one)),
  );
  if (found !== undefined) throw invalidInput(found.message);
  if (text.includes('\x1b$B') || text.includes('\x1b$@'))
    throw invalidInput('the text seems to be Japanese in ISO-2022-JP: load with --encoding iso-2022-jp', {
      details: { settledBy: '--encoding iso-2022-jp' },
    });
};
