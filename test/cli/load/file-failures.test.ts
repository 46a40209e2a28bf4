import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { openRejectsFile } from '../../../src/indexing/file-import/rejects-file.ts';
import { fileFailure } from '../../../src/lib/runtime/file-failure.ts';
import { temporaryFolder } from '../temporary-configs.ts';
import { loadIn } from './load-in.ts';

const long = `${'a'.repeat(300)}.csv`;

for (const [what, argv, says] of [
  ['a file that is not there', ['none.csv'], /cannot read none\.csv: there is no such file/],
  [
    'a mapping that is not there',
    ['a.csv', '--mapping', 'none.json'],
    /the mapping none\.json cannot be read: there is no such file/,
  ],
  [
    'a folder as the mapping',
    ['a.csv', '--mapping', 'folder'],
    /the mapping folder cannot be read: it is a folder, but a file is needed/,
  ],
  [
    'a mapping that is no JSON',
    ['a.csv', '--mapping', 'a.csv'],
    /the mapping a\.csv is not JSON \(line 1 column 1\)/,
  ],
  [
    'a mapping that has a key twice',
    ['a.csv', '--mapping', 'twice.json'],
    /the mapping twice\.json has the key v twice in one object \(line 1\): keep one/,
  ],
  ['a file as a folder', ['a.csv/b.csv'], /cannot read a\.csv\/b\.csv: a part of its path is a file/],
  ['a name that is too long', [long], /: its name is too long/],
  ['a link to itself', ['loop'], /cannot read loop: its links lead in a circle/],
  ['an empty folder', ['folder'], /there are no files in folder/],
] as const)
  test.serial(`${what} is reported in plain words, by the dry run too`, async (t) => {
    const twice = '{"properties": {"v": {"type": "keyword"}, "v": {"type": "long"}}}';
    const folder = temporaryFolder({ 'a.csv': 'id,v\n1,a\n', 'twice.json': twice });
    mkdirSync(join(folder, 'folder'));
    symlinkSync('loop', join(folder, 'loop'));
    for (const more of [['--dry-run'], []]) {
      const { code, output } = await loadIn(folder, [...argv, '--catalogue', 'c', ...more]);
      t.is(code, 1);
      t.regex(output, says);
      t.notRegex(output, /\bE[A-Z]{4,}\b|stack|SyntaxError/);
    }
  });

test.serial(
  'documents are counted before the reason why the files of their catalogue are not written',
  async (t) => {
    const folder = temporaryFolder({ 'a.csv': 'id,v\n1,a\n', 'configs/.keep': '' });
    symlinkSync('nowhere/at/all', join(folder, 'configs/c'));
    const { code, output } = await loadIn(folder, ['a.csv', '--catalogue', 'c']);
    t.is(code, 1);
    t.regex(output, /loaded 1 document into c: 1 created[^]*tributary load: .*configs\/c: there is no such/);
  },
);

test.serial('rejected records that cannot be written end the load with the reason', async (t) => {
  const folder = temporaryFolder({ 'gone/a.csv': 'x' });
  const rejects = await openRejectsFile(join(folder, 'gone', 'a.csv'));
  mkdirSync(rejects.path);
  const add = async (): Promise<void> => {
    for (;;) await rejects.add({ line: 1, reason: 'x'.repeat(1_000) });
  };
  await t.throwsAsync(add(), {
    code: 'INPUT_INVALID',
    message: /rejected records cannot be written to .*: it is a folder/,
  });
});

for (const [code, syscall, says] of [
  ['ENOSPC', 'write', 'cannot write /data/x: the disk has no room: free some space'],
  ['EMFILE', 'open', 'cannot open /data/x: too many files are open: raise the limit (ulimit -n)'],
  ['EACCES', 'scandir', 'cannot read /data/x: permission denied'],
  ['EROFS', 'mkdir', 'cannot write /data/x: its file system is read-only'],
  ['ECONNRESET', 'read', null],
] as const)
  test(`${code} of ${syscall} in plain words`, (t) => {
    t.is(
      fileFailure(Object.assign(new Error(`${code}: foreign words`), { code, syscall, path: '/data/x' })),
      says,
    );
  });
