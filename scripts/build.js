// Makes dist/: the program as plain JavaScript, and the files of other packages that it serves.
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const require = createRequire(import.meta.url);
const packageFolder = (name) => dirname(require.resolve(`${name}/package.json`));

rmSync(join(root, 'dist'), { recursive: true, force: true });
const compiler = join(packageFolder('typescript'), 'bin/tsc');
const { status } = spawnSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json')], {
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);

// The page of the indexing service's /api-docs; its package is only needed to build this one.
const page = [
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui.css',
  'LICENSE',
  'NOTICE',
];
for (const file of page)
  cpSync(join(packageFolder('swagger-ui-dist'), file), join(root, 'dist/indexing/service/swagger-ui', file));
