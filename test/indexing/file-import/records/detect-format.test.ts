import test from 'ava';
import { detectFormat } from '../../../../src/indexing/file-import/records/detect-format.ts';
import { zipOf } from '../tables/workbook.ts';

for (const [text, format] of [
  ['{"a":1}\n{"a":2}', 'ndjson'],
  ['{"index":{"_id":"1"}}\n{"a":1}', 'bulk'],
  ['{"index":{}}\n{"a":1}', 'bulk'],
  ['{"index":{"title":"a document"}}\n', 'ndjson'],
  ['{"index":{"_id":"1"},"more":1}\n', 'ndjson'],
  ['{"index":', 'json'],
  ['\uFEFF \n[{"a":1}]', 'json'],
  ['{\n "a": 1,\n "b": 2\n}\n', 'json'],
  ['{"a": 1,\n"b": [', 'json'],
  ['{"a":1\n{"a":2}', 'ndjson'],
  ['{oops\n', 'ndjson'],
  ['{"results":[{"a":1},{"a":2}]}\n', 'json'],
  ['{"results":[{"a":1},{"a"', 'json'],
  ['{"id":"1","visits":[{"a":1},{"a":2}]}\n', 'ndjson'],
  ['id,name\n1,x', 'csv'],
  [' \n', 'ndjson'],
  ['[ID],[Name]\n1,x', 'csv'],
  ['\uFEFF<TICKER>;<DATE>\nA;1', 'csv'],
  ['[1,2]', 'json'],
  ['[[1,2],[3,4]]', 'json'],
] as const)
  test(`${JSON.stringify(text)} is ${format}`, (t) => {
    t.is(detectFormat(Buffer.from(text)), format);
  });

for (const [what, bytes, message] of [
  [
    'an old workbook',
    Buffer.from('d0cf11e0a1b11ae10000', 'hex'),
    /\.xls\) is not read: open it and save it as \.xlsx or CSV UTF-8/,
  ],
  ['a PDF', Buffer.from('%PDF-1.7\n%\xe2'), /a PDF is not read: ask for the table/],
  [
    'XML',
    Buffer.from('\uFEFF<?xml version="1.0"?>\n<records/>'),
    /XML is not read: export the records as CSV, \.xlsx or NDJSON/,
  ],
  ['XML without its first line', Buffer.from('\n<lido:lidoWrap xmlns:lido="x">'), /XML is not read/],
  ['ORC', Buffer.from('4f52430a03000000', 'hex'), /Arrow, Feather, ORC, Avro or HDF5 file is not read/],
  ['a pickle', Buffer.from('80049529000000', 'hex'), /a Python pickle or NumPy file is not read/],
  ['an old pickle', Buffer.from('(lp0\n(dp1\n'), /a Python pickle or NumPy file is not read/],
  ['ARFF', Buffer.from('% iris\n\n@RELATION iris\n'), /an ARFF file is not read: save it as CSV/],
  ['ISO-2022-JP', Buffer.from('id,\u001b$BEDCf\u001b(B\n'), /load with --encoding iso-2022-jp/],
  ['a page', Buffer.from('<!DOCTYPE html><html>'), /an HTML page is not read/],
  ['another archive', zipOf({ 'a.csv': 'a\n1\n' }), /a zip archive is not read: unpack it/],
  [
    'a text document',
    zipOf({ '[Content_Types].xml': '<a/>', 'word/document.xml': '<a/>' }),
    /a zip archive is not read/,
  ],
  [
    'an OpenDocument sheet',
    zipOf({ mimetype: 'x' }).fill('application/vnd.oasis.opendocument', 38, 72),
    /an OpenDocument file is not read/,
  ],
  [
    'R data',
    Buffer.from('X\n\0\0\0\u0003'),
    /an R data file \(\.rds, \.RData\) is not read: write its table/,
  ],
  ['an R workspace', Buffer.from('RDX3\nX\n\0'), /an R data file/],
  [
    'SPSS',
    Buffer.from('$FL2@(#) SPSS DATA FILE'),
    /an SPSS file \(\.sav, \.zsav\) is not read: save it as CSV/,
  ],
  ['Stata', Buffer.from('<stata_dta><header>'), /a Stata file \(\.dta\) is not read/],
  ['old Stata', Buffer.from([0x72, 2, 1, 0, 5]), /a Stata file/],
  [
    'SAS',
    Buffer.from(`${'00'.repeat(12)}c2ea8160b31411cf`, 'hex'),
    /a SAS file \(\.sas7bdat, \.xpt\) is not read/,
  ],
  ['SAS transport', Buffer.from('HEADER RECORD*******LIBRARY HEADER'), /a SAS file/],
  [
    'a tar archive',
    Buffer.from(`a.csv${'\0'.repeat(252)}ustar`),
    /a tar archive is not read: unpack it and load the folder/,
  ],
  ['HDF5', Buffer.from('894844460d0a', 'hex'), /HDF5 file is not read: write it as Parquet or CSV/],
  [
    'an ISA-Tab investigation',
    Buffer.from('ONTOLOGY SOURCE REFERENCE\nTerm Source Name\t"OBI"\n'),
    /an ISA-Tab investigation has no records: load its studies \(s_\*\.txt\)/,
  ],
  [
    'Dataset-JSON of lines',
    Buffer.from('{"datasetJSONVersion":"1.1.0","columns":[{"name":"A"}]}\n["x"]\n'),
    /in Dataset-JSON of lines the rows have no names: save it as one object with "rows", and load that$/,
  ],
  ['DICOM', Buffer.from(`${'\0'.repeat(128)}DICM\x02\0`), /a DICOM file is not read/],
  [
    'dBASE',
    Buffer.from(`037a061a03000000${'00'.repeat(24)}4e414d45`, 'hex'),
    /a dBASE file \(\.dbf\) is not read: open it and save it as \.xlsx/,
  ],
  ['YAML', Buffer.from('# people\n- name: Ann\n  age: 3\n'), /YAML is not read: convert it to JSON/],
  ['YAML with its marker', Buffer.from('---\nname: Ann\n'), /YAML is not read/],
  ['SQL', Buffer.from('-- dump\n\nCREATE TABLE t (id int);\n'), /SQL is not read: run it in its database/],
  ['a bzip2 file', Buffer.from('BZh91AY'), /a bzip2 file is not read: decompress it first/],
  ['a database', Buffer.from('SQLite format 3\0'), /a SQLite database is not read/],
  [
    'anything else that is not text',
    Buffer.from([1, 2, 0, 3]),
    /not a text file: NDJSON, a JSON array, CSV, \.xlsx and Parquet are accepted/,
  ],
] as const)
  test(`${what} is refused with what to do`, (t) => {
    t.throws(() => detectFormat(bytes), { code: 'INPUT_INVALID', message });
  });

for (const header of ['PK,name', 'ORCID,name', 'A', 'RDX3', 'FEA1,b', 'Obj', 'X', '$FL2,a', 'Rar!,b'])
  test(`a column named as a file of another kind begins is a column: ${header}`, (t) => {
    t.is(detectFormat(Buffer.from(`${header}\n1,2\n`)), 'csv');
  });
