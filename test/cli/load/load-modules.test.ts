import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { packagePath } from '../../../src/lib/runtime/server-version.ts';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';
import { run } from '../../whole/end-to-end/processes.ts';

/** Writes the modules that the main thread has resolved to the file that MODULES names. */
const listing = `import { registerHooks } from 'node:module';
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
const urls = new Set();
registerHooks({ resolve: (name, context, next) => {
  const found = next(name, context);
  urls.add(found.url);
  return found;
} });
if (isMainThread) process.on('exit', () => writeFileSync(process.env.MODULES, [...urls].join('\\n')));`;

test('loading a table runs no code of other formats, nor of searches', async (t) => {
  const folder = temporaryFolder(t, { 'f.csv': 'id,name,age\n1,Ann,30\n2,Bo,41\n', 'listing.mjs': listing });
  const { code, output } = await run(['load', join(folder, 'f.csv'), '--catalogue', 'people'], {
    CONFIGS_PATH: join(folder, 'configs'),
    DATA_PATH: join(folder, 'data'),
    MODULES: join(folder, 'modules'),
    NODE_OPTIONS: `--import=${join(folder, 'listing.mjs')}`,
  });
  t.is(code, 0, output);
  const modules = readFileSync(join(folder, 'modules'), 'utf8').split('\n');
  const ours = modules.filter((url) => url.includes(packagePath('src')));
  t.true(ours.length > 100 && ours.length <= 140, `${ours.length}`);
  const others =
    /\/(graphql|hyparquet|@e965|@elastic|@opensearch-project)\/|\/src\/(local|hierarchies|http)\//;
  t.deepEqual(
    modules.filter((url) => others.test(url)),
    [],
  );
});
