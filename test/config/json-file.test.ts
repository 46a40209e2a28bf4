import { join } from 'node:path';
import test from 'ava';
import { readJsonFile } from '../../src/config/json-file.ts';
import { temporaryFolder } from './temporary-folder.ts';

test('reads JSON with and without a byte order mark', (t) => {
  const folder = temporaryFolder(t, { 'plain.json': '{"a":1}', 'mark.json': '\uFEFF{"a":1}' });
  t.deepEqual(readJsonFile(join(folder, 'plain.json')), { kind: 'read', content: { a: 1 } });
  t.deepEqual(readJsonFile(join(folder, 'mark.json')), { kind: 'read', content: { a: 1 } });
});

test('JSON that ends too early and an empty file have a place too', (t) => {
  const folder = temporaryFolder(t, { 'cut.json': '{"nodes": [\n', 'empty.json': '\n' });
  t.deepEqual(readJsonFile(join(folder, 'cut.json')), {
    kind: 'broken',
    reason: 'is not JSON (line 1 column 12): a value or ] expected',
  });
  t.deepEqual(readJsonFile(join(folder, 'empty.json')), {
    kind: 'broken',
    reason: 'is not JSON (line 1 column 1): the file is empty',
  });
});

test('a missing file is missing, a malformed one is reported with its position, without quoting it', (t) => {
  const folder = temporaryFolder(t, { 'broken.json': '{\n "secret": "x"\n "b": 1}' });
  t.deepEqual(readJsonFile(join(folder, 'none.json')), { kind: 'missing' });
  const broken = readJsonFile(join(folder, 'broken.json'));
  t.deepEqual(broken, {
    kind: 'broken',
    reason: 'is not JSON (line 3 column 2): a comma or } expected',
  });
});
