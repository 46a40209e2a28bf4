import { TributaryError } from '../../../errors/errors.ts';

/** An unsupported kind of file, how it begins, and what to do with it. */
interface UnsupportedFormat {
  readonly begins: RegExp | string;
  readonly message: string;
}

const decompress = (name: string): string => `a ${name} file is not read: decompress it first, or compress it with gzip`; // prettier-ignore

/** Detected by the first bytes, read as Latin-1. */
const unsupportedFormats: readonly UnsupportedFormat[] = [
  { begins: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', message: 'an old Excel file (.xls) is not read: open it and save it as .xlsx or CSV UTF-8' }, // prettier-ignore
  { begins: /^\s*%PDF-/, message: 'a PDF is not read: ask for the table it was made from, as .xlsx or CSV' },
  { begins: /^(?:\xef\xbb\xbf)?\s*<!doctype html|^(?:\xef\xbb\xbf)?\s*<html/i, message: 'an HTML page is not read: download the data itself, as CSV, .xlsx or NDJSON' }, // prettier-ignore
  { begins: /^(?:\xef\xbb\xbf)?\s*<[?!a-z]/i, message: 'XML is not read: export the records as CSV, .xlsx or NDJSON, or convert it to one JSON object a line' }, // prettier-ignore
  { begins: /^PK[^]{28}mimetypeapplication\/vnd\.oasis/, message: 'an OpenDocument file is not read: open it and save it as .xlsx or CSV UTF-8' }, // prettier-ignore
  { begins: 'PK\x03\x04', message: 'a zip archive is not read: unpack it and load the files in it one by one' }, // prettier-ignore
  { begins: /^BZh\d/, message: decompress('bzip2') },
  { begins: '\xfd7zXZ', message: decompress('xz') },
  { begins: '(\xb5/\xfd', message: decompress('zstd') },
  { begins: '7z\xbc\xaf', message: decompress('7z') },
  {
    begins: 'SQLite format 3',
    message: 'a SQLite database is not read: export its table as CSV or NDJSON',
  },
  { begins: /^\{\\rtf/, message: 'an RTF document is not read: save its table as .xlsx or CSV UTF-8' },
];

/** @throws TributaryError INPUT_INVALID a file of an unsupported kind, with what to do instead */
export const rejectUnsupportedFormat = (head: Buffer): void => {
  const text = head.subarray(0, 256).toString('latin1');
  const found = unsupportedFormats.find(({ begins }) =>
    typeof begins === 'string' ? text.startsWith(begins) : begins.test(text),
  );
  if (found !== undefined) throw new TributaryError('INPUT_INVALID', found.message);
};
