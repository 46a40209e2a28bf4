import { join } from 'node:path';
import test from 'ava';
import { readJsonFile } from '../../src/config/json-file.ts';
import { temporaryFolder } from './temporary-folder.ts';

test('reads JSON with and without a byte order mark', (t) => {
  const folder = temporaryFolder(t, { 'plain.json': '{"a":1}', 'mark.json': '\uFEFF{"a":1}' });
  t.deepEqual(readJsonFile(join(folder, 'plain.json')), { kind: 'read', content: { a: 1 } });
  t.deepEqual(readJsonFile(join(folder, 'mark.json')), { kind: 'read', content: { a: 1 } });
});

test('a missing file is missing, a broken one says where without quoting it', (t) => {
  const folder = temporaryFolder(t, { 'broken.json': '{\n "secret": "x"\n "b": 1}' });
  t.deepEqual(readJsonFile(join(folder, 'none.json')), { kind: 'missing' });
  const broken = readJsonFile(join(folder, 'broken.json'));
  t.is(broken.kind, 'broken');
  if (broken.kind === 'broken') t.regex(broken.reason, /^is not JSON( \(line 3 column \d+\))?$/);
});
