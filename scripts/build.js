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

const copy = (packageName, file, to) =>
  cpSync(join(packageFolder(packageName), file), join(root, 'dist', to));

// The pages that are served; their packages are only needed to build this one.
const apiPage = [
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui.css',
  'LICENSE',
  'NOTICE',
];
for (const file of apiPage) copy('swagger-ui-dist', file, `indexing/service/swagger-ui/${file}`);

const graphqlPage = [
  ['graphiql', 'graphiql.min.css', 'graphiql.css'],
  ['graphiql', 'graphiql.min.js', 'graphiql.js'],
  ['graphiql', 'LICENSE', 'graphiql.LICENSE.txt'],
  ['react-umd', 'umd/react.production.min.js', 'react.js'],
  ['react-umd', 'LICENSE', 'react.LICENSE.txt'],
  ['react-dom-umd', 'umd/react-dom.production.min.js', 'react-dom.js'],
  ['react-dom-umd', 'LICENSE', 'react-dom.LICENSE.txt'],
];
for (const [packageName, file, name] of graphqlPage) copy(packageName, file, `http/graphql/graphiql/${name}`);
