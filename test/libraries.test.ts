import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { isImported, serverLibraries } from './named-libraries.ts';
import { temporaryFolder } from './server/config/temporary-folder.ts';
import { run, startNode } from './whole/end-to-end/processes.ts';

const root = join(import.meta.dirname, '..');

test('the libraries that the product is defined by are installed with it, and imported', (t) => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(root, 'src', path), 'utf8'));
  t.deepEqual(
    serverLibraries.filter((name) => !(name in dependencies) || !isImported(name, sources)),
    [],
  );
});

test('a server on the embedded engine does not load the clients of search servers', async (t) => {
  const listing = `
    import { Module } from 'node:module';
    process.on("exit", () => console.log('loaded', Object.keys(Module._cache).join(' ')));`;
  const folder = temporaryFolder(t, { 'donors.ndjson': '{"id":"D1","age":40}\n' });
  const settings = {
    DATA_PATH: join(folder, 'data'),
    CONFIGS_PATH: join(folder, 'configs'),
    NODES_PATH: 'off',
  };
  const load = await run(['load', join(folder, 'donors.ndjson'), '--catalogue', 'donors'], settings);
  t.is(load.code, 0, load.output);
  const server = await startNode({
    ...settings,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(listing)}`,
  });
  t.is(await server.stop(), 0);
  // its threads print theirs too
  const loaded =
    server
      .output()
      .match(/^loaded .*/gm)
      ?.join('\n') ?? '';
  t.regex(loaded, /node_modules\/koa\//);
  t.notRegex(loaded, /elasticsearch|opensearch/);
});
