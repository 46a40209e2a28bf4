import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import {
  makeDataPath,
  rejectFile,
  rejectUnwritable,
} from '../../../../src/engines/embedded/store/data-path.ts';

const folder = async (t: ExecutionContext): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), 'tributary-'));
  t.teardown(() => rm(path, { recursive: true, force: true }));
  return path;
};

test('a data folder is made with those above it, and left alone when it is there', async (t) => {
  const path = join(await folder(t), 'a/b/c');
  makeDataPath(path);
  makeDataPath(path);
  t.true(statSync(path).isDirectory());
});

test('neither a file nor what lies below one is a data folder', async (t) => {
  const file = join(await folder(t), 'file');
  writeFileSync(file, '');
  for (const check of [makeDataPath, rejectFile])
    t.throws(() => check(file), { message: `the data folder ${file} is a file: set DATA_PATH to a folder` });
  t.throws(() => makeDataPath(join(file, 'x/y')), {
    message: `the data folder ${file}/x/y cannot be created: ${file} is a file`,
  });
  t.notThrows(() => rejectFile(join(file, '../none')));
});

test('a folder that cannot be made is reported at once', (t) => {
  if (!existsSync('/proc/self')) return t.pass('there is no /proc here');
  t.throws(() => makeDataPath('/proc/nowhere/data'), {
    message: /^the data folder \/proc\/nowhere\/data cannot be (created: ENOENT; set DATA_PATH|written to)/,
  });
});

test('a folder that cannot be written to is reported at once', async (t) => {
  if (process.getuid?.() === 0) return t.pass('root may write everywhere');
  const path = join(await folder(t), 'data');
  mkdirSync(path, { mode: 0o555 });
  t.teardown(() => chmodSync(path, 0o755));
  t.notThrows(() => makeDataPath(path));
  t.throws(() => rejectUnwritable(path), { code: 'permission_denied', message: /cannot be written to/ });
  t.throws(() => makeDataPath(join(path, 'x')), { message: /cannot be written to/ });
});
