import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { readJsonFile } from '../../../src/server/config/json-file.ts';
import { temporaryFolder } from './temporary-folder.ts';

test('reads JSON with and without a byte order mark', (t) => {
  const folder = temporaryFolder(t, { 'plain.json': '{"a":1}', 'mark.json': '\uFEFF{"a":1}' });
  t.deepEqual(readJsonFile(join(folder, 'plain.json')), {
    kind: 'read',
    text: '{"a":1}',
    content: { a: 1 },
    repeated: null,
  });
  t.deepEqual(readJsonFile(join(folder, 'mark.json')), {
    kind: 'read',
    text: '{"a":1}',
    content: { a: 1 },
    repeated: null,
  });
});

test('text in another encoding is no JSON, rather than JSON with other letters', (t) => {
  const file = join(temporaryFolder(t, {}), 'access.json');
  for (const encoding of ['latin1', 'utf16le'] as const) {
    writeFileSync(file, Buffer.from('{"sex":"M\u00e4nnlich"}', encoding));
    const { kind } = readJsonFile(file);
    t.is(kind, 'broken', encoding);
  }
  writeFileSync(file, Buffer.from('{"sex":"M\u00e4nnlich"}', 'latin1'));
  t.deepEqual(readJsonFile(file), { kind: 'broken', reason: 'is not UTF-8: save it as UTF-8' });
});

test('a key that one object has twice is named, however it is written', (t) => {
  const repeatedOf = (text: string): string | null => {
    const read = readJsonFile(join(temporaryFolder(t, { 'a.json': text }), 'a.json'));
    return read.kind === 'read' ? read.repeated : read.kind;
  };
  t.is(repeatedOf('{"a":1,\n"b":{"a":2},\n"a":3}'), 'has the key a twice in one object (line 3): keep one');
  t.is(repeatedOf('[{"a":1,"\\u0061":2}]'), 'has the key a twice in one object (line 1): keep one');
  t.is(repeatedOf('{"a":"a","b":["a","a"],"c":[{"a":1},{"a":":"}],"d":{"a":{"a":1}}}'), null);
  t.is(repeatedOf('"a"'), null);
});

test('a missing file is missing, a malformed one is reported with its position, without quoting it', (t) => {
  const folder = temporaryFolder(t, { 'broken.json': '{\n "secret": "x"\n "b": 1}', 'empty.json': '\n' });
  t.deepEqual(readJsonFile(join(folder, 'none.json')), { kind: 'missing' });
  t.deepEqual(readJsonFile(join(folder, 'broken.json')), {
    kind: 'broken',
    reason: 'is not JSON (line 3 column 2): a comma or } expected',
  });
  t.deepEqual(readJsonFile(join(folder, 'empty.json')), {
    kind: 'broken',
    reason: 'is not JSON (line 1 column 1): the file is empty',
  });
});
