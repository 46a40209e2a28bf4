import { spawn } from 'node:child_process';
import { once } from 'node:events';
import test from 'ava';
import { programEnvironment, programFile } from '../../program.ts';

/** Sends the process SIGHUP before it has loaded what starts the server. */
const preload = `
import { registerHooks } from 'node:module';
registerHooks({
  load: (url, context, next) => {
    if (url.endsWith('/cli/start/start.ts')) process.kill(process.pid, 'SIGHUP');
    return next(url, context);
  },
});`;

test('a signal to reload does not end a server that has just begun to start', async (t) => {
  const hooks = `data:text/javascript,${encodeURIComponent(preload)}`;
  const child = spawn(process.execPath, ['--import', hooks, programFile, 'start'], {
    env: { ...programEnvironment, CONFIGS_PATH: '/nowhere', NODES_PATH: 'off' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  t.deepEqual([code, signal], [1, null]);
  t.regex(errors, /there is nothing to serve/);
});
