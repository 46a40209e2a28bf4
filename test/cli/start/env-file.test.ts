import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import { temporaryFolder } from '../temporary-configs.ts';
import { programEnvironment, programFile } from '../../program.ts';

const start = async (
  t: ExecutionContext,
  files: Record<string, string>,
  env: Record<string, string> = {},
) => {
  const child = spawn(process.execPath, [programFile, 'start'], {
    cwd: temporaryFolder(files),
    env: { ...programEnvironment, NODES_PATH: 'off', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  t.teardown(() => child.kill());
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  await once(child, 'close');
  return errors;
};

test('a .env in the working folder is read, and named without its values', async (t) => {
  const text = '# ours\nexport CONFIGS_PATH="/nowhere/at all"\nES_PASS=secret\n';
  const errors = await start(t, { '.env': text });
  t.regex(errors, /^\.env sets CONFIGS_PATH, ES_PASS\n/);
  t.regex(errors, /there is nothing to serve: CONFIGS_PATH "\/nowhere\/at all"/);
  t.notRegex(errors, /secret/);
});

test('the environment wins over .env', async (t) => {
  const errors = await start(t, { '.env': 'CONFIGS_PATH=/elsewhere\n' }, { CONFIGS_PATH: '/nowhere' });
  t.regex(errors, /CONFIGS_PATH "\/nowhere"/);
  t.notRegex(errors, /\.env/);
});
