import { existsSync, statSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { openRejectsFile } from '../../../src/indexing/file-import/rejects-file.ts';

test('rejects stand beside the file, one a line; a run without any leaves none', async (t) => {
  const file = join(await mkdtemp(join(tmpdir(), 'tributary-')), 'data.csv');
  await writeFile(`${file}.rejected.ndjson`, 'of an earlier run');

  const clean = await openRejectsFile(file);
  await clean.close();
  t.false(existsSync(clean.path));

  const rejects = await openRejectsFile(file);
  await rejects.add({ line: 3, reason: 'not JSON', text: '{' });
  await rejects.add({ line: 5, reason: 'refused', id: 'x' });
  await rejects.close();
  await rejects.close();
  t.is(rejects.path, `${file}.rejected.ndjson`);
  t.is(rejects.count(), 2);
  t.is(statSync(rejects.path).mode & 0o777, 0o600);
  t.is(
    await readFile(rejects.path, 'utf8'),
    '{"line":3,"reason":"not JSON","text":"{"}\n{"line":5,"reason":"refused","id":"x"}\n',
  );
});
