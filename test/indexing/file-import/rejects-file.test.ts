import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { importFile } from '../../../src/indexing/file-import/import-file.ts';
import { openRejectsFile } from '../../../src/indexing/file-import/rejects-file.ts';
import { memoryEngine } from '../memory-engine.ts';
import { chunksOf } from './collect.ts';

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

test('rejects of a stream are in the current folder: beside it may be no place for files', async (t) => {
  const pipe = join(await mkdtemp(join(tmpdir(), 'tributary-')), 'rejects-test-pipe');
  execFileSync('mkfifo', [pipe]);
  const { path } = await openRejectsFile(pipe);
  t.is(path, 'rejects-test-pipe.rejected.ndjson');
});

test('a reject that cannot be written is an error when the file is closed, once', async (t) => {
  const rejects = await openRejectsFile(join(await mkdtemp(join(tmpdir(), 'tributary-')), 'data.csv'));
  mkdirSync(rejects.path);
  const chunks = chunksOf('id,v\n1,2\n3,"4" x\n', 1_000);
  const request = {
    format: 'csv',
    name: 'ships',
    aliases: [],
    mapping: null,
    idField: undefined,
    replace: false,
    mayBeEmpty: false,
    chunks,
  } as const;
  const { failure, counts } = await importFile(memoryEngine().engine, request, rejects);
  t.like(counts, { created: 1, rejected: 1 });
  t.regex(failure?.message ?? '', /^the rejected records cannot be written to .*: it is a folder/);
  await t.notThrowsAsync(rejects.close());
});
