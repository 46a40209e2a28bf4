import test from 'ava';
import { detectFormat } from '../../../../src/indexing/file-import/records/detect-format.ts';

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
  ['binary data', Buffer.from([1, 0, 2]), /not a text file/],
  ['a zip archive', Buffer.from('PK\u0003\u0004'), /a zip archive is not read/],
] as const)
  test(`${what} is refused`, (t) => {
    t.throws(() => detectFormat(bytes), { code: 'INPUT_INVALID', message });
  });
