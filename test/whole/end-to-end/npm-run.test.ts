import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'ava';
import { packagePath } from '../../../src/lib/runtime/server-version.ts';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  test(`npm that is ended by ${signal} takes its server along`, async (t) => {
    const folder = temporaryFolder(t, {
      'configs/books/base.json': { documentType: 'book', esIndex: 'books' },
    });
    for (const name of ['package.json', 'src'])
      cpSync(packagePath(name), join(folder, name), { recursive: true });
    symlinkSync(packagePath('node_modules'), join(folder, 'node_modules'));
    const npm = spawn('npm', ['run', 'tributary', '--', 'start'], {
      cwd: folder,
      env: {
        // npm comes with some Node.js of this machine, and finds the project's own first
        PATH: `${process.env.PATH ?? ''}:${dirname(process.execPath)}`,
        HOME: folder,
        // its notice of a newer npm would follow the server's last line
        NPM_CONFIG_UPDATE_NOTIFIER: 'false',
        SERVER_PORT: '0',
        SERVER_HOST: '127.0.0.1',
        INDEXING_PORT: 'off',
        NODES_PATH: 'off',
      },
    });
    let output = '';
    const running = new Promise<void>((resolve) =>
      npm.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('is running at')) resolve();
      }),
    );
    npm.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await Promise.race([running, once(npm, 'exit')]);
    const ended = once(npm, 'exit');
    npm.kill(signal);
    await ended;
    const [, url] = /is running at (http:\/\/\S+)/.exec(output)!;
    await t.throwsAsync(fetch(`${url}/ping`), undefined, output);
    t.regex(output, /stopping\s*$/);
  });

test('the scripts that serve leave no shell between npm and the server', (t) => {
  const { scripts } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  t.regex(scripts['start']!, /^exec node /);
  t.regex(scripts['tributary']!, /^exec node /);
});
