import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { packagePath } from '../src/lib/runtime/server-version.ts';
import { temporaryFolder } from './server/config/temporary-folder.ts';
import { run } from './whole/end-to-end/processes.ts';

for (const command of ['start', 'indexing', 'load', 'index', 'check'])
  for (const argv of [
    [command, '--help'],
    [command, '-h'],
    ['help', command],
  ])
    test(`${argv.join(' ')} prints the usage of the command, and does nothing else`, async (t) => {
      const { code, output } = await run(argv, {});
      t.is(code, 0, output);
      t.regex(output, new RegExp(`^Usage: tributary ${command}\\b`), output);
    });

test('an unknown option is reported with the usage of its command', async (t) => {
  const { code, output } = await run(['check', '--jsno'], {});
  t.is(code, 2);
  t.regex(output, /^tributary check: Unknown option '--jsno'[^]*Usage: tributary check/);
});

test('an old Node.js is refused with what to install', async (t) => {
  const folder = temporaryFolder(t, {});
  const older = join(folder, 'older.cjs');
  writeFileSync(older, "Object.defineProperty(process.versions, 'node', { value: '12.22.12' });\n");
  const failed = (await promisify(execFile)(process.execPath, [
    '--require',
    older,
    packagePath('bin/tributary.js'),
  ]).catch((error: unknown) => error)) as { code: number; stderr: string };
  t.is(failed.code, 1);
  t.regex(failed.stderr, /^tributary needs Node\.js 24 or newer, and this is 12\.22\.12\./);
  t.regex(failed.stderr, /https:\/\/nodejs\.org[^]*npm ci[^]*npm run tributary/);
});

test('the program file has nothing that an old Node.js cannot read', (t) => {
  const text = readFileSync(packagePath('bin/tributary.js'), 'utf8').replace(/\/\/.*/g, '');
  t.notRegex(text, /=>|`|\?\?|\?\.|\bimport .* from\b|\b(const|let|async|await|class)\b/);
});

test('a checkout that was not built runs from its sources', async (t) => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    packagePath('bin/tributary.js'),
    '--version',
  ]);
  const { version } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { version: string };
  t.true(stdout.startsWith(version), stdout);
});

test('the version names the commit of a checkout', async (t) => {
  const { version } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { version: string };
  const head = await promisify(execFile)('git', ['rev-parse', 'HEAD'], { cwd: packagePath('') });
  const { output } = await run(['--version'], {});
  t.is(output, `${version} (commit ${head.stdout.trim()})\n`);
});
