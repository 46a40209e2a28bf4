// Makes dist/: the program as plain JavaScript, and the files of other packages that it serves.
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile, packageFolder } from './compile.js';

const root = join(import.meta.dirname, '..');

rmSync(join(root, 'dist'), { recursive: true, force: true });
compile('tsconfig.build.json');

const copy = (packageName, file, to) =>
  cpSync(join(packageFolder(packageName), file), join(root, 'dist', to));

// The served API pages; their packages are only needed to build them.
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
for (const [packageName, file, name] of graphqlPage)
  copy(packageName, file, `server/http/graphql/graphiql/${name}`);

/** The commit that is built, which `--version` prints; from COMMIT where there is no repository, as in an image build. */
const commit = () => {
  try {
    return (
      process.env['COMMIT'] || execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' })
    );
  } catch {
    return '';
  }
};

writeFileSync(join(root, 'dist/commit'), commit());
