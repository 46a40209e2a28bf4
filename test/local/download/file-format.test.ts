import test from 'ava';
import type { Column } from '../../../src/local/download/column.ts';
import { fileFormats } from '../../../src/local/download/file-plan.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';

const column = (key: string, header: string): Column => ({
  key,
  header,
  isUnknown: false,
  needs: key,
  text: ([document]) => String(document![key]),
  json: ([document]) => document![key] ?? null,
});

const columns = [column('a', 'A'), column('b', '=B')];
const line = (type: 'tsv' | 'csv' | 'json', document: JsonObject) =>
  fileFormats[type].line(columns, [document]);

test('headers stand as they are; JSON has none', (t) => {
  t.is(fileFormats.tsv.head(columns), 'A\t=B\n');
  t.is(fileFormats.csv.head(columns), 'A,=B\n');
  t.is(fileFormats.json.head(columns), '');
});

test('TSV quotes only what would break the line', (t) => {
  t.is(line('tsv', { a: 'x, y', b: 'say "hi"' }), 'x, y\tsay "hi"\n');
  t.is(line('tsv', { a: 'x\ty\n', b: '"z"' }), '"x\ty\n"\t"""z"""\n');
});

test('CSV is quoted as RFC 4180 has it', (t) => {
  t.is(line('csv', { a: 'x, y', b: 'say "hi"' }), '"x, y","say ""hi"""\n');
  t.is(line('csv', { a: 'x\ty', b: 'l1\r\nl2' }), 'x\ty,"l1\r\nl2"\n');
});

test('JSON is one object a line, by field name', (t) => {
  t.is(line('json', { a: 'x\n', b: 0 }), '{"a":"x\\n","b":0}\n');
  const odd = fileFormats.json.line(
    [column('__proto__', '')],
    [JSON.parse('{"__proto__": 1}') as JsonObject],
  );
  t.is(odd, '{"__proto__":1}\n');
});
