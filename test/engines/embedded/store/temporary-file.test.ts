import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import test from 'ava';
import { removeTemporaryFiles, temporaryPath } from '../../../../src/engines/embedded/store/folder-files.ts';

test('what a killed process left goes, what is being written and everything else stays', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const path = join(folder, 'x.snapshot');
  const { pid } = spawnSync(process.execPath, ['--version']);
  const own = temporaryPath(path);
  const dead = own.replace(`.${process.pid}.`, `.${pid}.`);
  const old = temporaryPath(path);
  const others = [path, temporaryPath(join(folder, 'x.snapshot.y')), join(folder, 'x.snapshot.1.tmp')];
  for (const file of [own, dead, old, ...others]) await writeFile(file, '');
  const longAgo = new Date(Date.now() - 3_600_000);
  await utimes(old, longAgo, longAgo);
  removeTemporaryFiles(path);
  t.deepEqual((await readdir(folder)).sort(), [own, ...others].map((file) => basename(file)).sort());
});
